/** Fills a table of tokens by SQL that makes its own rows; the indexes are made once all rows are there. */
export const TABLES = { thousand: 1_000, tenMillion: 10_000_000 } as const;
export type TableName = keyof typeof TABLES;

const TOKENS_PER_ACCOUNT = 10;
const ROWS_PER_STATEMENT = 250_000;
const LIFETIME_MILLISECONDS = 86_400_000;
/** Sorts before the ids that the service makes now, as older tokens do (src/grants/record-id.ts). */
const ID_PREFIX = "0mi000000";

/** The id of the row made `index`-th, of the length that ids have. */
export const seededId = (index: number): string => `${ID_PREFIX}${String(index).padStart(22, "0")}`;

/** The account of that row in a table of `rows`. */
export const seededAccount = (rows: number, index: number): string => `account-${index % (rows / TOKENS_PER_ACCOUNT)}`;

const INSERT = `
  INSERT INTO tokens (id, kid, fi_id, psp_id, account_id, scope, consent_id, issued_at, expires_at, revoked_at)
  WITH RECURSIVE made(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM made WHERE i + 1 < ?2)
  SELECT '${ID_PREFIX}' || printf('%022d', i), ?3, ?4, ?5, 'account-' || (i % ?6), 'accounts', NULL, ?7 + i, ?8 + i, NULL
  FROM made`;

const INDEXES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'tokens' AND sql IS NOT NULL";

/** Of one FI and one PSP, alive for a day from `now` (milliseconds). Tells how long it took, and the room that it takes. */
export async function seedTokens(
  db: D1Database,
  rows: number,
  { kid, fiId, pspId, now }: { kid: string; fiId: number; pspId: string; now: number },
): Promise<void> {
  if (rows === 0) return;
  const began = performance.now();
  const { results: indexes } = await db.prepare(INDEXES).all<{ name: string; sql: string }>();
  for (const { name } of indexes) await db.prepare(`DROP INDEX ${name}`).run();
  for (let from = 0; from < rows; from += ROWS_PER_STATEMENT) {
    const to = Math.min(rows, from + ROWS_PER_STATEMENT);
    const accounts = rows / TOKENS_PER_ACCOUNT;
    await db
      .prepare(INSERT)
      .bind(from, to, kid, fiId, pspId, accounts, now - rows, now + LIFETIME_MILLISECONDS)
      .run();
  }
  for (const { sql } of indexes) await db.prepare(sql).run();
  const { meta } = await db.prepare("SELECT 1").run();
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${rows} tokens were made in ${seconds} s and take ${(meta.size_after / 1e6).toFixed(1)} MB`);
}
