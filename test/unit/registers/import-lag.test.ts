/**
 * Imports while KV shows each location what was before, for up to a minute: whatever came in between, in the end each PSP is
 * as the last file says. D1 shows no such thing; here it is SQLite of the process.
 */
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { clock } from "../../../src/platform/clock.ts";
import {
  importRegister,
  importSource,
  type RegisterImportOptions,
} from "../../../src/registers/import/import-register.ts";
import type { RegisterStores } from "../../../src/registers/import/stored-register.ts";
import { readRegister } from "../../../src/registers/lookup.ts";
import { listRegisters } from "../../../src/registers/manifest.ts";
import type { PspRecord } from "../../../src/registers/psp-record.ts";
import { AgentRoll, type RefusedPsp, type Register } from "../../../src/registers/register.ts";
import { breakingAt } from "../../kv-writes.ts";
import { LaggingKv, MOST_LAG_MS } from "../../lagging-kv.ts";
import { asD1, openDatabase } from "../grants/sqlite-database.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;

afterEach(() => void vi.restoreAllMocks());

const openD1 = () => asD1(openDatabase(), async (carryOut) => carryOut());

/** The stores as a location sees them; all time is the KV's. */
function openStores(lag?: (key: string) => number) {
  const kv = new LaggingKv(NOW, lag);
  vi.spyOn(clock, "now").mockImplementation(() => kv.now);
  return { kv, stores: { KV: kv.shown, DB: openD1() } };
}

/** What a file says of a PSP; absent: nothing. */
type Said = "Registered" | "Withdrawn" | "malformed";
type File = Readonly<Record<string, Said>>;

const number = (name: string) => `PSDXX-TEST-${name}`;
const isRead = (said: Said) => said === "Registered" || said === "Withdrawn";
function register(file: File, more: Partial<Register> = {}): Register {
  const said = Object.entries(file);
  return {
    ...{ country: "XX", source: "nca", ncaId: "XX-TEST", ncaName: "XX Authority", published: "2026-11-01T00:00:00Z" },
    agents: new AgentRoll(),
    psps: said.flatMap(([name, status]): PspRecord[] =>
      status === "Registered" || status === "Withdrawn"
        ? [
            {
              ...{ authNumber: number(name), agent: false },
              categories: [{ category: "AISP", legalName: name, status, services: [8], passportOut: {} }],
            },
          ]
        : [],
    ),
    refused: said.flatMap(([name, status]): RefusedPsp[] =>
      isRead(status) ? [] : [{ authNumber: number(name), reason: "malformed", category: "AISP" }],
    ),
    ...more,
  };
}

const statusOf = async (kv: KVNamespace, name: string) =>
  (await readRegister(kv, "XX", number(name), NOW)).categories[0]?.record.status ?? null;

/** Until it is done, as the command and the scheduled steps repeat it. */
async function load(kv: LaggingKv, stores: RegisterStores, file: File, options: Partial<RegisterImportOptions> = {}) {
  const one = register(file);
  for (let attempts = 1; attempts < 50; attempts++) {
    const result = await importRegister(stores, one, { now: kv.now, force: true, ...options });
    if (result.ok && result.left === 0) return { ...result, attempts };
    if (!result.ok && result.reason !== "unsettled") throw new Error(result.reason);
    kv.now += 20_000;
  }
  throw new Error("it is never settled");
}

describe("a file within a minute of another, where KV shows what was before both", () => {
  test.each<[string, File, File, File, [string, Said | null]]>([
    [
      "lacks a PSP that only the other had",
      { A: "Registered" },
      { A: "Registered", B: "Registered" },
      { A: "Withdrawn" },
      ["B", null],
    ],
    [
      "takes back what the other said of a PSP",
      { A: "Withdrawn" },
      { A: "Registered" },
      { A: "Withdrawn", C: "Registered" },
      ["A", "Withdrawn"],
    ],
    [
      "gives back what the other withdrew",
      { A: "Registered" },
      { A: "Withdrawn" },
      { A: "Registered", C: "Registered" },
      ["A", "Registered"],
    ],
    [
      "cannot be read where the other withdrew",
      { A: "Registered" },
      { A: "Withdrawn" },
      { A: "malformed" },
      ["A", "Withdrawn"],
    ],
    [
      "cannot be read where the other is the first to have the PSP",
      {},
      { A: "Registered" },
      { A: "malformed" },
      ["A", "Registered"],
    ],
  ])("%s: it waits, and is what counts", async (_, before, other, last, [name, expected]) => {
    const { kv, stores } = openStores();
    await load(kv, stores, before);
    kv.now += HOUR;
    await load(kv, stores, other);
    kv.now += 1_000;
    const waits = await importRegister(stores, register(last), { now: kv.now, force: true });
    expect(waits).toEqual({ ok: false, reason: "unsettled", country: "XX", source: "nca", until: kv.now + 179_000 });
    await load(kv, stores, last);
    expect(await statusOf(kv.settled, name)).toBe(expected);
  });

  test("waits no longer than KV lags, and not at all where KV shows all", async () => {
    const { kv, stores } = openStores();
    await load(kv, stores, { A: "Registered" });
    const began = kv.now;
    expect(await load(kv, stores, { B: "Registered" })).toMatchObject({ attempts: 4 });
    expect(kv.now - began).toBe(MOST_LAG_MS);
    kv.lag = () => 0;
    expect(await load(kv, stores, { C: "Registered" })).toMatchObject({ attempts: 1, written: 1, removed: 1 });
  });
});

describe("what KV holds and D1 knows nothing of", () => {
  test("an entry that an earlier release left behind goes with the next import, of the same file too", async () => {
    const { kv, stores } = openStores(() => 0);
    await load(kv, stores, { A: "Registered", B: "Registered" });
    const key = "register/XX/nca/index";
    const { "psp/PSDXXTESTB": _, ...index } = (await kv.settled.get<Record<string, string>>(key, "json")) ?? {};
    await kv.settled.put(key, JSON.stringify(index));
    expect(await load(kv, { ...stores, DB: openD1() }, { A: "Registered" })).toMatchObject({
      ...{ written: 1, removed: 1 },
    });
    expect([await statusOf(kv.settled, "A"), await statusOf(kv.settled, "B")]).toEqual(["Registered", null]);
  });

  test("a register that KV has lost is written again, once it cannot be KV that lags", async () => {
    const { kv, stores } = openStores(() => 0);
    await load(kv, stores, { A: "Registered" });
    for (const { name } of (await kv.settled.list()).keys) await kv.settled.delete(name);
    expect(await load(kv, stores, { A: "Registered" })).toMatchObject({ attempts: 10, written: 1 });
    expect(await statusOf(kv.settled, "A")).toBe("Registered");
  });
});

test("a country that only the file of a moment ago had is not overlooked", async () => {
  const { kv, stores } = openStores();
  const file = (...countries: string[]) => ({
    registers: {
      source: "eba" as const,
      *registers(published: string) {
        for (const country of countries) yield register({ A: "Registered" }, { country, source: "eba", published });
      },
    },
    published: "2026-11-21T08:00:00.000Z",
  });
  const options = { now: kv.now, force: true };
  await importSource(stores, file("FI", "SE"), options);
  expect(await importSource(stores, file("FI"), options)).toMatchObject({
    ok: false,
    reason: "unsettled",
    country: "SE",
  });
  kv.now += MOST_LAG_MS;
  expect(await importSource(stores, file("FI"), options)).toMatchObject({ ok: true });
  expect(await listRegisters(kv.settled)).toMatchObject([
    { country: "FI", psps: 1 },
    { country: "SE", psps: 0 },
  ]);
});

const NAMES = ["A", "B", "C", "D"];
const file = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom<Said[]>("Registered", "Withdrawn", "malformed"));
const anImport = fc.record({
  file,
  /** Writes of a step, and the write at which it breaks off, if it does. */
  maxWrites: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
  breaksAt: fc.option(fc.integer({ min: 1, max: 8 }), { freq: 2 }),
  /** Seconds until the next. */
  pause: fc.constantFrom(0, 1, 20, 45, 61, 200),
});

test("files in any order, steps and faults: at each moment a PSP is as a file says, and in the end as the last one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anImport, { minLength: 2, maxLength: 7 }), fc.integer(), async (imports, seed) => {
      const { kv, stores } = openStores(lagsFrom(seed));
      /** Of each PSP: what the last file that was loaded whole says, and any that broke off since. */
      let may = new Map<string, Set<Said | null>>(NAMES.map((name) => [name, new Set([null])]));
      for (const { file, maxWrites, breaksAt, pause } of imports) {
        const after = new Map(NAMES.map((name) => [name, outcomes(file[name], may.get(name) ?? new Set())]));
        const store = breaksAt === null ? stores : { ...stores, KV: breakingAt(stores.KV, breaksAt) };
        const options = { maxWrites, writesAtOnce: 1 };
        const done = await load(kv, store, file, options).catch((error: Error) => error.message);
        if (typeof done === "string") expect(done).toBe("the store is gone");
        may = typeof done === "string" ? union(may, after) : after;
        for (const name of NAMES) expect(may.get(name)).toContain(await statusOf(kv.settled, name));
        kv.now += pause * 1000;
      }
    }),
    { numRuns: 100 },
  );
});

/** Another for each reading, none of them longer than KV's. */
function lagsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return Math.floor((state / 2 ** 31) * (MOST_LAG_MS + 1));
  };
}

/** What may be stored of a PSP once the file is loaded. */
function outcomes(said: Said | undefined, before: ReadonlySet<Said | null>): Set<Said | null> {
  if (said === "malformed") return new Set(before);
  return new Set([said ?? null]);
}

const union = (a: ReadonlyMap<string, Set<Said | null>>, b: ReadonlyMap<string, Set<Said | null>>) =>
  new Map([...a].map(([name, one]) => [name, new Set([...one, ...(b.get(name) ?? [])])]));
