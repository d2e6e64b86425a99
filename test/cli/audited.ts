/** A check of the running service, from its record to an archive that is verified without the service. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { listExports } from "../../src/cli/evidence/exports.ts";
import { withStores } from "../../src/cli/stores.ts";
import { readZip } from "../../src/evidence/archive/zip-file.ts";
import { eidasHeader, OTHER_FI, ROOT, SANDBOX_FI } from "../spec/service.ts";
import { findTool } from "../tools.ts";
import { life } from "./own-service.ts";
import { run } from "./run-here.ts";

const FI = SANDBOX_FI.fi_reference_id;
const FROM = "2026-01-01T00:00:00Z";
const TO = "2100-01-01T00:00:00Z";

const ask = async (path: string, headers: Record<string, string> = {}) =>
  fetch(`${life().url}${path}`, { headers: { ...SANDBOX_FI, version: "latest", ...headers } });

/** The id of a check, once its record is in the ledger. */
async function check(name: string): Promise<string> {
  const answer = await ask("/v1/psp/eidas?jurisdiction=xx", { eidas: await eidasHeader(name) });
  const id = answer.headers.get("x-evidence-id") ?? "";
  await expect.poll(async () => (await ask(`/v1/audit/records/${id}`)).status, { timeout: 60_000 }).toBe(200);
  return id;
}

/** The step of docs/examples/evidence-export.yml that does the work, for the service that runs here. */
function readWorkflow(): string {
  const { jobs } = parse(readFileSync(join(ROOT, "docs/examples/evidence-export.yml"), "utf8"));
  const step = jobs.export.steps.find(({ name }: { name?: string }) => name === "export and verify");
  return step.run.replaceAll(" --remote", "");
}

/** Runs it as GitHub does. */
async function runWorkflow(folder: string, MONTH: string): Promise<{ readonly code: number; readonly said: string }> {
  const env = { ...process.env, STATE_DIR: life().state, SERVICE: life().url, FOLDER: folder, MONTH };
  const path = `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`;
  const options = { cwd: ROOT, env: { ...env, PATH: path } };
  return promisify(execFile)("bash", ["-eo", "pipefail", "-c", readWorkflow()], options).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}

export function testAudit(): void {
  const at = () => ["--fi", FI, "--url", life().url];
  const file = () => join(life().state, "ledger.zip");

  test("a check is found, replayed, exported and verified; one byte altered is found", async () => {
    const [good, revoked] = [await check("scenario-1"), await check("scenario-5")];

    const shown = await run("audit", "show", good, ...at());
    expect(JSON.parse(shown.stdout)).toMatchObject({ record: { id: good, fi: FI, event: "psp.checked" } });
    const listed = await run("audit", "list", ...at(), "--psp", "PSDXX-TEST-000005", "--no-json");
    expect(listed.stdout).toMatch(new RegExp(`psp\\.checked.*✗ certificate_revoked +${revoked}`));

    const ofAll = await run("audit", "list", "--url", life().url, "--limit", "200");
    const { records: all } = JSON.parse(ofAll.stdout) as { records: { id: string; fi: string; time: string }[] };
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([good, revoked]));
    expect(all.map(({ time }) => time)).toEqual(
      all
        .map(({ time }) => time)
        .toSorted()
        .toReversed(),
    );
    const drawn = await run("audit", "list", "--url", life().url, "--no-json");
    expect(drawn.stdout).toMatch(new RegExp(`${FI} +psp\\.checked.*${revoked}`));

    const replayed = await run("evidence", "replay", good, ...at());
    expect([replayed.code, JSON.parse(replayed.stdout)]).toEqual([
      0,
      {
        replays: [{ id: good, time: expect.any(String), result: { ok: true, equal: true, compared: "answer" } }],
        missing: [],
      },
    ]);
    const range = await run("evidence", "replay", ...at(), "--from", FROM, "--psp", "PSDXX-TEST-000005", "--no-json");
    expect(range).toMatchObject({ code: 0, stdout: expect.stringMatching(new RegExp(`${revoked} equal\n$`)) });

    await rm(file(), { force: true });
    const exported = await run("evidence", "export", file(), ...at(), "--from", FROM, "--to", TO);
    const { records } = JSON.parse(exported.stdout);
    expect([exported.code, JSON.parse(exported.stdout)]).toMatchObject([0, { missing: [] }]);
    expect(await run("evidence", "export", file(), ...at(), "--from", FROM, "--to", TO)).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("EEXIST") },
    });

    const keys = ["--keys", `${life().url}/.well-known/jwks.json`];
    const verified = await run("evidence", "verify", file(), ...keys);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
    expect(JSON.parse(verified.stdout)).toMatchObject({
      ...{ proven: true, keys: "given", fi: FI, records, replays: { equal: records, different: [], incomplete: [] } },
    });
    const alone = await run("evidence", "verify", file(), "--no-json");
    expect(alone.stdout).toMatch(/^proven: records 1 to \d+ of PSDXX-TEST-FI0001 are whole and unaltered/);
    expect(alone.stdout).toContain("by the archive's own keys");

    const kept = join(life().state, "head.json");
    const head = await (await ask("/v1/audit/head")).text();
    await writeFile(kept, head);
    await check("scenario-1");
    const compared = await run("evidence", "compare", kept, ...at(), ...keys, "--no-json");
    expect(compared).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^contained: .+ goes on from it to the head of today\n$/),
    });
    const { jws } = JSON.parse(head).data;
    // of the signature, the end of which may be the same again
    await writeFile(
      kept,
      jws.replace(/\.(.)([^.]*)$/, (_: string, first: string, rest: string) => `.${first === "A" ? "B" : "A"}${rest}`),
    );
    expect(await run("evidence", "compare", kept, ...at())).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining("has a signature that is not that of the key") },
    });
    await writeFile(kept, "{}");
    expect(await run("evidence", "compare", kept, ...at())).toMatchObject({ code: 3 });

    const bytes = await readFile(file());
    for (const place of [0.1, 0.5, 0.9].map((share) => Math.floor(share * bytes.length))) {
      await writeFile(`${file()}.altered`, bytes.with(place, (bytes[place] ?? 0) ^ 1));
      const refused = await run("evidence", "verify", `${file()}.altered`, ...keys);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("not proven") });
    }
  });

  test("no pass outlives its command, and none is made for what is refused", async () => {
    const id = await check("scenario-2");
    // the other institution's ledger does not have it
    const other = ["--fi", OTHER_FI.fi_reference_id, "--url", life().url];
    expect(await run("audit", "show", id, ...other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no such"),
    });
    expect(await run("audit", "list", "--fi", "PSDXX-NOBODY", "--url", life().url)).toMatchObject({ code: 1 });
    expect(await run("audit", "list", "--fi", FI, "--url", "http://gate.bank.example")).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("neither https nor on this machine") },
    });
    // nothing listens there
    const silent = await run("evidence", "replay", id, "--fi", FI, "--url", "http://127.0.0.1:9");
    expect(silent).toMatchObject({ code: 3, stderr: expect.stringContaining("does not answer") });
    expect(await run("evidence", "replay", "--fi", FI)).toMatchObject({ code: 2 });
    const passes = await withStores({ remote: false }, ({ env }) =>
      env.DB.prepare("SELECT * FROM operator_passes").all(),
    );
    expect(passes.results).toEqual([]);
  });

  test.runIf(findTool("curl"))(
    "the example's workflow keeps each institution's month with the keys that verify it, and a damaged archive fails it",
    async () => {
      const id = await check("scenario-1");
      const month = new Date().toISOString().slice(0, 7);
      const folder = join(life().state, "kept");
      const first = await runWorkflow(folder, month);
      expect(first, first.said).toMatchObject({ code: 0 });
      const files = await readdir(join(folder, month));
      expect(files).toEqual(expect.arrayContaining(["PSDXX-TEST-FI0001.zip", "keys.json"]));
      // as an auditor has them, when the account is lost
      const [archive, keys] = ["PSDXX-TEST-FI0001.zip", "keys.json"].map((name) => join(folder, month, name));
      const verified = await run("evidence", "verify", archive ?? "", "--keys", keys ?? "");
      expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { proven: true, keys: "given", fi: FI }]);
      const archived = readZip(await readFile(archive ?? ""));
      expect(archived.ok && new TextDecoder().decode(archived.files.get("records.jsonl"))).toContain(id);
      const exports = await withStores({ remote: false }, ({ env }) => listExports(env.DB));
      expect(exports.map(({ reference }) => reference)).toEqual(expect.arrayContaining([FI, OTHER_FI.fi_reference_id]));
      // also of one that was asked nothing
      expect(exports.filter(({ exportedAt }) => exportedAt === null)).toEqual([]);
      // an archive that is there is not replaced: what is verified is the one that somebody changed
      const bytes = await readFile(archive ?? "");
      await writeFile(archive ?? "", bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1));
      const again = await runWorkflow(folder, month);
      expect([again.code, again.said]).toEqual([1, expect.stringContaining("not proven")]);
    },
  );
}
