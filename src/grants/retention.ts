/**
 * Deletes records older than the retention time, in bounded statements (a late run catches up), and reads and erases all
 * that D1 holds of one account.
 */

import type { Instant } from "../platform/instant.ts";
import { createHash } from "../platform/node-crypto.ts";
import { callStore } from "../platform/stores.ts";
import type { Account } from "./account-block.ts";
import { timePrefix } from "./record-order.ts";

/** Bounds the time for which one statement keeps writers waiting (npm run bench:growth). */
const ROWS_PER_STATEMENT = 250;
const DAY_MS = 86_400_000;
/** An invocation of the Worker may make a thousand (src/refresh/scheduled.ts). The next run deletes the rest. */
const STATEMENTS_PER_RUN = 400;

const deleteFrom = (table: string, where: string): string =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${where} LIMIT ${ROWS_PER_STATEMENT})`;

/** Of the console: what has ended is of no use. */
const deleteEnded = (table: string): string =>
  `DELETE FROM ${table} WHERE id_hash IN (
    SELECT id_hash FROM ${table} WHERE ends_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`;

export const RETENTION_STATEMENTS = {
  tokens: deleteFrom("tokens", "expires_at < ?1"),
  // a customer gave no permission by these
  unauthorisedAccountAccessConsents: deleteFrom("account_access_consents", "account_id IS NULL AND ends_at < ?1"),
  // without an end their age is counted from their creation; one seek for each institution
  openAccountAccessConsents: `
    DELETE FROM account_access_consents WHERE id IN (
      SELECT consent.id FROM financial_institutions AS fi CROSS JOIN account_access_consents AS consent
      WHERE fi.id > 0 AND consent.fi_id = fi.id AND consent.account_id IS NULL AND consent.id < ?1
        AND consent.ends_at IS NULL
      LIMIT ${ROWS_PER_STATEMENT})`,
  // these have no end of their own, and are of use only for days, so their age is counted from their creation
  unauthorisedPaymentOrderConsents: deleteFrom("payment_order_consents", "account_id IS NULL AND id < ?1"),
  accountAccessConsents: deleteFrom("account_access_consents", "ends_at < ?1"),
  // one that never gave a token has no end: its age is counted from its authorization
  paymentOrderConsents: deleteFrom("payment_order_consents", "id < ?2 AND coalesce(ends_at, granted_at, 0) < ?1"),
  corePermissions: deleteFrom("core_permissions", "ends_at < ?1"),
  // codes that are under way without it give no token
  coreCodes: `
    DELETE FROM core_codes WHERE (fi_id, account_id, psp_id, scope) IN (
      SELECT fi_id, account_id, psp_id, scope FROM core_codes WHERE noted_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
  // a request from before the lift that is carried out later than this would block the account again
  liftedBlocks: `
    DELETE FROM account_blocks WHERE (fi_id, account_id, scope) IN (
      SELECT fi_id, account_id, scope FROM account_blocks WHERE lifted_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
  endedWatches: `
    DELETE FROM psp_watches WHERE (fi_id, psp_id) IN (
      SELECT fi_id, psp_id FROM psp_watches WHERE ended_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
  consoleSessions: deleteEnded("console_sessions"),
  consoleChecks: deleteEnded("console_checks"),
  consoleOnce: deleteEnded("console_once"),
  signInLinks: `
    DELETE FROM sign_in_links WHERE id_hash IN (
      SELECT id_hash FROM sign_in_links WHERE made_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
} as const;

/** A code lives a minute, and its row says to the day when the last one was issued (core-flow.ts). */
const CORE_CODE_RETENTION_MS = 2 * DAY_MS;

/** Far longer than a call of a store is held up. */
const LIFTED_RETENTION_MS = 2 * DAY_MS;

/** Break-glass links, for administrators. */
const LINK_RETENTION_MS = 400 * DAY_MS;

type Kind = keyof typeof RETENTION_STATEMENTS;
type Deleted = Record<Kind, number>;

/** In days. */
export interface Retention {
  /** Of tokens, from their expiry. */
  readonly tokenRetentionDays: number;
  /** Of consents that no customer authorised. */
  readonly retentionDays: number;
  /** Of what customers agreed to. */
  readonly permissionRetentionDays: number;
}

export interface Deletion {
  readonly deleted: Deleted;
  /** The statements did not suffice: another run is due at once. */
  readonly unfinished: boolean;
  readonly statements: number;
  /** Of the database after it, without its free pages. */
  readonly databaseBytes: number;
}

/**
 * Deletes from one database what ended longer before `now` than the retention allows; consents that have no end by their
 * age, unless a customer gave access without one. Uses at most `maxStatements`; tokens, which are by far the most, come
 * last.
 */
export async function deleteOld(
  db: D1Database,
  { tokenRetentionDays, retentionDays, permissionRetentionDays }: Retention,
  now: Instant,
  maxStatements: number = STATEMENTS_PER_RUN,
): Promise<Deletion> {
  const before = now - retentionDays * DAY_MS;
  const permissionsBefore = now - permissionRetentionDays * DAY_MS;
  const limits: Readonly<Record<Kind, readonly (number | string)[]>> = {
    unauthorisedAccountAccessConsents: [before],
    openAccountAccessConsents: [timePrefix(before)],
    unauthorisedPaymentOrderConsents: [timePrefix(before)],
    accountAccessConsents: [permissionsBefore],
    paymentOrderConsents: [permissionsBefore, timePrefix(permissionsBefore)],
    corePermissions: [permissionsBefore],
    coreCodes: [now - CORE_CODE_RETENTION_MS],
    liftedBlocks: [now - LIFTED_RETENTION_MS],
    endedWatches: [now - LIFTED_RETENTION_MS],
    consoleSessions: [now],
    consoleChecks: [now],
    consoleOnce: [now],
    signInLinks: [now - LINK_RETENTION_MS],
    tokens: [now - tokenRetentionDays * DAY_MS],
  };
  const kinds = Object.keys(limits) as Kind[];
  const deleted = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Deleted;
  let statements = 0;
  let databaseBytes = 0;
  for (const kind of kinds) {
    const some = db.prepare(RETENTION_STATEMENTS[kind]).bind(...limits[kind]);
    for (let changes = ROWS_PER_STATEMENT; changes >= ROWS_PER_STATEMENT; ) {
      if (statements === maxStatements) return { deleted, unfinished: true, statements, databaseBytes };
      // one after the other: between two of them whoever waits for the database has its turn
      const { meta } = await callStore("D1", () => some.run());
      changes = meta.changes;
      deleted[kind] += changes;
      databaseBytes = meta.size_after;
      statements++;
    }
  }
  return { deleted, unfinished: false, statements, databaseBytes };
}

/** Every table with an account_id. Consents that nobody has authorised have none: they are their PSP's. */
const TABLES = [
  "tokens",
  "account_access_consents",
  "payment_order_consents",
  "core_permissions",
  "core_codes",
  "account_blocks",
  "account_keys",
] as const;

type Table = (typeof TABLES)[number];
type Row = Readonly<Record<string, string | number | null>>;
export type AccountData = Readonly<Record<Table, readonly Row[]>>;

const ACCOUNT = "fi_id = ?1 AND account_id = ?2";
/** Of a key only that there is one: a copy of it would let the ledger's tags be traced after it is erased. */
const columnsOf = (table: Table): string => (table === "account_keys" ? "fi_id, account_id" : "*");

export const ACCOUNT_DATA_STATEMENTS = Object.fromEntries(
  TABLES.flatMap((table) => [
    [`read_${table}`, `SELECT ${columnsOf(table)} FROM ${table} WHERE ${ACCOUNT}`],
    [`erase_${table}`, `DELETE FROM ${table} WHERE ${ACCOUNT} RETURNING ${columnsOf(table)}`],
  ]),
);

export const readAccountData = (db: D1Database, account: Account): Promise<AccountData> => run(db, account, "read");

/**
 * Erases the account in one transaction. Returns the rows as they were deleted. What was granted before is dead with its
 * row: no token is active without one, and a code gives none without that of its consent, or of core-flow.ts. `notes`: what the
 * same transaction writes of it.
 */
export const eraseAccountData = (
  db: D1Database,
  account: Account,
  notes: readonly D1PreparedStatement[] = [],
): Promise<AccountData> => run(db, account, "erase", notes);

async function run(
  db: D1Database,
  { fiId, accountId }: Account,
  verb: "read" | "erase",
  notes: readonly D1PreparedStatement[] = [],
): Promise<AccountData> {
  const statements = TABLES.map((table) => ACCOUNT_DATA_STATEMENTS[`${verb}_${table}`] ?? "");
  const results = await callStore("D1", () =>
    db.batch<Row>([...statements.map((sql) => db.prepare(sql).bind(fiId, accountId)), ...notes]),
  );
  const tables = TABLES.map((table, i) => [table, sorted(results[i]?.results ?? [])] as const);
  return Object.fromEntries(tables) as Record<Table, readonly Row[]>;
}

/** In an order of their own, so that the same rows have the same digest. */
const sorted = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** SHA-256 of the JSON text of all rows, in hex. */
export const digestAccountData = (data: AccountData): string =>
  createHash("sha256").update(JSON.stringify(data)).digest("hex");

export const countAccountData = (data: AccountData): Record<string, number> =>
  Object.fromEntries(TABLES.map((table) => [table, data[table].length]));
