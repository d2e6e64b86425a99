/** Links in registers that are loaded: after any order of imports and files, and after what breaks off, one state. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../../src/platform/clock.ts";
import { applyLinks } from "../../../src/registers/import/apply-links.ts";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import { readNumbersFile } from "../../../src/registers/import/numbers-file.ts";
import { listLinks, replaceLinks } from "../../../src/registers/import/stored-links.ts";
import { findImportRun, type RegisterStores } from "../../../src/registers/import/stored-register.ts";
import { readRegister } from "../../../src/registers/lookup.ts";
import { listRegisters } from "../../../src/registers/manifest.ts";
import type { NumberLink } from "../../../src/registers/number-links.ts";
import type { PspRecord } from "../../../src/registers/psp-record.ts";
import { type Agent, AgentRoll, type RefusedPsp, type Register } from "../../../src/registers/register.ts";
import { breakingAt } from "../../kv-writes.ts";
import { LaggingKv, MOST_LAG_MS } from "../../lagging-kv.ts";
import { asD1, openDatabase } from "../grants/sqlite-database.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;
const XX = { country: "XX", source: "eba" } as const;

afterEach(() => void vi.restoreAllMocks());

function openStores(lag: (key: string) => number = () => 0) {
  const kv = new LaggingKv(NOW, lag);
  vi.spyOn(clock, "now").mockImplementation(() => kv.now);
  return { kv, stores: { KV: kv.shown, DB: asD1(openDatabase(), async (carryOut) => carryOut()) } };
}

const psp = (reference: string, status: "Registered" | "Withdrawn" = "Registered"): PspRecord => ({
  ...{ authNumber: `PSDXX-TEST-${reference}`, agent: false },
  categories: [{ category: "AISP", legalName: reference, status, services: [8], passportOut: {} }],
});
const AGENT: Agent = { authNumber: "PSDXX-TEST-AGENT", legalName: "An agent" };
const register = (psps: readonly PspRecord[], refused: readonly RefusedPsp[] = []): Register => ({
  ...{ ...XX, ncaId: "XX-TEST", ncaName: "XX Authority", published: "2026-11-01T00:00:00.000Z" },
  ...{ psps, agents: AgentRoll.of([AGENT]), refused },
});
const FIRST = register(["A", "B", "C"].map((reference) => psp(reference)));

/** What `pairs` of references say: certificate's and register's. */
function linksOf(...pairs: readonly (readonly [string, string])[]): readonly NumberLink[] {
  const rows = pairs.map(
    ([number, target]) => `XX,PSDXX-TEST-${number},PSDXX-TEST-${target},supervisor_number,T,2026-11-01`,
  );
  const file = readNumbersFile(`country,authNumber,registerNumber,kind,source,asOf\n${rows.join("\n")}`, []);
  if (!file.ok) throw new Error(JSON.stringify(file.problems));
  return file.links;
}

const load = (stores: RegisterStores, one: Register, now: number) => importRegister(stores, one, { now, force: true });

async function link(stores: RegisterStores, ...pairs: readonly (readonly [string, string])[]) {
  await replaceLinks(stores.DB, [{ country: "XX", source: "T" }], pairs.length === 0 ? [] : linksOf(...pairs));
  return applyLinks(stores, XX, await listLinks(stores.DB));
}

/** The name and status under a reference. */
async function foundAs(kv: KVNamespace, reference: string): Promise<string | null> {
  const { categories, ambiguous } = await readRegister(kv, "XX", `PSDXX-TEST-${reference}`, NOW);
  const [first] = categories;
  return ambiguous ? "ambiguous" : first ? `${first.record.legalName} ${first.record.status}` : null;
}

describe("links of a register", () => {
  test("that is imported after them are in it, and are as each later file says", async () => {
    const { kv, stores } = openStores();
    await link(stores, ["1", "A"], ["2", "NOBODY"]);
    expect(await load(stores, FIRST, NOW)).toMatchObject({ ok: true, psps: 3, written: 5 });
    expect([await foundAs(kv.shown, "1"), await foundAs(kv.shown, "2")]).toEqual(["A Registered", null]);
    kv.now += HOUR;
    const next = [psp("A", "Withdrawn"), psp("B"), psp("C"), psp("NOBODY")];
    expect(await load(stores, register(next), kv.now)).toMatchObject({ psps: 4, written: 4, removed: 0 });
    expect([await foundAs(kv.shown, "1"), await foundAs(kv.shown, "2")]).toEqual(["A Withdrawn", "NOBODY Registered"]);
    kv.now += HOUR;
    expect(await load(stores, register(next.slice(1)), kv.now)).toMatchObject({ psps: 3, removed: 2 });
    expect(await foundAs(kv.shown, "1")).toBeNull();
  });

  test("that is loaded are carried out in it: its dates stay, what it is changes", async () => {
    const { kv, stores } = openStores();
    await load(stores, FIRST, NOW);
    const [before] = await listRegisters(kv.shown);
    kv.now += HOUR;
    expect(await link(stores, ["1", "A"], ["1", "NOBODY"], ["B", "C"], ["9", "ELSE"])).toEqual({
      ...{ ok: true, ...XX, written: 1, removed: 0 },
      // 1 leads to two, and B is an entry of its own: its copy is written, and does not count
      numbers: { found: 0, own_entry: 1, no_entry: 1, contradicted: 1 },
    });
    expect([await foundAs(kv.shown, "1"), await foundAs(kv.shown, "B")]).toEqual(["ambiguous", "B Registered"]);
    expect(await link(stores, ["1", "A"])).toMatchObject({ written: 1, numbers: { found: 1 } });
    expect(await foundAs(kv.shown, "1")).toBe("A Registered");
    expect((await readRegister(kv.shown, "XX", AGENT.authNumber, NOW)).categories[0]?.record.legalName).toBe(
      "An agent",
    );
    const [after] = await listRegisters(kv.shown);
    expect(after).toEqual({ ...before, hash: after?.hash, run: after?.run });
    expect(after?.hash).not.toBe(before?.hash);
    expect(await findImportRun(stores.DB, "eba", "XX")).toMatchObject({ published: FIRST.published, run: after?.run });
    // nothing is left to the next import, and the same links write nothing
    expect(await link(stores, ["1", "A"])).toMatchObject({ written: 0, removed: 0 });
    expect(await load(stores, FIRST, kv.now)).toMatchObject({ written: 0, removed: 0, unchanged: 5 });
    expect(await link(stores)).toMatchObject({ written: 0, removed: 1 });
    expect(await foundAs(kv.shown, "1")).toBeNull();
  });

  test("wait while KV shows what was before, and find then what the last import wrote", async () => {
    const { kv, stores } = openStores(() => MOST_LAG_MS);
    await load(stores, FIRST, NOW);
    kv.now += HOUR;
    await load(stores, register([psp("A", "Withdrawn"), psp("B"), psp("C")]), kv.now);
    expect(await link(stores, ["1", "A"])).toMatchObject({ ok: false, reason: "unsettled" });
    kv.now += MOST_LAG_MS;
    expect(await link(stores, ["1", "A"])).toMatchObject({ ok: true, written: 1 });
    expect(await foundAs(kv.settled, "1")).toBe("A Withdrawn");
  });

  test("stay with a PSP that stays as of an earlier file", async () => {
    const { kv, stores } = openStores();
    await link(stores, ["1", "A"]);
    await load(stores, FIRST, NOW);
    kv.now += HOUR;
    const refused: RefusedPsp = { authNumber: "PSDXX-TEST-A", reason: "malformed", category: "AISP" };
    const next = { ...register([psp("B"), psp("C")], [refused]), published: "2026-11-02T00:00:00.000Z" };
    expect(await load(stores, next, kv.now)).toMatchObject({ kept: ["PSDXX-TEST-A"] });
    const reading = await readRegister(kv.shown, "XX", "PSDXX-TEST-1", NOW);
    expect(reading).toMatchObject({
      categories: [{ psp: { asOf: FIRST.published } }],
      manifests: [{ published: FIRST.published }],
    });
  });

  test.each([1, 2, 3, 4, 5])(
    "that broke off at write %i are finished by the same command, and by the next import",
    async (n) => {
      const { kv, stores } = openStores();
      await load(stores, FIRST, NOW);
      kv.now += HOUR;
      const broken = { ...stores, KV: breakingAt(kv.shown, n) };
      await expect(link(broken, ["1", "A"], ["2", "B"])).rejects.toThrow("the store is gone");
      const again = await link(stores, ["1", "A"], ["2", "B"]);
      if (!again.ok) {
        // of what broke off KV may show what was before
        kv.now += HOUR;
        expect(await link(stores, ["1", "A"], ["2", "B"])).toMatchObject({ ok: true, numbers: { found: 2 } });
      }
      expect([await foundAs(kv.shown, "1"), await foundAs(kv.shown, "2")]).toEqual(["A Registered", "B Registered"]);
      expect(await load(stores, FIRST, kv.now)).toMatchObject({ written: 0, removed: 0 });
      const [manifest] = await listRegisters(kv.shown);
      expect(manifest).toMatchObject({ psps: 3, published: FIRST.published });
    },
  );

  test("do not count as PSPs: neither as missing where KV has lost the index, nor as what an import changed", async () => {
    const { kv, stores } = openStores();
    const pairs = ["A", "B", "C"].map((reference, i) => [`${i}`, reference] as const);
    await link(stores, ...pairs);
    await load(stores, FIRST, NOW);
    kv.now += HOUR;
    await kv.shown.delete("register/XX/eba/index");
    kv.now += HOUR;
    const result = await importRegister(stores, FIRST, { now: kv.now, force: false });
    expect(result).toMatchObject({ ok: true, psps: 3 });
    kv.now += HOUR;
    await replaceLinks(stores.DB, [{ country: "XX", source: "T" }], []);
    expect(
      await importRegister(stores, register([psp("A"), psp("B"), psp("D")]), { now: kv.now, force: false }),
    ).toMatchObject({ ok: true, psps: 3 });
    const [manifest] = await listRegisters(kv.shown);
    expect(manifest?.lastChange).toMatchObject({ added: 1, changed: 0, removed: 1 });
  });

  test("of a register that is not loaded wait for its import", async () => {
    const { kv, stores } = openStores();
    expect(await link(stores, ["1", "A"])).toMatchObject({ ok: true, written: 0, numbers: { no_entry: 1 } });
    expect(await listRegisters(kv.shown)).toEqual([]);
  });
});
