import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test } from "vitest";
import { findEntitlementRefusals } from "../../../src/registers/entitlement.ts";
import { EbaRegisters } from "../../../src/registers/import/eba-registers.ts";
import { importSource } from "../../../src/registers/import/import-register.ts";
import { readRegister } from "../../../src/registers/lookup.ts";
import { listRegisters } from "../../../src/registers/manifest.ts";
import { emptyStores } from "./empty-stores.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const PUBLISHED = "2026-11-21T08:00:00.000Z";

afterEach(emptyStores);

const record = (owner: string, type: string, reference: number, name: string) => ({
  ...{ CA_OwnerID: owner, EntityCode: `${owner}!${reference}`, EntityType: type, Services: [] },
  Properties: [{ ENT_NAM: name }, { ENT_AUT: ["2019-01-01"] }, { ENT_NAT_REF_COD: String(reference) }],
  __EBA_EntityVersion: "20260814223344848",
});

/** Of the PSP that a test is about. */
const REFERENCE = { ENT_NAT_REF_COD: "99" };

/** So many institutions of each NCA, and an agent beside them. */
function file(counts: Record<string, number>, name = "Old") {
  const registers = new EbaRegisters();
  for (const [owner, count] of Object.entries(counts)) {
    for (let i = 0; i < count; i++) registers.add(record(owner, "PSD_PI", i, name));
    registers.add(record(owner, "PSD_AG", 1000, name));
  }
  return { registers, published: PUBLISHED };
}

async function nameOf(authNumber: string): Promise<string | null> {
  const { categories } = await readRegister(env.KV, authNumber.slice(3, 5), authNumber, NOW);
  return categories[0]?.record.legalName ?? null;
}

const options = { now: NOW, force: false };

/** The store, noting what the method is asked for. */
const asking = <Store extends object>(store: Store, method: string, asked: unknown[]): Store =>
  new Proxy(store, {
    get(target, property) {
      const value = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (property === method) asked.push(args[0]);
        return Reflect.apply(value, target, args);
      };
    },
  });

describe("an import of the EBA's file", () => {
  test("brings the register of every country, agents too", async () => {
    const result = await importSource(env, file({ IT_BI: 20, ES_BE: 20 }), options);
    expect(result).toMatchObject({
      ok: true,
      countries: [{ country: "ES" }, { country: "IT", psps: 20, written: 21 }],
    });
    expect([await nameOf("PSDIT-BI-7"), await nameOf("PSDES-BE-1000"), await nameOf("PSDIT-BI-20")]).toEqual([
      ...["Old", "Old", null],
    ]);
    const [spain] = await listRegisters(env.KV);
    expect(spain).toMatchObject({
      ncaId: "ES-BE",
      ncaName: "Bank of Spain",
      published: PUBLISHED,
      psps: 20,
      agents: 1,
    });
  });

  test("that drops too many of one country changes no country", async () => {
    await importSource(env, file({ IT_BI: 20, ES_BE: 20 }), options);
    const refused = await importSource(env, file({ IT_BI: 20, ES_BE: 17 }, "New"), options);
    expect(refused).toEqual({
      ok: false,
      reason: "drops-too-many",
      drops: [{ reason: "drops-too-many", country: "ES", source: "eba", stored: 20, dropped: 3 }],
    });
    expect([await nameOf("PSDIT-BI-7"), await nameOf("PSDES-BE-7")]).toEqual(["Old", "Old"]);
    expect(await importSource(env, file({ IT_BI: 20, ES_BE: 17 }, "New"), { ...options, force: true })).toMatchObject({
      ok: true,
    });
    expect([await nameOf("PSDIT-BI-7"), await nameOf("PSDES-BE-19")]).toEqual(["New", null]);
  });

  test("that lacks a country altogether is stopped, too, and empties it when forced", async () => {
    await importSource(env, file({ IT_BI: 2, ES_BE: 2 }), options);
    const refused = await importSource(env, file({ IT_BI: 2 }), options);
    expect(refused).toMatchObject({ ok: false, drops: [{ country: "ES", stored: 2, dropped: 2 }] });
    await importSource(env, file({ IT_BI: 2 }), { ...options, force: true });
    expect([await nameOf("PSDES-BE-1"), await nameOf("PSDES-BE-1000")]).toEqual([null, null]);
  });

  test("of a PSP with two records takes the one that can be read, also where the other cannot and stays as before", async () => {
    const named = { ENT_NAM: "Two" };
    const load = async (pi: object[], aisp: object[], version = "20260814223344848") => {
      const { registers } = file({ IT_BI: 20 });
      for (const [type, properties] of [
        ["PSD_PI", pi],
        ["PSD_AISP", aisp],
      ] as const)
        registers.add({
          ...record("IT_BI", type, 99, ""),
          Properties: [...properties, REFERENCE],
          __EBA_EntityVersion: version,
        });
      return await importSource(env, { registers, published: PUBLISHED }, options);
    };
    await load([named, { ENT_AUT: ["2019-01-01"] }], [named, { ENT_AUT: ["2020-01-01"] }]);
    const withdrawn = ["2019-01-01", "2026-11-20"];
    await load([named, { ENT_AUT: withdrawn }], [{ ENT_AUT: ["2020-01-01"] }]);
    const { categories } = await readRegister(env.KV, "IT", "PSDIT-BI-99", NOW);
    expect(categories.map(({ psp, record: { category, status } }) => [category, status, psp.asOf])).toEqual([
      ["Payment Institution", withdrawn, PUBLISHED],
      ["AISP", ["2020-01-01"], PUBLISHED],
    ]);
  });

  /** A PSP with the records, beside twenty others; what is then said of it, as [category, days]. */
  const TYPES = { pi: "PSD_PI", emi: "PSD_EMI", aisp: "PSD_AISP" };
  async function loadOne(records: Partial<Record<keyof typeof TYPES, object>>) {
    const { registers } = file({ IT_BI: 20 });
    for (const [type, more] of Object.entries(records))
      registers.add({
        ...record("IT_BI", TYPES[type as keyof typeof TYPES], 99, "One"),
        Services: [{ IT: "PS_080" }],
        ...more,
      });
    const result = await importSource(env, { registers, published: PUBLISHED }, options);
    const home = await readRegister(env.KV, "IT", "PSDIT-BI-99", NOW);
    const said = home.categories.map(({ record: { category, status } }) => [category, status]);
    return { counts: result.ok && result.countries[0], home, said };
  }
  const days = (...all: string[]) => ({ Properties: [{ ENT_NAM: "One" }, { ENT_AUT: all }, REFERENCE] });
  const OPEN = days("2019-01-01");
  const MALFORMED = { Properties: [{ ENT_AUT: "2019-01-01" }, REFERENCE] };

  test("of a category that was withdrawn, it cannot be read when, says no: the PSP's others count, and its number is told", async () => {
    await loadOne({ pi: OPEN, emi: OPEN });
    const number = "PSDIT-BI-99";
    const { counts, home, said } = await loadOne({ pi: days("2019-01-01", "20.11.2026"), emi: OPEN });
    expect(said).toEqual([
      ["Payment Institution", null],
      ["E-Money Institution", ["2019-01-01"]],
    ]);
    expect(findEntitlementRefusals(home, "accounts", null, NOW)).toEqual([]);
    expect(counts).toMatchObject({ refused: 0, kept: [], leftOut: [], undated: [number] });
    expect((await listRegisters(env.KV))[0]).toMatchObject({ undated: [number] });
    const alone = await loadOne({ pi: days("2019-01-01", "20.11.2026") });
    expect(findEntitlementRefusals(alone.home, "accounts", null, NOW)).toEqual(["status_not_documented"]);
    await loadOne({ pi: OPEN });
    expect((await listRegisters(env.KV))[0]).not.toHaveProperty("undated");
  });

  test("of a PSP with a malformed record keeps that category alone: others are as the file says, new or gone", async () => {
    await loadOne({ pi: OPEN, emi: OPEN });
    const { counts, said } = await loadOne({ pi: MALFORMED, aisp: OPEN });
    expect(said).toEqual([
      ["AISP", ["2019-01-01"]],
      ["Payment Institution", ["2019-01-01"]],
    ]);
    expect(counts).toMatchObject({ refused: 1, kept: ["PSDIT-BI-99"], leftOut: [] });
  });

  test("of a PSP of which nothing stored is left and nothing can be read tells that it is left out", async () => {
    await loadOne({ emi: OPEN });
    const { counts, said } = await loadOne({ pi: MALFORMED });
    expect(said).toEqual([]);
    expect(counts).toMatchObject({ refused: 1, kept: [], leftOut: ["PSDIT-BI-99"] });
  });

  test.each([false, true])("asks once for each country's index, and D1 once for all; forced: %s", async (force) => {
    await importSource(env, file({ IT_BI: 2, ES_BE: 2 }), options);
    const asked: unknown[] = [];
    // a batch is one round trip
    const batches: unknown[] = [];
    const DB = asking(asking(env.DB, "prepare", asked), "batch", batches);
    const stores = { KV: asking(env.KV, "getWithMetadata", asked), DB };
    await importSource(stores, file({ IT_BI: 2, ES_BE: 2 }, "New"), { ...options, force });
    const reads = asked.map(String).filter((what) => !what.trimStart().startsWith("INSERT"));
    expect(reads.sort()).toEqual([
      ...["numbers", "imports"].map((table) => expect.stringMatching(`^SELECT .* FROM register_${table}`)),
      ...["ES", "IT"].map((country) => `register/${country}/eba/index`),
    ]);
    expect(batches).toHaveLength(1);
  });

  test("tells which country is done", async () => {
    const done: string[] = [];
    const onCountry = (count: number, of: number) => done.push(`${count}/${of}`);
    await importSource(env, file({ IT_BI: 1, ES_BE: 1 }), { ...options, onCountry });
    expect(done).toEqual(["1/2", "2/2"]);
  });
});
