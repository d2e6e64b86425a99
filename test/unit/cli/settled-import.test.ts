/** `register import` while Workers KV does not show yet what the import before wrote. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { importEuclidFile, importOwnForm } from "../../../src/cli/sources/register-files.ts";
import { clock } from "../../../src/platform/clock.ts";
import { listRegisters } from "../../../src/registers/manifest.ts";
import { LaggingKv } from "../../lagging-kv.ts";
import { many, packRegister } from "../../refresh/eba-source.ts";
import { asD1, openDatabase } from "../grants/sqlite-database.ts";

const START = Date.parse("2026-11-21T12:00:00Z");
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "psp-gate-settled-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const own = (...names: string[]) =>
  JSON.stringify({
    ...{ country: "XX", ncaId: "XX-TEST", ncaName: "Test Authority", published: "2026-11-01T00:00:00Z" },
    psps: names.map((legalName, i) => ({
      authNumber: `PSDXX-TEST-${i}`,
      categories: [{ category: "AISP", legalName, status: "Registered", services: [8] }],
    })),
  });

const importEba = (
  stores: Pick<Env, "KV" | "DB">,
  path: string,
  ...more: [{ force: boolean; older: boolean }, { left: string }]
) => importEuclidFile(stores, path, "eba", ...more);

test.each([
  ["the project's own form", importOwnForm, own("A", "B"), own("C"), "XX (nca)"],
  ["the EBA's", importEba, packRegister(many("FI", 2)), packRegister(many("FI", 1, "C")), "FI (eba)"],
] as const)("of %s it says so once, and waits", async (_, load, first, second, named) => {
  const kv = new LaggingKv(START);
  const said: unknown[] = [];
  vi.spyOn(clock, "now").mockImplementation(() => kv.now);
  vi.spyOn(clock, "wait").mockImplementation(async (milliseconds) => {
    kv.now += milliseconds;
  });
  vi.spyOn(console, "error").mockImplementation((text) => void said.push(text));
  const stores = { KV: kv.shown, DB: asD1(openDatabase(), async (carryOut) => carryOut()) };
  const path = join(folder, "register");
  for (const file of [first, second]) {
    await writeFile(path, file);
    await load(stores, path, { force: true, older: false }, { left: "" });
  }
  expect(said).toEqual([
    `waiting: Workers KV does not show yet what the last import of ${named} wrote. That takes at most 3 min`,
  ]);
  expect(kv.now - START).toBe(60_000);
  expect(await listRegisters(kv.settled)).toMatchObject([{ psps: 1 }]);
});
