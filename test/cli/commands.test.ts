/** The command line itself: exit codes, text or JSON, version, status, keys, imports, and stores of another version. */
import "./in-process.ts";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { drawProgress, makeProgressBar } from "../../src/cli/output.ts";
import { readSandbox } from "../../src/cli/sandbox/files.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { clock } from "../../src/platform/clock.ts";
import { holdLease, LEASE_MS } from "../../src/refresh/refreshes.ts";
import { EBA_TASK } from "../../src/refresh/schedule.ts";
import { readBankFile } from "../../src/registers/import/bank-file.ts";
import { importSource } from "../../src/registers/import/import-register.ts";
import { writeBanks } from "../refresh/bank-source.ts";
import { many, packRegister } from "../refresh/eba-source.ts";
import { STATE_DIR } from "./own-state.ts";
import { json, run } from "./run-here.ts";

const ROOT = join(import.meta.dirname, "../..");
const sandbox = await readSandbox();
beforeAll(() => withStores(LOCAL, ({ env }) => seedSandbox(env, sandbox)));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(STATE_DIR, name);
  await writeFile(path, content);
  return path;
}

describe("exit codes", () => {
  test.each([
    ["0: done", ["fi", "list"], 0],
    ["0: help was asked for", ["fi", "rotate", "--help"], 0],
    ["1: there is no such thing", ["fi", "enable", "--reference", "PSDFI-NOBODY-1"], 1],
    ["1: an institution by the option's other name", ["webhook", "list", "--fi", "PSDFI-NOBODY-1"], 1],
    ["1: a file is refused", ["register", "import", "package.json"], 1],
    ["2: no such command", ["fi", "destroy"], 2],
    ["2: no such option", ["status", "--loud"], 2],
    ["2: an option is missing", ["fi", "enable"], 2],
    ["2: no such choice", ["refresh", "--only", "weather"], 2],
    ["2: an option's value is of no form", ["fi", "add", "--name", "A", "--reference", "short"], 2],
    ["2: a name without a letter", ["fi", "add", "--name", " ", "--reference", "PSDFI-NAMELESS-1"], 2],
    ["2: a name of two lines", ["fi", "set", "--name", "A\nB", "--reference", "PSDXX-TEST-FI0001"], 2],
    ["2: no such environment", ["status", "--env", "moon"], 2],
    ["2: no such country", ["psp", "check", "x", "--jurisdiction", "FIN"], 2],
    ["2: what is no instant", ["psp", "check", "x", "--jurisdiction", "XX", "--at", "noon"], 2],
  ])("%s", async (_, args, code) => {
    expect((await run(...args)).code).toBe(code);
  });

  test.each([
    [
      "a misspelt option, before what is missing",
      ["fi", "add", "--nmae", "A"],
      "unknown option '--nmae'\n(Did you mean --name?)",
    ],
    ["all options that are missing", ["fi", "add"], "--name <name>; --fi, --reference <reference> are missing"],
    [
      "all of an export",
      ["evidence", "export", "--from", "2026-11-01"],
      "<file>; --to <instant>; --reference, --fi <reference> are missing",
    ],
    ["the one argument", ["certificate", "show"], "<file> is missing"],
  ])("2: names %s", async (_, args, said) => {
    expect(await run(...args)).toEqual({
      ...{ code: 2, stdout: "", stderr: `error: ${said}\n(--help shows what there is)\n` },
    });
  });

  // where a no is an answer, a script would take 1 for one
  test.each([
    ["a certificate to show", ["certificate", "show", "nowhere"]],
    ["a certificate to check", ["psp", "check", "nowhere", "--jurisdiction", "XX"]],
    ["a trusted list", ["trust", "import", "nowhere"]],
    ["a pivot", ["trust", "import", "package.json", "--pivot", "nowhere"]],
    ["a register", ["register", "import", "nowhere"]],
    ["the EBA's register", ["register", "import", "nowhere", "--source", "eba"]],
    ["what is to be verified", ["evidence", "verify", "nowhere"]],
    ["its keys", ["evidence", "verify", "package.json", "--keys", "nowhere"]],
    ["a backup", ["restore", "nowhere"]],
  ])("3: a file cannot be read: %s", async (_, args) => {
    const { code, stderr } = await run(...args);
    expect({ code, stderr }).toEqual({
      ...{ code: 3, stderr: expect.stringMatching(/^error: \/.*nowhere.* cannot be read: there is no such file\n$/) },
    });
  });

  test.each([
    ["a folder is given", ["register", "import", "src"], /src cannot be read: it is a folder\n/],
    ["it is no certificate", ["psp", "check", "package.json", "--jurisdiction", "XX"], /is no certificate that can be/],
    ["the folder for a backup is a file", ["backup", "package.json"], /^error: EEXIST: file already exists, mkdir/],
  ])("3: %s", async (_, args, said) => {
    expect(await run(...args)).toMatchObject({ code: 3, stdout: "", stderr: expect.stringMatching(said) });
  });

  test("3: of a backup a file was not copied, or is not as it was written: nothing is replaced", async () => {
    const directory = join(STATE_DIR, "backup");
    expect(await run("backup", directory)).toMatchObject({ code: 0 });
    const before = await json("fi", "list");
    await rm(join(directory, "kv.json"));
    const restore = () => run("restore", directory, "--yes");
    expect(await restore()).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("kv.json cannot be read: there"),
    });
    await writeFile(join(directory, "backup.json"), "{");
    expect(await restore()).toMatchObject({ code: 3, stderr: expect.stringContaining("not as backup writes it") });
    expect(await json("fi", "list")).toEqual(before);
  });

  test("3: it could not be found out, because the store does not answer", async () => {
    const result = await withStores(LOCAL, async ({ env }) => {
      const { KV } = env;
      const list = () => Promise.reject(new Error("connection lost"));
      Object.assign(env, { KV: { list, get: list } });
      return await run("status").finally(() => Object.assign(env, { KV }));
    });
    expect(result).toMatchObject({ code: 3, stdout: "" });
    expect(result.stderr).toBe("error: a store did not answer: KV: connection lost\n");
  });
});

test("the commands in the text of the guide to going live are understood as they are printed", async () => {
  const guide = await readFile(join(ROOT, "src/reference/guides/going-live.md"), "utf8");
  const printed = [...guide.matchAll(/`npm run admin -- ([^`]+?) --remote`/g)].map(([, words = ""]) => words);
  // what fetches from the network, or writes a directory, is tried elsewhere
  const tried = printed.filter((words) => !/^(refresh|backup) ?/.test(words));
  expect(tried.length).toBeGreaterThan(2);
  for (const words of tried) expect([words, (await run(...words.split(" "))).code]).not.toEqual([words, 2]);
});

test("--version is the package's, and --help of every command gives an example or says what it takes", async () => {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  expect(await run("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  for (const command of [
    [],
    ["fi", "add"],
    ["fi", "remove"],
    ["fi", "rotate"],
    ["register", "import"],
    ["trust", "import"],
    ["refresh"],
    ["psp", "check"],
    ["backup"],
  ])
    expect((await run(...command, "--help")).stdout).toMatch(/^Examples?:$/m);
  expect((await run("backup", "--help")).stdout).toContain("Not in it: Durable Objects and R2");
});

describe("status", () => {
  test("up: JSON as GET /status answers it, ending with 0, and a table for people", async () => {
    const status = await json("status");
    expect(status).toMatchObject({ status: "up", reasons: [], migrations: [], rootOfTrust: { listOfLists: null } });
    const { code, stdout } = await run("status", "--no-json");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ up {3}psp-gate \d/);
    expect(stdout).toMatch(/^ {2}sandbox +XX +✓ loaded /m);
    expect(stdout).toMatch(/^ {2}nca +XX +✓ loaded /m);
    expect(stdout).toContain("pinned signers, one of which must have signed it");
    // no terminal: no colours
    expect(stripVTControlCharacters(stdout)).toBe(stdout);
  });

  test("degraded: why, in a sentence with its code, ending with 1", async () => {
    await withStores(LOCAL, ({ env }) =>
      env.DB.prepare(
        "INSERT INTO refreshes (task, due_at, failures, failed_at, error) VALUES ('trust/eIDAS/CZ', 1e14, 6, 1, 'no answer')",
      ).run(),
    );
    const { code, stdout } = await run("status", "--no-json");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ degraded/);
    expect(stdout).toContain(
      "✗ the trusted list eIDAS CZ could not be refreshed 6 times and is not loaded: no answer (trusted_list_failing)",
    );
    expect(stdout).toMatch(/! eIDAS CZ: 6 refreshes in a row failed, the last \d+ years ago: no answer/);
    expect((await json("status")).reasons).toMatchObject([
      { code: "trusted_list_failing", source: "eIDAS", jurisdiction: "CZ" },
    ]);
    await withStores(LOCAL, ({ env }) => env.DB.prepare("DELETE FROM refreshes WHERE task = 'trust/eIDAS/CZ'").run());
  });
});

describe("psp check", () => {
  const check = (name: string, jurisdiction: string, ...more: string[]) =>
    run("psp", "check", `fixtures/certificates/${name}.pem`, "--jurisdiction", jurisdiction, ...more);

  test("into a pipe is the answer of the endpoint, for people sentences: the decision first", async () => {
    const asJson = await check("scenario-1", "XX");
    expect(Object.keys(JSON.parse(asJson.stdout))).toEqual(["eIDAS", "homeRegister", "decision", "evidence"]);
    const { code, stdout } = await check("scenario-1", "XY", "--no-json");
    expect(code).toBe(0);
    expect(stdout.split("\n").slice(0, 6)).toEqual([
      "Amber Payments Ltd has the authorisation number PSDXX-TEST-000001.",
      "Its home country is XX, its NCA Test Authority of XX (XX-TEST).",
      "The certificate is by Sandbox QTSP and has the roles PSP_PI (payment initiation), PSP_AI (account information).",
      "",
      "Decision",
      "  ✓ The PSP may initiate payments in XY.",
    ]);
    expect(stdout).toMatch(/^ {2}7 payment initiation {3}✓ yes +✓ yes +✓ yes$/m);
    expect(stdout).toContain("\nHost register (XY, Test Authority of XY)\n");
    expect(stdout).toMatch(/^ {4}nca register of XY: published (?:now|.+ ago), fetched (?:now|.+ ago)$/m);
  });

  test("of a PSP that may not act says why, who can change it, and what to do; ends with 1", async () => {
    const { code, stdout } = await check("scenario-5", "FI", "--no-json");
    expect(code).toBe(1);
    expect(stdout).toContain("✗ The PSP may not initiate payments in Finland: its certificate is not accepted.");
    expect(stdout).toMatch(/has been revoked since .+ certificate_revoked\n {6}→ Do not rely on the certificate\./);
    expect(stdout).toMatch(/\(the NCA of the PSP's home country\) service_not_passported\n {6}→ /);
    expect(stdout).toContain("  ! No register of FI is loaded. register_not_loaded");
  });

  test("for a country that the endpoint refuses is refused, not answered with a no", async () => {
    const title = "jurisdiction ZZ is a user-assigned code of ISO 3166-1, and no register is loaded for it";
    expect(await check("scenario-1", "ZZ")).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${title}\n`,
    });
  });

  test("as of a time before the certificate says that it was not valid then", async () => {
    // not one of above: a process is one check, and this one remembers them
    const { stdout, stderr } = await check("scenario-2", "XX", "--no-json", "--at", "2019-12-31T00:00:00Z");
    // what was loaded then is not kept, and what is loaded now was not published in the future
    expect(stderr).toMatch(
      /^note: judged at 2019-12-31T00:00:00\.000Z by the lists and registers that are loaded now, /,
    );
    expect(stdout).toMatch(/^ .* register of XX: published (?:now|.* ago)/m);
    expect(stdout).not.toMatch(/(?:issued|published|fetched|made) in \d/);
    expect(stdout).toContain("✗ The certificate is not valid at this time. notExpired");
    expect(stdout).toContain("→ Ask the PSP for its current certificate.");
  });
});

describe("keys", () => {
  test("`key list` has ages, who signs, and how many live tokens each has", async () => {
    await file(".dev.vars", "TOKEN_KEY_20260101T000000Z=a\nTOKEN_KEY_20260201T000000Z=b\n");
    await withStores(LOCAL, async ({ env }) => {
      const insert = env.DB.prepare(
        `INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, issued_at, expires_at, revoked_at)
         VALUES (?1, '20260101T000000Z', 1, 'PSDXX-TEST-1', 'a', 'accounts', 0, ?2, ?3)`,
      );
      const later = Date.now() + 3_600_000;
      await env.DB.batch([
        insert.bind("live", later, null),
        insert.bind("revoked", later, 1),
        insert.bind("expired", 1, null),
      ]);
    });
    const old = { kid: "20260101T000000Z", signs: false, made_at: "2026-01-01T00:00:00.000Z", live_tokens: 1 };
    const recent = { kid: "20260201T000000Z", signs: true, made_at: "2026-02-01T00:00:00.000Z", live_tokens: 0 };
    const here = { custody: false, deployed: true };
    expect(await json("key", "list")).toEqual([
      { ...old, ...here },
      { ...recent, ...here },
    ]);
    const { stdout } = await run("key", "list", "--no-json");
    expect(stdout).toMatch(/^20260101T000000Z +verifies +\d+ days ago +1 +none$/m);
    expect(stdout).toMatch(/^20260201T000000Z +✓ signs +\d+ days ago +0 +none$/m);
  });
});

describe("register import", () => {
  const stored = async (country: string) =>
    (await json("register", "list")).filter((one: { country: string }) => one.country === country);

  test("takes the example file, and the same with semicolons, quotes and blanks gives the same register", async () => {
    const path = join(ROOT, "fixtures/register-example.csv");
    // beside the sandbox's registers, as --help and the README name it
    expect(await json("register", "import", path)).toMatchObject({ ok: true, psps: 4 });
    const [{ hash }] = await stored("XZ");
    const text = await readFile(path, "utf8");
    const other = text
      .replace('"Example Accounts, Inc."', "Example Accounts| Inc.")
      .replaceAll(/XY:8;XX:7 8/g, '" XY:8 ; XX:7  8 "')
      .split("\n")
      .map((line) => line.replaceAll(",", " ; "))
      .join("\r\n")
      .replace("Example Accounts| Inc.", '" Example Accounts, Inc. "');
    expect(other).toContain(" ; ");
    expect(await json("register", "import", await file("semicolons.csv", other))).toMatchObject({
      ok: true,
      written: 0,
    });
    const [again] = await stored("XZ");
    expect(again).toMatchObject({ hash, psps: 4 });
  });

  test("recognises the EBA's file without --source, says so, and refuses it as another source's", async () => {
    const path = await file("download.zip", packRegister(many("FI", 20)));
    const taken = await run("register", "import", path);
    expect(taken).toMatchObject({
      code: 0,
      stderr: `${path} is the EBA's register: it is imported as such (--source eba)\n`,
    });
    expect(JSON.parse(taken.stdout)).toMatchObject({ source: "eba", institutions: 20 });
    expect(await run("register", "import", path, "--source", "nca")).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("is the EBA's register, not one of the source nca") },
    });
  });

  test("recognises the EBA's register of credit institutions, which never lands among payment institutions", async () => {
    const banks = writeBanks([...many("FI", 20), ...many("SE", 3)]);
    const path = await file("banks.json", banks);
    const taken = await run("register", "import", path);
    expect(taken).toMatchObject({
      code: 0,
      stderr: `${path} is the EBA's register of credit institutions: it is imported as such (--source credit-institutions)\n`,
    });
    expect(JSON.parse(taken.stdout)).toMatchObject({
      ...{ source: "credit-institutions", institutions: 23, published: "2026-11-20T00:00:00.000Z", unknownTypes: {} },
      countries: [{ country: "FI", psps: 20 }, { country: "SE" }],
    });
    const named = await run("register", "import", path, "--source", "credit-institutions");
    expect(named).toMatchObject({ code: 0, stderr: "" });
    for (const source of ["eba", "nca"])
      expect(await run("register", "import", path, "--source", source)).toMatchObject({
        code: 1,
        stderr: `error: ${path} is refused: it is the EBA's register of credit institutions, not one of the source ${source}\n`,
      });
    const zip = await file("golden.zip", packRegister(many("FI", 20)));
    expect(await run("register", "import", zip, "--source", "credit-institutions")).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("it is the EBA's register, not one of the source credit-inst") },
    });
    const loaded = (await json("status")).registers.filter(
      ({ source }: { source: string }) => source === "credit-institutions",
    );
    expect(loaded).toMatchObject([
      { jurisdiction: "FI", psps: 20, dated: "publication", refresh: { lastError: null, refusedImport: null } },
      { jurisdiction: "SE", psps: 3 },
    ]);
    // an answer cut off
    const cut = await run("register", "import", await file("cut.json", banks.subarray(0, -1)));
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining("the JSON cannot be read") });
    // one fetched in the meantime may be newer: its newest record is as old
    await withStores(LOCAL, async ({ env }) => {
      const file = await readBankFile(new Blob([banks]).stream(), { fetchedAt: "2026-11-22T00:00:00.000Z" });
      if (file.ok) await importSource(env, file, { now: Date.now(), force: false });
    });
    const older = await run("register", "import", path);
    expect(older).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("nobody can tell which of them is newer; nothing was changed") },
    });
    expect(await run("register", "import", path, "--older")).toMatchObject({ code: 0 });
  });

  test("a refused one is told apart from the scheduled refresh, whose schedule and failures stay", async () => {
    const before = { due_at: Date.now() + 1_000_000, failures: 2 };
    await withStores(LOCAL, ({ env }) =>
      env.DB.prepare(
        `INSERT INTO refreshes (task, due_at, failures, failed_at, error) VALUES (?1, ?2, 2, 1, 'the source was away')
         ON CONFLICT (task) DO UPDATE SET due_at = ?2, failures = 2, failed_at = 1, error = excluded.error`,
      )
        .bind(EBA_TASK, before.due_at)
        .run(),
    );
    const path = await file("fewer.zip", packRegister(many("FI", 5)));
    expect(await run("register", "import", path)).toMatchObject({ code: 1 });
    const [{ refresh }] = (await json("status")).registers.filter((one: { source: string }) => one.source === "eba");
    expect(refresh).toMatchObject({
      ...{ failures: 2, nextCheck: new Date(before.due_at).toISOString() },
      lastError: { message: "the source was away" },
      refusedImport: { message: expect.stringContaining("fewer.zip was refused") },
    });
    expect((await run("status", "--no-json")).stdout).toMatch(/eba FI: an import by hand was refused .*fewer\.zip/);
    // a success ends both
    await run("register", "import", path, "--force");
    const [after] = (await json("status")).registers.filter((one: { source: string }) => one.source === "eba");
    expect(after.refresh).toMatchObject({ failures: 0, lastError: null, refusedImport: null });
  });

  test("waits for the lease and says who has it and how long at most", async () => {
    await withStores(LOCAL, ({ env }) => holdLease(env.DB, "scheduled abc", Date.now(), LEASE_MS));
    // it ends while the command waits, however long this machine took until then
    const { now } = clock;
    const time = vi.spyOn(clock, "now");
    const wait = vi.spyOn(clock, "wait").mockImplementationOnce(async () => {
      time.mockImplementation(() => now() + LEASE_MS);
    });
    const { code, stderr } = await run("register", "import", join(ROOT, "fixtures/registers/XX.json"), "--older");
    for (const each of [time, wait]) each.mockRestore();
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^waiting for another refresh or import to end: only one runs at a time, and the scheduled refresh of the running service has begun one\. If it was killed, its lease expires in \d+ (s|min)\n$/,
    );
  });
});

test("progress into a pipe is a line now and then, and none of short work", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const lines: string[] = [];
  const pipe = { isTTY: false, write: (text: string) => lines.push(text) } as unknown as NodeJS.WriteStream;
  const bar = makeProgressBar("writing", pipe);
  bar.show(1, 10);
  vi.setSystemTime(Date.now() + 10_000);
  bar.show(5, 10);
  bar.show(6, 10);
  bar.clear();
  vi.useRealTimers();
  expect(lines).toEqual([`writing ${drawProgress(5, 10)}\n`]);
});
