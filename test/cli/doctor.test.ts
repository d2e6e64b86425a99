/** `doctor` on real stores, with servers whose clocks are right, wrong, or not told. */
import "./in-process.ts";
import { once } from "node:events";
import { appendFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findUnchosen } from "../../src/cli/doctor/bank-passports.ts";
import type { Finding } from "../../src/cli/doctor/finding.ts";
import { findWithheld } from "../../src/cli/doctor/ledgers.ts";
import { askSourceTime } from "../../src/cli/doctor/machine-clock.ts";
import { readSandbox } from "../../src/cli/sandbox/files.ts";
import { seedSandbox } from "../../src/cli/sandbox/sandbox.ts";
import { withStores } from "../../src/cli/stores.ts";
import { LOCAL } from "../../src/cli/target.ts";
import { findFreePort } from "../free-port.ts";
import { STATE_DIR } from "./own-state.ts";
import { json, run } from "./run-here.ts";

const HOUR = 3_600_000;
const servers: Server[] = [];
/** The address of a server whose clock is so far ahead; null: it does not tell. */
async function serve(aheadMs: number | null): Promise<string> {
  const server = createServer((_, response) => {
    response.sendDate = false;
    if (aheadMs !== null) response.setHeader("Date", new Date(Date.now() + aheadMs).toUTCString());
    response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

let right: string;
let slow: string;
let mute: string;
const reach = globalThis.fetch;
/** The sources of wrangler.toml are on other machines: their requests go to this server of ours. */
const answerBy = (address: string) =>
  vi.spyOn(globalThis, "fetch").mockImplementation((_, init) => reach(address, init));

const DEV_VARS = join(STATE_DIR, ".dev.vars");
beforeAll(async () => {
  [right, slow, mute] = await Promise.all([serve(0), serve(-2 * HOUR), serve(null)]);
  const sandbox = await readSandbox();
  await withStores(LOCAL, ({ env }) => seedSandbox(env, sandbox));
  await writeFile(DEV_VARS, "TOKEN_KEY_20260101T000000Z=a\nTOKEN_KEY_20261101T000000Z=b\n");
});
afterAll(() => {
  for (const server of servers) server.close();
  vi.restoreAllMocks();
});

const AREAS = ["configuration", "stores", "records", "sources", "clock", "token keys", "root of trust"];

test("a service in order: every area is looked at, nothing is to be done", async () => {
  answerBy(right);
  const { code, stdout } = await run("doctor");
  const { status, version, findings } = JSON.parse(stdout);
  expect([code, status, version]).toEqual([0, "good", (await run("--version")).stdout.trim()]);
  expect([...new Set(findings.map(({ area }: { area: string }) => area))].toSorted()).toEqual(AREAS.toSorted());
  const [notes, others] = [true, false].map((is) => findings.filter(({ state }: Finding) => (state === "note") === is));
  for (const finding of others) expect(finding).toMatchObject({ state: "good", todo: null });
  // the sandbox's institutions never chose
  expect(notes).toMatchObject([{ message: expect.stringContaining("was never chosen") }]);
  const sentences = findings.map(({ message }: { message: string }) => message).join("\n");
  expect(sentences).toContain("trusted list sandbox XX: published ");
  expect(sentences).toContain("20261101T000000Z signs, made ");
  expect(sentences).toContain("no evidence was exported yet; no month that has ended is missing");

  const forPeople = (await run("doctor", "--no-json")).stdout;
  expect(forPeople.split("\n")[0]).toBe("✓ nothing is to be done");
  expect(forPeople).toContain("\nclock\n  ✓ this machine's clock agrees with that of ");
  // a key is never printed, nor anything but its id
  expect(forPeople).not.toMatch(/=[ab]\b/);
});

test("a clock that is wrong is to be set, which ends with 1", async () => {
  answerBy(slow);
  const { code, stdout } = await run("doctor", "--no-json");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ to be done: 1\n/);
  expect(stdout).toMatch(
    /✗ this machine's clock is (?:119 min|2 h) ahead of that of .+\n {4}→ set it by a time server/,
  );
});

test("a source that does not tell the time leaves the clock unknown, which ends with 3", async () => {
  answerBy(mute);
  expect(await json("doctor")).toMatchObject({ status: "unknown" });
  expect((await run("doctor")).code).toBe(3);
});

test("the first source that tells the time counts; one that is not there is passed over", async () => {
  vi.restoreAllMocks();
  const nobody = `http://127.0.0.1:${await findFreePort()}/`;
  const time = await askSourceTime([nobody, mute, slow, right]);
  expect(time?.source).toBe(new URL(slow).host);
  expect(Math.round((time?.aheadMs ?? 0) / HOUR)).toBe(2);
  expect(await askSourceTime([nobody, mute])).toBeNull();
  expect(await askSourceTime([])).toBeNull();
});

test("what is wrong in the stores is told with the command that mends it", async () => {
  answerBy(right);
  await withStores(LOCAL, ({ env }) =>
    env.DB.prepare(
      "INSERT INTO refreshes (task, due_at, failures, failed_at, error) VALUES ('trust/eIDAS/CZ', 0, 6, 1, 'no answer')",
    ).run(),
  );
  const { findings } = await json("doctor");
  expect(findings).toContainEqual({
    ...{ area: "sources", state: "to do" },
    message: "the trusted list eIDAS CZ could not be refreshed 6 times and is not loaded: no answer",
    todo: expect.stringContaining("npm run admin -- refresh --only trust"),
  });
  await withStores(LOCAL, ({ env }) => env.DB.prepare("DELETE FROM refreshes WHERE task = 'trust/eIDAS/CZ'").run());
});

test("who requires records where none are made is told with both ways out", async () => {
  await withStores(LOCAL, async ({ env }) => {
    const find = (records: string) => findWithheld(env.DB, records, (words) => `npm run admin -- ${words}`);
    expect(await find("off")).toEqual([]);
    const require = env.DB.prepare("UPDATE financial_institutions SET ledger_required = ?1 WHERE fi_reference_id = ?2");
    await require.bind(1, "PSDXX-TEST-FI0002").run();
    expect(await find("on")).toEqual([]);
    expect(await find("off")).toEqual([
      {
        ...{ area: "configuration", state: "to do" },
        message: expect.stringMatching(/^PSDXX-TEST-FI0002 requires its records, .* answered with 503$/),
        todo: expect.stringContaining("npm run admin -- fi set --reference PSDXX-TEST-FI0002 --ledger default"),
      },
    ]);
    await require.bind(0, "PSDXX-TEST-FI0002").run();
  });
});

test("who never chose how banks abroad count is told the command, and nothing is to be done", async () => {
  await withStores(LOCAL, async ({ env }) => {
    const find = () => findUnchosen(env.DB, (words) => `npm run admin -- ${words}`);
    const choose = env.DB.prepare("UPDATE financial_institutions SET bank_passports = ?1 WHERE fi_reference_id = ?2");
    expect(await find()).toEqual([
      {
        ...{ area: "configuration", state: "note" },
        message: expect.stringMatching(
          /^PSDXX-TEST-FI0001, PSDXX-TEST-FI0002: .* never chosen, which counts as refuse$/,
        ),
        todo: expect.stringContaining("fi set --reference PSDXX-TEST-FI0001 --bank-passports refuse, or accept"),
      },
    ]);
    await choose.bind("refuse", "PSDXX-TEST-FI0001").run();
    expect(await find()).toMatchObject([{ message: expect.stringMatching(/^PSDXX-TEST-FI0002: /) }]);
    await choose.bind("accept", "PSDXX-TEST-FI0002").run();
    expect(await find()).toEqual([]);
    for (const reference of ["PSDXX-TEST-FI0001", "PSDXX-TEST-FI0002"]) await choose.bind(null, reference).run();
  });
});

test("a key of a time to come, and no key at all, are to be looked at", async () => {
  answerBy(right);
  await appendFile(DEV_VARS, "TOKEN_KEY_20990101T000000Z=c\n");
  expect((await run("doctor", "--no-json")).stdout).toContain("✗ 20990101T000000Z signs");
  await writeFile(DEV_VARS, "");
  const { code, stdout } = await run("doctor", "--no-json");
  expect([code, stdout]).toEqual([1, expect.stringContaining("→ make one: npm run admin -- key rotate")]);
});

test("stores that do not answer are unknown, and the rest is told all the same", async () => {
  answerBy(right);
  const findings = await withStores(LOCAL, async ({ env }) => {
    const { KV } = env;
    const list = () => Promise.reject(new Error("connection lost"));
    Object.assign(env, { KV: { list, get: list } });
    return await json("doctor").finally(() => Object.assign(env, { KV }));
  });
  expect(findings).toMatchObject({
    status: "unknown",
    findings: [
      { area: "configuration", state: "good" },
      { area: "configuration", state: "good", message: expect.stringContaining("answers are recorded") },
      {
        area: "stores",
        state: "unknown",
        message: "KV: connection lost",
        todo: expect.stringContaining("run the doctor again"),
      },
      { area: "clock", state: "good" },
    ],
  });
});
