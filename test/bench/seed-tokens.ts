/**
 * Fills a table of tokens in the file of a local D1 database that nobody has open, by SQL that makes its own rows; the
 * indexes are made once all rows are there. workerd itself does not survive the sorting of ten million rows.
 */
import { DatabaseSync } from "node:sqlite";

export const TABLES = { thousand: 1_000, tenMillion: 10_000_000 } as const;
export type TableName = keyof typeof TABLES;

const TOKENS_PER_ACCOUNT = 10;
const LIFETIME_MILLISECONDS = 86_400_000;
/** Sorts before the ids that the service makes now, as older tokens do (src/grants/record-id.ts). */
const ID_PREFIX = "0mi000000";

/** The id of the row made `index`-th, of the length that ids have. */
export const seededId = (index: number): string => `${ID_PREFIX}${String(index).padStart(22, "0")}`;

/** The account of that row in a table of `rows`. */
export const seededAccount = (rows: number, index: number): string => `account-${index % (rows / TOKENS_PER_ACCOUNT)}`;

const INSERT = `
  INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, consent_id, issued_at, expires_at, revoked_at)
  WITH RECURSIVE made(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM made WHERE i + 1 < ?1)
  SELECT '${ID_PREFIX}' || printf('%022d', i), ?2, ?3, ?4, 'account-' || (i % ?5), 'accounts', NULL, ?6 + i, ?7 + i, NULL
  FROM made`;
const INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'tokens' AND sql IS NOT NULL";
/** Nothing is lost if the bench is: it begins again. */
const FAST =
  "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; PRAGMA foreign_keys = OFF";

/** Of one FI and one PSP, alive for a day from `now` (milliseconds). Tells how long it took, and the room that it takes. */
export function seedTokens(
  file: string,
  rows: number,
  { kid, fiId, pspId, now }: { kid: string; fiId: number; pspId: string; now: number },
): void {
  const began = performance.now();
  const db = new DatabaseSync(file);
  try {
    db.exec(FAST);
    const indexes = db.prepare(INDEXES).all() as { name: string; sql: string }[];
    for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
    const accounts = rows / TOKENS_PER_ACCOUNT;
    db.prepare(INSERT).run(rows, kid, fiId, pspId, accounts, now - rows, now + LIFETIME_MILLISECONDS);
    for (const { sql } of indexes) db.exec(sql);
    const pages = Number(db.prepare("PRAGMA page_count").get()?.["page_count"]);
    const page = Number(db.prepare("PRAGMA page_size").get()?.["page_size"]);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`${rows} tokens were made in ${seconds} s and take ${((pages * page) / 1e6).toFixed(1)} MB`);
    db.exec("PRAGMA journal_mode = WAL");
  } finally {
    db.close();
  }
}
