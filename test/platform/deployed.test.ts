/** A deployment and the commands on it, against an API as Cloudflare has it. wrangler is the real one. */
import "../cli/own-state.ts";
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { runAdmin } from "../cli/admin-command.ts";
import { deployThere, platform } from "./deployed-platform.ts";
import { runThere } from "./run-there.ts";

// loaded behind what it reads of the environment
const { run } = await import("../cli/run-here.ts");

const ROOT = join(import.meta.dirname, "../..");
const folder = await mkdtemp(join(tmpdir(), "psp-gate-platform-"));
afterAll(() => rm(folder, { recursive: true }));

const command = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, "--remote");
  expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
  // one JSON document, and nothing else
  return JSON.parse(stdout);
};

/** The deployment had no recipient, so that its keys are lost with it: each is named. */
async function backUp(directory: string): Promise<void> {
  const { code, stderr } = await run("backup", directory, "--yes", "--remote");
  expect({ code, stderr }).toEqual({
    ...{
      code: 0,
      stderr: expect.stringMatching(/^warning: TOKEN_KEY_\w+ is not in this .*\nwarning: SIGNING_KEY_\w+ is not .*\n$/),
    },
  });
}

const REFERENCE = "PSDFI-FINFSA-0001";

test("a first deployment makes every store, migrates the database and makes a key; a second one changes none", async () => {
  // as operators do: what follows runs in this process
  expect(await runThere("deploy", [], platform.environment)).toMatchObject({ code: 0 });
  const { account } = platform;
  const made = () => ({
    databases: account.databases.map(({ name, uuid }) => [name, uuid]),
    namespaces: account.stores.namespaces.map(({ id, title }) => [id, title]),
    buckets: [...account.stores.buckets],
    queues: account.stores.queues.map(({ name, consumers }) => [name, consumers.length]),
    secrets: [...(account.scripts.get("psp-gate")?.secrets.keys() ?? [])],
    crons: account.scripts.get("psp-gate")?.crons,
  });
  const first = made();
  expect(first).toMatchObject({
    databases: [["psp-gate", expect.any(String)]],
    namespaces: [[expect.any(String), "psp-gate-kv"]],
    buckets: ["psp-gate-evidence"],
    queues: [["psp-gate-events", 1]],
    secrets: [expect.stringMatching(/^TOKEN_KEY_/), expect.stringMatching(/^SIGNING_KEY_/)],
    crons: [{ cron: "* * * * *" }],
  });
  await deployThere(null);
  expect(made()).toEqual(first);
});

test("a deployment whose cron trigger is refused says so in Cloudflare's own words, and the next one sets it", async () => {
  const { deployHere } = await import("./deploy-here.ts");
  platform.fail({ call: "PUT /workers/scripts/psp-gate/schedules", when: "before" });
  const { code, stderr } = await deployHere(null);
  platform.fail(null);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^error: wrangler deploy failed: Trigger configuration for "psp-gate" was only partially updated:\n/,
  );
  expect(stderr).toContain("\nCron schedules:\n");
  expect(stderr).toContain(
    "\n- An unknown error has occurred. If this error persists, contact support. [code: 10013]\n",
  );
  expect(stderr).not.toContain("Logs were written");
  await deployThere(null);
});

test("an institution is added, listed and disabled on the deployed service", async () => {
  const adding = ["fi", "add", "--name", "A Bank", "--reference", REFERENCE, "--remote"];
  const added = await runAdmin(platform.environment, ...adding);
  expect(added).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(added.stdout)).toMatchObject({ fi_reference_id: REFERENCE, client_secret: expect.any(String) });
  expect(await command("fi", "list")).toMatchObject([{ fi_reference_id: REFERENCE, status: "active", live_tokens: 0 }]);
  expect(await command("key", "list")).toMatchObject([{ signs: true, live_tokens: 0 }]);
});

test("a register is imported into the deployed KV, and status reads it back", async () => {
  const file = join(ROOT, "fixtures/register-example.csv");
  const imported = await command("register", "import", file, "--source", "nca");
  expect(imported).toMatchObject({ ok: true, psps: 4, written: 4 });
});

test("a backup holds D1 and KV of the deployed service, and a restore puts back what was lost", async () => {
  const directory = join(folder, "backup");
  await backUp(directory);
  const [kept] = platform.account.databases;
  const namespace = platform.account.stores.namespaces[0];
  if (!kept || !namespace) throw new Error("the deployment made none");
  const values = new Map(namespace.values);
  kept.sqlite.exec("DELETE FROM credential_institutions; DELETE FROM credentials; DELETE FROM financial_institutions");
  namespace.values.clear();
  await command("restore", directory);
  expect(await command("fi", "list")).toMatchObject([{ fi_reference_id: REFERENCE, status: "active" }]);
  expect([...namespace.values.keys()].sort()).toEqual([...values.keys()].sort());
  expect(JSON.parse(await readFile(join(directory, "backup.json"), "utf8"))).toMatchObject({
    secrets_needed: expect.arrayContaining([expect.stringMatching(/^TOKEN_KEY_/)]),
  });
});

test("a backup that D1 does not carry out leaves no folder, and one of a deployment is asked for", async () => {
  const directory = join(folder, "failed");
  const refused = await run("backup", directory, "--remote");
  expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("D1 does not answer while") });
  platform.fail(null);
  const whole = join(folder, "whole");
  await backUp(whole);
  expect((await stat(join(whole, "d1.sql"))).mode & 0o777).toBe(0o600);
  const exported = platform.calls.findIndex((call) => call.endsWith("/export"));
  platform.fail({ call: exported + 1, when: "before" });
  const failed = await run("backup", directory, "--remote", "--yes");
  platform.fail(null);
  expect(failed).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("D1 could not export DB:") });
  expect((await readdir(folder)).sort()).toEqual(["backup", "whole"]);
});

test("a restore reads a changed backup before it touches anything, and `backup verify` says the same", async () => {
  const directory = join(folder, "whole");
  expect(await command("backup", "verify", directory)).toMatchObject({ verified: true });
  await appendFile(join(directory, "d1.sql"), "DELETE FROM financial_institutions;\n");
  platform.fail(null);
  for (const args of [
    ["backup", "verify", directory],
    ["restore", directory, "--yes", "--remote"],
  ])
    expect(await run(...args)).toMatchObject({
      ...{ code: 1, stdout: "", stderr: expect.stringContaining("d1.sql is not as backup wrote it") },
    });
  expect(platform.calls.filter((call) => call.endsWith("/import") || call.startsWith("PUT"))).toEqual([]);
});

test("D1 goes back to a bookmark, and from there to where it was, without an outage", async () => {
  const { bookmarks } = await command("backup", "bookmark", "--note", join(folder, "notes"));
  expect(JSON.parse(await readFile(join(folder, "notes"), "utf8"))).toMatchObject({ bookmarks });
  await command("fi", "disable", "--reference", REFERENCE);
  const unsaid = await run("restore", "--bookmark", bookmarks.DB, "--remote");
  expect(unsaid).toMatchObject({ code: 1, stderr: expect.stringContaining("Say --yes") });
  const { previous_bookmark } = await command("restore", "--bookmark", bookmarks.DB, "--yes");
  expect(await command("fi", "list")).toMatchObject([{ status: "active" }]);
  await command("restore", "--bookmark", previous_bookmark, "--yes");
  expect(await command("fi", "list")).toMatchObject([{ status: "disabled" }]);
});

test("a key is sealed before it is sent: one that was not taken is listed as not deployed, one that was has custody", async () => {
  const recipient = "age1m6548mkfqryqjsh5az8kl8ezqahztzkg483aa9n574gk36t9sdpqx8caxe";
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  // a second has one key, and both runs may come within one of the machine's
  const rotate = () => {
    vi.setSystemTime(Date.now() + 1000);
    return run("key", "rotate", "--recipient", recipient, "--remote");
  };
  const call = "PATCH /workers/scripts/psp-gate/secrets-bulk";
  const keys = async () =>
    (await command("key", "list")).map((key: { custody: boolean; deployed: boolean; signs: boolean }) => [
      ...[key.custody, key.deployed, key.signs],
    ]);
  platform.fail({ call, when: "before" });
  expect(await rotate()).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^error: wrangler could/),
  });
  expect(await keys()).toEqual([
    [true, false, false],
    [false, true, true],
  ]);
  platform.fail({ call, when: "after" });
  expect(await rotate()).toMatchObject({ code: 0, stderr: "" });
  expect(await keys()).toEqual([
    [true, false, false],
    [false, true, false],
    [true, true, true],
  ]);
});
