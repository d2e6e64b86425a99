import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../../src/platform/clock.ts";
import { findStale } from "../../../src/registers/check.ts";
import { importRegister } from "../../../src/registers/import/import-register.ts";
import {
  findDrop,
  findImportRun,
  type RegisterStores,
  readStored,
} from "../../../src/registers/import/stored-register.ts";
import { readRegister } from "../../../src/registers/lookup.ts";
import { listRegisters } from "../../../src/registers/manifest.ts";
import type { PspRecord } from "../../../src/registers/psp-record.ts";
import { type Agent, AgentRoll, type RefusedPsp, type Register } from "../../../src/registers/register.ts";
import type { RegisterSource } from "../../../src/registers/sources.ts";
import { breakingAt } from "../../kv-writes.ts";
import { limitWrites } from "../faults/once-a-second.ts";
import { emptyStores } from "./empty-stores.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const LATER = NOW + 60_000;

beforeEach(() => void vi.spyOn(clock, "wait").mockResolvedValue());
afterEach(async () => {
  vi.restoreAllMocks();
  await emptyStores();
});

const psp = (number: number | string, legalName: string): PspRecord => ({
  authNumber: `PSDXX-TEST-${number}`,
  agent: false,
  categories: [{ category: "AISP", legalName, status: "Registered", services: [8], passportOut: {} }],
});

const register = (psps: PspRecord[], more: Partial<Register> = {}): Register => ({
  ...{ country: "XX", source: "nca", ncaId: "XX-TEST", ncaName: "XX Authority", published: "2026-11-01T00:00:00Z" },
  ...{ psps, agents: new AgentRoll(), refused: [] },
  ...more,
});

const refusal = (number: number, reason: string): RefusedPsp => ({
  ...{ authNumber: `PSDXX-TEST-${number}`, reason, category: "AISP" },
});

const breaking = (n: number): RegisterStores => ({ ...env, KV: breakingAt(env.KV, n) });
async function drop(one: Register) {
  const stored = await readStored(env.KV, one, await findImportRun(env.DB, one.source, one.country));
  return stored.ok ? findDrop(stored.index, one) : stored;
}

const many = (count: number, legalName = "Old Ltd") => Array.from({ length: count }, (_, i) => psp(i, legalName));
const agent = (number: number | string, legalName = "An agent"): Agent => ({
  authNumber: `PSDXX-TEST-${number}`,
  legalName,
});

/** Legal name of the PSP in the store; null when it is not found. */
async function nameOf(number: number | string, country = "XX"): Promise<string | null> {
  const { categories } = await readRegister(env.KV, country, `PSDXX-TEST-${number}`, LATER);
  return categories[0]?.record.legalName ?? null;
}

async function storedValues(): Promise<Record<string, unknown>> {
  const { keys } = await env.KV.list();
  const values = await Promise.all(keys.map(async ({ name }) => [name, await env.KV.get(name, "json")] as const));
  return Object.fromEntries(
    values.filter(([name]) => !name.endsWith("/pending") && !name.startsWith("register/manifest/")),
  );
}

describe("an import", () => {
  test("writes every PSP, and each is found afterwards", async () => {
    const result = await importRegister(env, register(many(3)), { now: NOW, force: false });
    expect(result).toEqual({
      ok: true,
      country: "XX",
      source: "nca",
      psps: 3,
      written: 3,
      removed: 0,
      unchanged: 0,
      left: 0,
      refused: 0,
      ...{ kept: [], leftOut: [], awaited: [], undated: [], ambiguous: [] },
    });
    expect(await nameOf(2)).toBe("Old Ltd");
    expect(await nameOf(3)).toBeNull();
  });

  test("of the same register writes nothing but the manifest's fetchedAt", async () => {
    await importRegister(env, register(many(3)), { now: NOW, force: false });
    const before = await storedValues();
    const result = await importRegister(breaking(2), register(many(3).reverse()), {
      now: LATER,
      force: false,
    });
    expect(result).toMatchObject({ ok: true, written: 0, removed: 0, unchanged: 3 });
    expect(await storedValues()).toEqual(before);
    expect(await listRegisters(env.KV)).toMatchObject([
      { country: "XX", psps: 3, fetchedAt: "2026-11-21T12:01:00.000Z" },
    ]);
  });

  test("of a newer register writes what changed and removes what vanished", async () => {
    await importRegister(env, register(many(20)), { now: NOW, force: false });
    const newer = [...many(18), psp(18, "New Ltd"), psp("A", "Added Ltd")];
    const result = await importRegister(env, register(newer), { now: LATER, force: false });
    expect(result).toMatchObject({ ok: true, psps: 20, written: 2, removed: 1, unchanged: 18 });
    expect([await nameOf(17), await nameOf(18), await nameOf(19), await nameOf("A")]).toEqual([
      ...["Old Ltd", "New Ltd", null, "Added Ltd"],
    ]);
  });

  test("names the numbers that several entries have, in whatever spelling: none of them is found", async () => {
    const entry = (authNumber: string) => ({ ...psp(0, "Twice Ltd"), authNumber });
    const numbers = [
      "PSDXX-TEST-1-0",
      "psdxx-test-10",
      "PSDXX-TEST-11",
      "PSDES-BE-1",
      "PSDES-BDE-1",
      "PSDBE-NBB-0713629988",
    ];
    const result = await importRegister(env, register(numbers.map(entry)), { now: NOW, force: false });
    expect(result).toMatchObject({ ok: true, ambiguous: ["PSDXX-TEST-10", "PSDES-BDE-1"] });
    expect([await nameOf("10"), await nameOf("11")]).toEqual([null, "Twice Ltd"]);
  });

  test("finds a number that is longer than a KV key may be", async () => {
    const long = "字".repeat(200);
    await importRegister(env, register([psp(long, "Long Ltd")]), { now: NOW, force: false });
    expect([await nameOf(long), await nameOf(`${long}1`)]).toEqual(["Long Ltd", null]);
  });

  test("of one source or country leaves the others as they are", async () => {
    const sources: RegisterSource[] = ["nca", "eba"];
    for (const source of sources) await importRegister(env, register(many(1), { source }), { now: NOW, force: false });
    await importRegister(env, register(many(1), { country: "XY" }), { now: NOW, force: false });
    await importRegister(env, register([], { source: "eba" }), { now: NOW, force: true });
    expect([await nameOf(0), await nameOf(0, "XY")]).toEqual(["Old Ltd", "Old Ltd"]);
  });

  test("keeps what is stored of a PSP whose new record is malformed", async () => {
    await importRegister(env, register(many(20)), { now: NOW, force: false });
    // of two categories
    const refused = ["no legal name", "no days"].map((reason) => refusal(19, reason));
    const result = await importRegister(env, register(many(19, "New Ltd"), { refused }), {
      now: LATER,
      force: false,
    });
    expect(result).toMatchObject({ ok: true, psps: 20, written: 20, removed: 0, unchanged: 0 });
    expect([await nameOf(18), await nameOf(19)]).toEqual(["New Ltd", "Old Ltd"]);
    expect(await listRegisters(env.KV)).toMatchObject([{ refused: 1 }]);
  });

  test("whose entry stays says as of when, until its record can be read; wherever an import breaks off", async () => {
    const days = ["2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"].map((day) => `${day}T00:00:00.000Z`);
    const [first = "", second = "", third = "", fourth = ""] = days;
    const refused = [refusal(19, "no days")];
    const eba = (published: string, psps: PspRecord[], more: Partial<Register> = {}) =>
      register(psps, { source: "eba", published, ...more });
    const load = (stores: RegisterStores, one: Register) => importRegister(stores, one, { now: LATER, force: false });
    const asOf = async (number: number) => {
      const { manifests, categories } = await readRegister(env.KV, "XX", `PSDXX-TEST-${number}`, LATER);
      return [categories[0]?.record.legalName, manifests[0]?.published];
    };
    const breaks = async (one: Register) => {
      for (let n = 1; ; n++) {
        // what may have been changed is kept once KV shows it as it is
        vi.spyOn(clock, "now").mockReturnValue(NOW + n * 3 * 60_000);
        const done = await load(breaking(n), one).catch(() => null);
        if (done) return done;
      }
    };
    await load(env, eba(first, many(20)));
    const kept = await breaks(eba(second, many(19, "New Ltd"), { refused }));
    expect(kept).toMatchObject({ ok: true, psps: 20, refused: 1, kept: ["PSDXX-TEST-19"] });
    expect([await asOf(18), await asOf(19)]).toEqual([
      ["New Ltd", second],
      ["Old Ltd", first],
    ]);
    expect(await listRegisters(env.KV)).toMatchObject([{ published: second, refused: 1, kept: ["PSDXX-TEST-19"] }]);
    // still as of the first
    await load(env, eba(third, many(19, "New Ltd"), { refused }));
    expect(await asOf(19)).toEqual(["Old Ltd", first]);
    const home = await readRegister(env.KV, "XX", "PSDXX-TEST-19", LATER);
    const maxAges = { nca: null, "credit-institutions": null, eba: null };
    expect(findStale(home, maxAges, LATER)).toEqual([
      {
        code: "register_stale",
        sentence: `the entry of PSDXX-TEST-19 in the eba register of XX is that published ${first}: its record in a later file cannot be read`,
      },
    ]);
    await load(env, eba(fourth, many(20, "Newer Ltd")));
    expect([await asOf(19), (await listRegisters(env.KV))[0]?.kept]).toEqual([["Newer Ltd", fourth], undefined]);
    expect(findStale(await readRegister(env.KV, "XX", "PSDXX-TEST-19", LATER), maxAges, LATER)).toEqual([]);
  });

  test("finds agents under their own number, and forgets those that vanish", async () => {
    const eba = (agents: Agent[]) => register(many(1), { source: "eba", agents: AgentRoll.of(agents) });
    await importRegister(env, eba([agent("A1"), agent("A2"), agent("A2", "Z")]), { now: NOW, force: false });
    expect([await nameOf("A1"), await nameOf("A2"), await nameOf("A3")]).toEqual(["An agent", "An agent", null]);
    await importRegister(env, eba([agent("A2")]), { now: LATER, force: false });
    expect([await nameOf("A1"), await nameOf("A2")]).toEqual([null, "An agent"]);
  });
});

describe("a register that drops more than a tenth of the PSPs", () => {
  test("is refused and changes nothing, until it is forced", async () => {
    await importRegister(env, register(many(20)), { now: NOW, force: false });
    const before = await storedValues();
    const refusal = { reason: "drops-too-many", country: "XX", source: "nca", stored: 20, dropped: 3 };
    expect(await drop(register(many(17)))).toEqual(refusal);
    expect(await importRegister(env, register(many(17)), { now: LATER, force: false })).toEqual({
      ok: false,
      ...refusal,
    });
    expect(await storedValues()).toEqual(before);
    expect(await importRegister(env, register(many(17)), { now: LATER, force: true })).toMatchObject({ removed: 3 });
  });

  test("is one that drops exactly a tenth no more", async () => {
    await importRegister(env, register(many(20)), { now: NOW, force: false });
    expect(await drop(register(many(18)))).toBeNull();
  });

  test("is one whose records of them are malformed, too", async () => {
    await importRegister(env, register(many(20)), { now: NOW, force: false });
    const refused = many(20).map((_, i) => refusal(i, "no legal name"));
    expect(await drop(register([], { refused }))).toMatchObject({ stored: 20, dropped: 20 });
  });
});

test("an older register is refused also where the newer one's import broke off, whatever was changed of it", async () => {
  const [first, second, third] = ["01", "02", "03"].map((day) => `2026-11-${day}T00:00:00.000Z`);
  const at = (published = "") => register([psp(1, published)], { published });
  const load = (published?: string) =>
    importRegister(env, at(published), { now: NOW, force: false, refuseOlder: true });
  await load(first);
  await expect(importRegister(breaking(2), at(third), { now: NOW, force: false })).rejects.toThrow();
  expect(await load(second)).toEqual({ ok: false, reason: "older", last: third });
  expect(await importRegister(env, at(second), { now: NOW, force: false })).toMatchObject({ ok: true });
  expect([await load(first), await load(second), await load(third)]).toMatchObject([
    { last: second },
    { ok: true },
    { ok: true },
  ]);
});

test("an older register is refused where KV does not show yet the import of a newer one that changed nothing", async () => {
  const load = (stores: RegisterStores, day: number) =>
    importRegister(stores, register(many(1), { published: `2026-11-0${day}T00:00:00.000Z` }), {
      ...{ now: NOW, force: false, refuseOlder: true },
    });
  await load(env, 1);
  const shown = await env.KV.get("register/manifest/XX/nca", "json");
  await load(env, 3);
  const KV = new Proxy(env.KV, {
    get: (kv, name) => {
      const value: unknown = Reflect.get(kv, name, kv);
      if (name === "get")
        return async (key: string, type: "json") => (key.includes("/manifest/") ? shown : await kv.get(key, type));
      return typeof value === "function" ? value.bind(kv) : value;
    },
  });
  expect(await load({ ...env, KV }, 2)).toEqual({ ok: false, reason: "older", last: "2026-11-03T00:00:00.000Z" });
});

describe("an import that breaks off at any write", () => {
  const old = register([...many(20), psp("GONE", "Gone Ltd")]);
  const next = register([...many(18), psp(18, "New Ltd"), psp(19, "New Ltd"), psp("ADDED", "Added Ltd")]);
  const third = register([...many(18), psp(18, "Old Ltd"), psp(19, "Third Ltd")]);
  // pending, three entries, one removal, index, manifest
  const WRITES = 7;

  const afresh = async (last: Register) => {
    await importRegister(env, last, { now: NOW, force: true });
    const values = await storedValues();
    await emptyStores();
    return values;
  };

  test.each([
    ["the same register", next],
    ["another register", third],
    ["the register before", old],
  ])("is finished by the next import, of %s, as if it had never begun", async (_, last) => {
    const expected = await afresh(last);
    for (let n = 1; n <= WRITES; n++) {
      await importRegister(env, old, { now: NOW, force: false });
      const broken = importRegister(breaking(n), next, { now: LATER, force: true, writesAtOnce: 1 });
      await expect(broken, `write ${n}`).rejects.toThrow("the store is gone");
      // each PSP is as one of the two registers says, whole
      for (const [number, names] of [
        ["18", ["Old Ltd", "New Ltd"]],
        ["0", ["Old Ltd"]],
      ] as const) {
        expect(names).toContain(await nameOf(number));
      }
      // and the second attempt may break off too
      await importRegister(breaking(n), last, { now: LATER + 1, force: true, writesAtOnce: 1 }).catch(() => {});
      await importRegister(env, last, { now: LATER + 2, force: true });
      expect(await storedValues(), `write ${n}`).toEqual(expected);
      const again = await importRegister(breaking(2), last, { now: LATER + 3, force: true });
      expect(again, `write ${n}`).toMatchObject({ ok: true, written: 0, removed: 0 });
      await emptyStores();
    }
  });

  test("needs as many writes as this test breaks", async () => {
    await importRegister(env, old, { now: NOW, force: false });
    expect(await importRegister(breaking(WRITES + 1), next, { now: LATER, force: true })).toMatchObject({
      ok: true,
    });
  });
});

describe("an import whose writes are bounded", () => {
  const old = register([...many(20), psp("GONE", "Gone Ltd")]);
  const next = register([...many(10), ...many(20, "New Ltd").slice(10), psp("ADDED", "Added Ltd")]);
  const step = (stores: RegisterStores, maxWrites: number) =>
    importRegister(stores, next, { now: LATER, force: false, maxWrites, writesAtOnce: 1 });
  const publishedOf = async () => (await env.KV.get<{ run: string }>("register/manifest/XX/nca", "json"))?.run;

  test("is done in steps, and only the last one turns the manifest", async () => {
    await importRegister(env, next, { now: NOW, force: false });
    const expected = await storedValues();
    await emptyStores();
    await importRegister(env, old, { now: NOW, force: false });
    const before = await publishedOf();
    const counts: unknown[] = [];
    for (let left = 1; left > 0; ) {
      const result = await step(env, 5);
      if (!result.ok) throw new Error(result.reason);
      counts.push([result.written, result.removed, result.left]);
      left = result.left;
      if (left > 0) expect(await publishedOf()).toBe(before);
    }
    expect(counts).toEqual([
      [5, 0, 7],
      [5, 0, 2],
      [1, 1, 0],
    ]);
    expect(await publishedOf()).not.toBe(before);
    expect(await storedValues()).toEqual(expected);
  });

  test("that breaks off in a step is finished by the next steps as if it had not", async () => {
    await importRegister(env, next, { now: NOW, force: false });
    const expected = await storedValues();
    await emptyStores();
    for (let n = 1; n <= 9; n++) {
      await importRegister(env, old, { now: NOW, force: false });
      await step(env, 5);
      await step(breaking(n), 5).catch(() => {});
      for (let i = 0; i < 4; i++) await step(env, 5);
      expect(await storedValues(), `write ${n}`).toEqual(expected);
      await emptyStores();
    }
  });

  test("ends a short step within the second in which KV takes no other write of what was noted for it", async () => {
    await importRegister(env, old, { now: NOW, force: false });
    expect(await step({ ...env, KV: limitWrites(env.KV) }, 1)).toMatchObject({ ok: true, written: 1, left: 11 });
  });

  test("of no writes at all changes nothing", async () => {
    await importRegister(env, old, { now: NOW, force: false });
    expect(await step(breaking(1), 0)).toMatchObject({ ok: true, written: 0, removed: 0, left: 12 });
  });
});
