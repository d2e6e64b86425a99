/** What scripts read of a deployment: every command with `--json --remote`, and how many calls an import makes. */
import "../cli/own-state.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { STATE_DIR } from "../cli/own-state.ts";
import { deployThere, platform } from "./deployed-platform.ts";

// loaded behind what they read of the environment
const { run } = await import("../cli/run-here.ts");
const { runEveryCommand } = await import("../cli/every-command.ts");

beforeAll(() => deployThere(null));

test("with --json every command of the help prints one JSON document, or nothing and an error", () =>
  runEveryCommand(run, STATE_DIR, ["--remote"]));

const PSPS = 60_000;
const HEAD =
  "country,ncaId,ncaName,published,source,authNumber,agent,category,legalName,status,services,passportOut,passportIn";

async function writeRegister(psps: number, published: string): Promise<string> {
  const row = (_: unknown, i: number) =>
    `XY,XY-TEST,Test Authority of XY,${published},nca,PSDXY-TEST-${i},,Payment Institution,Example ${i} Ltd,Authorised,7 8,,`;
  const path = join(STATE_DIR, "many.csv");
  await writeFile(path, [HEAD, ...Array.from({ length: psps }, row)].join("\n"));
  return path;
}

/** The calls to KV that an import makes. */
async function importThere(...args: string[]): Promise<string[]> {
  platform.fail(null);
  const { code, stderr } = await run("register", "import", ...args, "--remote");
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("error:") });
  return platform.calls.filter((call) => call.includes("/storage/kv/"));
}

test("an import of 60,000 PSPs makes a call for thousands of entries, and so does their removal", async () => {
  const [namespace] = platform.account.stores.namespaces;
  const stored = () => [...(namespace?.values.keys() ?? [])].filter((key) => key.includes("XY/nca/")).length;
  const written = await importThere(await writeRegister(PSPS, "2026-11-02T00:00:00Z"));
  expect(stored()).toBeGreaterThanOrEqual(PSPS);
  expect(written.length).toBeLessThan(30);
  const removed = await importThere(await writeRegister(1, "2026-11-03T00:00:00Z"), "--force");
  expect(stored()).toBeLessThan(10);
  expect(removed.length).toBeLessThan(20);
});
