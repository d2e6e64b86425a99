/** The PSPs that an institution has met: what is noted of them, what it costs to read, and what the institution is told. */

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import type { WrittenEvent } from "../../../src/events/event.ts";
import { describeEvent } from "../../../src/events/event.ts";
import { listEvents } from "../../../src/events/event-log.ts";
import { findNewestGrants } from "../../../src/events/interest.ts";
import { findMetPsps, listMetPsps, searchMetPsps } from "../../../src/events/met-list.ts";
import { tellOfMetPsps } from "../../../src/events/met-news.ts";
import { listParts, noteMetPsp, restandMetPsp, type Sight } from "../../../src/events/met-psps.ts";
import { call, endBackground } from "../bank.ts";
import { countTag } from "../costs/billed-bindings.ts";
import { idOf } from "../evidence/ledger/records.ts";
import { insertTwoFis } from "../grants/financial-institutions.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../sandbox.ts";
import { checkForm, DAY } from "./changing-world.ts";

const NOW = Date.UTC(2026, 10, 22);
const HOUR = 3_600_000;
const SIGHT: Sight = {
  ...{ pspId: "PSDXX-TEST-000001", name: "Amber Pay", standing: "authorised" },
  ...{ certificate: "aa".repeat(32), found: "accepted", notAfter: NOW + 400 * DAY },
};

let one: number;
let two: number;
beforeAll(async () => {
  await loadSandbox();
  [one, two] = await insertTwoFis();
});

let numbers = 0;
/** Notes sights of a PSP that is new, so many hours after the first; returns what is known of it then. */
async function meet(...sights: (Partial<Sight> & { readonly at?: number })[]) {
  const pspId = `PSDXX-MADE-${numbers++}`;
  for (const { at = 0, ...sight } of sights)
    await noteMetPsp(env.DB, one, { ...SIGHT, ...sight, pspId }, NOW + at * HOUR);
  const [met] = await findMetPsps(env.DB, one, [pspId]);
  if (!met) expect.fail();
  return met;
}

const [LATER, SOONER] = [NOW + 500 * DAY, NOW + 300 * DAY];
const bb = "bb".repeat(32);
test.each([
  ["a second sight within the hour changes nothing", [{}, { at: 0.5 }], { seenAt: NOW }],
  ["an hour later it was seen again", [{}, { at: 1 }], { firstSeenAt: NOW, seenAt: NOW + HOUR }],
  [
    "one that was held up on its way undoes no later one",
    [
      { at: 2, name: "New" },
      { at: 1, name: "Old" },
    ],
    { name: "New" },
  ],
  ["its name is the last one", [{}, { name: "Amber Bank" }], { name: "Amber Bank" }],
  ["a certificate without a name takes none away", [{}, { name: null, at: 1 }], { name: "Amber Pay" }],
  ["it loses its authorisation", [{}, { standing: "lost", at: 0.1 }], { standing: "lost", lostAt: NOW + HOUR / 10 }],
  ["since when stays", [{ standing: "lost" }, { standing: "lost", at: 9 }], { lostAt: NOW, seenAt: NOW + 9 * HOUR }],
  ["one that leaves the register has lost it, too", [{}, { standing: "absent", at: 0.1 }], { standing: "lost" }],
  ["one that never was in it has lost nothing", [{ standing: "absent" }], { standing: "absent", lostAt: null }],
  ["it is authorised again", [{ standing: "lost" }, { at: 0.1 }], { standing: "authorised", lostAt: null }],
  [
    "a register that is away says nothing",
    [{ standing: "lost" }, { standing: "unknown", at: 2 }],
    { standing: "lost" },
  ],
  [
    "of its certificates the one that ends last counts",
    [{}, { certificate: bb, notAfter: SOONER, at: 2 }],
    { notAfter: SIGHT.notAfter },
  ],
  [
    "a new one counts at once",
    [{}, { certificate: bb, notAfter: LATER, at: 0.1 }],
    { certificate: bb, notAfter: LATER },
  ],
  [
    "not one that was not accepted",
    [{}, { certificate: bb, notAfter: LATER, found: "other", at: 2 }],
    { notAfter: SIGHT.notAfter },
  ],
  ["nor the noted one, once it is revoked", [{}, { found: "revoked", at: 0.1 }], { certificate: null, notAfter: null }],
  [
    "the revocation of another one changes nothing",
    [{}, { certificate: bb, found: "revoked", at: 2 }],
    { notAfter: SIGHT.notAfter },
  ],
] as const)("%s", async (_, sights, known) => {
  expect(await meet(...sights)).toMatchObject(known);
});

test("a sweep notes what the register says, and is no sight", async () => {
  const { pspId } = await meet({});
  const register = (status: string) => ({
    ambiguous: false,
    categories: [{ category: "Payment Institution", status, payment_services: [], passports: {} }],
  });
  await restandMetPsp(env.DB, one, pspId, register("Withdrawn"), NOW + DAY).run();
  expect(await findMetPsps(env.DB, one, [pspId])).toMatchObject([{ standing: "lost", lostAt: NOW + DAY, seenAt: NOW }]);
  await restandMetPsp(env.DB, one, pspId, register("Authorised"), NOW + 2 * DAY).run();
  expect(await findMetPsps(env.DB, one, [pspId])).toMatchObject([{ standing: "authorised", lostAt: null }]);
});

describe("a check", () => {
  const metBy = async (reference?: string) => {
    await endBackground();
    const { psps } = await listMetPsps(env.DB, await idOf(reference), "all", null, 25, Date.now());
    return psps.map(({ pspId }) => pspId);
  };
  const check = (name: string, headers = {}) =>
    call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader(name), ...headers } });

  test("notes whom the institution has met, and no other institution", async () => {
    await check("scenario-1");
    // refused, and it is a PSP nevertheless
    await check("scenario-5");
    // many at once
    const checks = [{ eIDAS: eidasHeader("scenario-3"), jurisdictions: ["XX"] }];
    await call("POST", "/v1/psp/checks", { body: { checks } });
    // whatever number it says
    await check("unlisted-qtsp");
    expect((await metBy()).sort()).toEqual([1, 3, 5].map((n) => `PSDXX-TEST-00000${n}`));
    expect(await metBy(OTHER_FI.fi_reference_id)).toEqual([]);
    const [revoked, amber] = (await findMetPsps(env.DB, await idOf(), ["PSDXX-TEST-000005", "PSDXX-TEST-000001"])).sort(
      (a, b) => (a.pspId < b.pspId ? 1 : -1),
    );
    expect(revoked).toMatchObject({ certificate: null, notAfter: null });
    expect(amber).toMatchObject({ standing: "authorised", certificate: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  test("of one that was noted writes nothing", async () => {
    await env.DB.prepare("DELETE FROM met_psps WHERE fi_id = ?1")
      .bind(await idOf())
      .run();
    await check("scenario-1");
    expect(await metBy()).toEqual([]);
    await check("scenario-1", OTHER_FI);
    expect(await metBy(OTHER_FI.fi_reference_id)).toEqual(["PSDXX-TEST-000001"]);
  });
});

describe("an institution is told", () => {
  const read = new Map<number, number>();
  const tellUntil = async (now: number, fiId = two): Promise<WrittenEvent[]> => {
    while ((await tellOfMetPsps(env.DB, now)) > 0);
    const events = await listEvents(env.DB, fiId, read.get(fiId) ?? 0, 1_000);
    read.set(fiId, events.at(-1)?.seq ?? read.get(fiId) ?? 0);
    return checkForm(events.map(describeEvent));
  };
  const show = (sight: Partial<Sight>, now: number) => noteMetPsp(env.DB, two, { ...SIGHT, ...sight }, now);
  const typesOf = (events: readonly WrittenEvent[]) =>
    events.map(({ type, data }) => [type, (data.after as { days?: number }).days]);

  test("of a PSP's first sight once, and that a certificate ends soon 30, 7 and 1 days before, each once", async () => {
    const notAfter = NOW + 100 * DAY;
    await show({ notAfter }, NOW);
    const [first, ...more] = await tellUntil(NOW);
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      ...{ type: "psp.first_seen" },
      data: { psp_id: SIGHT.pspId, before: null, after: { name: "Amber Pay", standing: "authorised" } },
    });
    const told = [];
    for (let hours = 0; hours <= 101 * 24; hours += 6) {
      const now = NOW + hours * HOUR;
      // it goes on to be seen
      if (hours % 24 === 0) await show({ notAfter }, now);
      for (const event of await tellUntil(now)) told.push([hours / 24, ...(typesOf([event])[0] ?? [])]);
    }
    expect(told).toEqual([
      [70, "psp.certificate_ends_soon", 30],
      [93, "psp.certificate_ends_soon", 7],
      [99, "psp.certificate_ends_soon", 1],
    ]);
  });

  test.each([
    [
      "at the first sight, if the end is near",
      { notAfter: NOW + 5 * DAY },
      0,
      [["psp.first_seen"], ["psp.certificate_ends_soon", 7]],
    ],
    ["by a late run once", { notAfter: NOW + 100 * DAY }, 95, [["psp.first_seen"], ["psp.certificate_ends_soon", 7]]],
    ["of no certificate that has ended", { notAfter: NOW + 10 * DAY }, 11, [["psp.first_seen"]]],
    ["of none that was not accepted", { notAfter: NOW + 5 * DAY, found: "other" }, 1, [["psp.first_seen"]]],
  ] as const)("%s", async (_, sight, days, told) => {
    await show({ ...sight, pspId: `PSDXX-TOLD-${numbers++}` }, NOW);
    expect(typesOf(await tellUntil(NOW + days * DAY)).map((each) => each.filter((one) => one !== undefined))).toEqual(
      told,
    );
  });

  test("nothing of a certificate, once the PSP has shown one that ends later", async () => {
    const pspId = `PSDXX-TOLD-${numbers++}`;
    await show({ pspId, notAfter: NOW + 40 * DAY }, NOW);
    await tellUntil(NOW);
    await show({ pspId, certificate: bb, notAfter: NOW + 400 * DAY }, NOW + 5 * DAY);
    expect(await tellUntil(NOW + 39 * DAY)).toEqual([]);
    expect(typesOf(await tellUntil(NOW + 371 * DAY))).toEqual([["psp.certificate_ends_soon", 30]]);
  });
});

test("parts: from each character of name and number, without case and accents", () => {
  expect(listParts("PSDXX-A-1", "Île")).toEqual(["psdxx a 1", "sdxx a 1", "dxx a 1", "xx a 1", "x a 1", "a 1", "ile"]);
  expect(Math.max(...listParts("PSDXX-A-1", "x".repeat(500)).map(({ length }) => length))).toBe(16);
});

test("PSPs are found by three characters of a name or number, by the institution that met them", async () => {
  const pspId = "PSDXX-FOUND-4711";
  await noteMetPsp(env.DB, one, { ...SIGHT, pspId, name: "Société Zêta Paiements" }, NOW);
  const find = async (sought: string, fiId = one) =>
    (await searchMetPsps(env.DB, fiId, sought, null, 25))?.psps.map((psp) => psp.pspId) ?? null;
  for (const sought of ["zet", "ÊTA P", "societe zeta paiements", "711", "psdxx-found-4711"])
    expect([sought, await find(sought)]).toEqual([sought, [pspId]]);
  for (const sought of ["zetta", "societe zeta paiement sa"]) expect(await find(sought)).toEqual([]);
  expect(await find("zet", two)).toEqual([]);
  expect(await find("z-")).toBeNull();
});

describe("of 100,000 PSPs", () => {
  const [PSPS, SOON] = [100_000, 10 * DAY];
  let fiId: number;
  beforeAll(async () => {
    [fiId] = await insertTwoFis();
    const all = "WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers LIMIT ?2)";
    const number = "'PSDXX-MANY-' || printf('%06d', n)";
    await env.DB.prepare(
      `${all} INSERT INTO met_psps
         (fi_id, psp_id, name, first_seen_at, seen_at, standing, lost_at, certificate, not_after, announced)
       SELECT ?1, ${number}, 'Paying company ' || n, ?3, ?3 + n, iif(n % 2, 'lost', 'authorised'),
         iif(n % 2, ?3 + n, NULL), 'cc', ?3 + n * 60000, 1 FROM numbers`.replace(
        /^(.*?) INSERT(.*?)SELECT/s,
        "INSERT$2$1 SELECT",
      ),
    )
      .bind(fiId, PSPS, NOW)
      .run();
    await env.DB.prepare(
      `INSERT INTO met_psp_names (fi_id, part, psp_id) ${all} SELECT ?1, 'paying company', ${number} FROM numbers`,
    )
      .bind(fiId, PSPS)
      .run();
    await env.DB.prepare(
      `INSERT INTO psp_watches (fi_id, psp_id, created_at) ${all} SELECT ?1, ${number}, 0 FROM numbers`,
    )
      .bind(fiId, 10_000)
      .run();
    await env.DB.prepare(
      `INSERT INTO core_permissions
         (id, fi_id, psp_id, account_id, scope, granted_at, last_token_at, valid_until, ends_at)
       ${all} SELECT 'p' || n, ?1, 'PSDXX-MANY-000000', 'a' || n, 'accounts', 0, 0, 9e12, 9e12 FROM numbers`,
    )
      .bind(fiId, 10_000)
      .run();
  });

  test.each(["all", "lost", "ending", "watched", "byNumber"] as const)(
    "two pages of the list read few rows: %s",
    async (filter) => {
      let last: Awaited<ReturnType<typeof listMetPsps>> | null = null;
      const seen = new Set<string>();
      for (let page = 0; page < 2; page++) {
        const { d1RowsRead } = await countTag(env, async (db) => {
          last = await listMetPsps(db, fiId, filter, last?.next ?? null, 25, NOW + SOON);
        });
        const listed: readonly { readonly pspId: string }[] =
          (last as Awaited<ReturnType<typeof listMetPsps>> | null)?.psps ?? [];
        expect(listed).toHaveLength(25);
        for (const { pspId } of listed) seen.add(pspId);
        expect(d1RowsRead).toBeLessThanOrEqual(60);
      }
      expect(seen.size).toBe(50);
    },
  );

  test("so does a search, and what the page of one PSP asks", async () => {
    const found = await countTag(env, async (db) => {
      const page = await searchMetPsps(db, fiId, "PÁY", null, 25);
      expect([page?.psps.length, page?.next]).toEqual([25, { place: "paying company", pspId: "PSDXX-MANY-000024" }]);
    });
    const ofOne = await countTag(env, async (db) => {
      await findMetPsps(db, fiId, ["PSDXX-MANY-000000"]);
      expect(await findNewestGrants(db, fiId, "PSDXX-MANY-000000", 10, NOW)).toEqual({
        tokens: 10,
        consents: 0,
        more: true,
      });
    });
    expect(Math.max(found.d1RowsRead, ofOne.d1RowsRead)).toBeLessThanOrEqual(60);
  });
});

test("whom an institution knew before the migration is not announced; whom it only watches is not met yet", async () => {
  const { queries } = env.TEST_MIGRATIONS.find(({ name }) => name.startsWith("0007")) ?? expect.fail();
  const seed = queries.find((query) => query.includes("INSERT INTO met_psps")) ?? expect.fail();
  const [fiId] = await insertTwoFis();
  const know = env.DB.prepare(
    "INSERT INTO psp_standings (fi_id, psp_id, digest, standing, seen_at) VALUES (?1, ?2, 'd', '{}', 1)",
  );
  await env.DB.batch([
    know.bind(fiId, "PSDXX-KNOWN-1"),
    know.bind(fiId, "PSDXX-WATCHED-1"),
    env.DB.prepare("INSERT INTO psp_watches (fi_id, psp_id, created_at) VALUES (?1, 'PSDXX-WATCHED-1', 1)").bind(fiId),
    env.DB.prepare("DELETE FROM met_psps"),
    env.DB.prepare(seed),
  ]);
  for (const pspId of ["PSDXX-KNOWN-1", "PSDXX-WATCHED-1"]) await noteMetPsp(env.DB, fiId, { ...SIGHT, pspId }, NOW);
  while ((await tellOfMetPsps(env.DB, NOW)) > 0);
  const told = (await listEvents(env.DB, fiId, 0, 10)).map(describeEvent);
  expect(told.map(({ type, data }) => [type, data.psp_id])).toEqual([["psp.first_seen", "PSDXX-WATCHED-1"]]);
});
