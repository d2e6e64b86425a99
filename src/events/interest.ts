/**
 * In which PSPs an institution has an interest: those that it watches, and those that have live tokens or consents
 * there. Permissions stand for tokens (src/grants/permission-list.ts), so the table of tokens is not asked.
 */

import type { Placed } from "../institutions/databases.ts";
import type { Instant } from "../platform/instant.ts";
import { callStore } from "../platform/stores.ts";

/**
 * Of the newest permissions of a PSP at an institution that are looked at for a count. A PSP may have millions of ended
 * ones there. Where there are more, an older one may be alive: then the institution counts as interested.
 */
const COUNTED_PERMISSIONS = 5_000;

/** The next PSP after one, whichever table has it: one seek in each, however many rows a PSP has there. */
const nextPsp = (after: string): string => `(
  SELECT min(psp_id) FROM (
    SELECT min(psp_id) AS psp_id FROM psp_watches
      WHERE fi_id = ?1 AND psp_id > ${after} AND ended_at IS NULL
    UNION ALL SELECT min(psp_id) FROM psp_standings WHERE fi_id = ?1 AND psp_id > ${after}
    UNION ALL SELECT min(psp_id) FROM core_permissions WHERE fi_id = ?1 AND psp_id > ${after}
    UNION ALL SELECT min(psp_id) FROM account_access_consents
      WHERE fi_id = ?1 AND psp_id > ${after} AND account_id IS NOT NULL
    UNION ALL SELECT min(psp_id) FROM payment_order_consents WHERE fi_id = ?1 AND psp_id > ${after}
  ))`;

const newest = (table: string, where = "", limit: number | string = COUNTED_PERMISSIONS): string => `(
  SELECT account_id, ends_at FROM ${table} WHERE fi_id = ?1 AND psp_id = ?2 ${where}
  ORDER BY id DESC LIMIT ${limit})`;

// left to itself SQLite would walk through all consents of the institution
const hasMore = (table: string, where = ""): string => `EXISTS (
  SELECT 1 FROM ${table} INDEXED BY ${table}_by_psp WHERE fi_id = ?1 AND psp_id = ?2 ${where}
  LIMIT 1 OFFSET ${COUNTED_PERMISSIONS})`;

const AUTHORISED = "AND account_id IS NOT NULL";

const countNewest = (table: string, where = ""): string => `
  SELECT count(*) AS counted,
    coalesce(sum(account_id IS NOT NULL AND (ends_at IS NULL OR ends_at > ?3)), 0) AS live
  FROM ${newest(table, where, "?4")}`;

export const INTEREST_STATEMENTS = {
  page: `
    WITH RECURSIVE interest (psp_id) AS (
      SELECT ${nextPsp("?2")}
      UNION ALL
      SELECT ${nextPsp("interest.psp_id")} FROM interest WHERE interest.psp_id IS NOT NULL
      LIMIT ?3
    )
    SELECT interest.psp_id AS pspId, standing.digest, standing.standing
    FROM interest LEFT JOIN psp_standings AS standing ON standing.fi_id = ?1 AND standing.psp_id = interest.psp_id
    WHERE interest.psp_id IS NOT NULL`,
  grants: `
    SELECT
      EXISTS (SELECT 1 FROM psp_watches WHERE fi_id = ?1 AND psp_id = ?2 AND ended_at IS NULL)
        OR ${hasMore("core_permissions")} OR ${hasMore("account_access_consents", AUTHORISED)}
        OR ${hasMore("payment_order_consents")} AS interested,
      (SELECT count(*) FROM ${newest("core_permissions")} WHERE ends_at > ?3) AS tokens,
      (SELECT count(*) FROM ${newest("account_access_consents", AUTHORISED)}
        WHERE ends_at IS NULL OR ends_at > ?3)
      + (SELECT count(*) FROM ${newest("payment_order_consents")}
        WHERE account_id IS NOT NULL AND (ends_at IS NULL OR ends_at > ?3)) AS consents`,
  newestTokens: countNewest("core_permissions"),
  newestConsents: countNewest("account_access_consents", AUTHORISED),
  newestOrders: countNewest("payment_order_consents"),
  ofCountry: "SELECT 1 AS some FROM psp_standings WHERE fi_id = ?1 AND psp_id > ?2 AND psp_id < ?3 LIMIT 1",
} as const;

/** A PSP of interest, and what the institution knows of it; nulls if nothing yet. */
export interface Interest {
  readonly pspId: string;
  readonly digest: string | null;
  /** JSON of a `PspStanding`. */
  readonly standing: string | null;
}

/** The next `limit` PSPs after `after` (`""`: from the first), by number. Those with ended permissions are among them. */
export async function listInterest(db: D1Database, fiId: number, after: string, limit: number): Promise<Interest[]> {
  const page = db.prepare(INTEREST_STATEMENTS.page).bind(fiId, after, limit);
  return (await callStore("D1", () => page.all<Interest>())).results;
}

/** An institution's live grants of a PSP. */
export interface Grants {
  /** Permissions of the core flow with a live token: one for each account and scope. */
  readonly tokens: number;
  /** Authorised consents that have not ended. */
  readonly consents: number;
}

/** For each PSP its live grants, or null if the institution has no interest in it. */
export async function findGrants(
  db: D1Database,
  fiId: number,
  pspIds: readonly string[],
  now: Instant,
): Promise<(Grants | null)[]> {
  if (pspIds.length === 0) return [];
  const ask = db.prepare(INTEREST_STATEMENTS.grants);
  const results = await callStore("D1", () =>
    db.batch<{ interested: number; tokens: number; consents: number }>(
      pspIds.map((pspId) => ask.bind(fiId, pspId, now)),
    ),
  );
  return results.map(({ results: [row] }) => {
    if (!row || (row.interested === 0 && row.tokens === 0 && row.consents === 0)) return null;
    return { tokens: row.tokens, consents: row.consents };
  });
}

/** Of a PSP's newest permissions and consents some. */
export interface SomeGrants extends Grants {
  /** There are older ones, which were not looked at. */
  readonly more: boolean;
}

/** What of the PSP's newest `limit` grants of each kind is live, for people who look at one PSP. Throws StoreError. */
export async function findNewestGrants(
  db: D1Database,
  fiId: number,
  pspId: string,
  limit: number,
  now: Instant,
): Promise<SomeGrants> {
  const { newestTokens, newestConsents, newestOrders } = INTEREST_STATEMENTS;
  const ask = [newestTokens, newestConsents, newestOrders].map((sql) => db.prepare(sql).bind(fiId, pspId, now, limit));
  const results = await callStore("D1", () => db.batch<{ counted: number; live: number }>(ask));
  const [tokens = 0, consents = 0, orders = 0] = results.map(({ results: [row] }) => row?.live ?? 0);
  return { tokens, consents: consents + orders, more: results.some(({ results: [row] }) => row?.counted === limit) };
}

/** Whether the institution has, or had, to do with a PSP of this country (ISO code); null: of any. */
export async function hasInterestIn(db: D1Database, fiId: number, country: string | null): Promise<boolean> {
  // "." follows "-" in the order of characters
  const [from, to] = country === null ? ["", "\u{10ffff}"] : [`PSD${country}-`, `PSD${country}.`];
  const some = db.prepare(INTEREST_STATEMENTS.ofCountry).bind(fiId, from, to);
  return (await callStore("D1", () => some.first())) !== null;
}

export const INSTITUTION_STATEMENTS = {
  next: "SELECT id, database FROM financial_institutions WHERE id >= ?1 ORDER BY id LIMIT ?2",
} as const;

interface PlacedInstitution extends Placed {
  readonly id: number;
}

/**
 * The next `limit` institutions with an id of at least `from`, disabled ones too: when one is enabled again, it reads what
 * happened meanwhile. `db`: the first.
 */
export async function listNext(db: D1Database, from: number, limit: number): Promise<PlacedInstitution[]> {
  const next = db.prepare(INSTITUTION_STATEMENTS.next).bind(from, limit);
  return (await callStore("D1", () => next.all<PlacedInstitution>())).results;
}
