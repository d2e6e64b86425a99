/** All that D1 holds of one account of an FI: for its owner who asks for it, and for its erasure. */

import { createHash } from "../platform/node-crypto.ts";
import { callStore } from "../platform/stores.ts";
import type { Account } from "./account-block.ts";

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
/** The rows as they are stored. */
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
 * row: no token is active without one, and a code gives none without that of its consent, or of core-codes.ts.
 */
export const eraseAccountData = (db: D1Database, account: Account): Promise<AccountData> => run(db, account, "erase");

async function run(db: D1Database, { fiId, accountId }: Account, verb: "read" | "erase"): Promise<AccountData> {
  const statements = TABLES.map((table) => ACCOUNT_DATA_STATEMENTS[`${verb}_${table}`] ?? "");
  const results = await callStore("D1", () =>
    db.batch<Row>(statements.map((sql) => db.prepare(sql).bind(fiId, accountId))),
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

/** How many rows of each table. */
export const countAccountData = (data: AccountData): Record<string, number> =>
  Object.fromEntries(TABLES.map((table) => [table, data[table].length]));
