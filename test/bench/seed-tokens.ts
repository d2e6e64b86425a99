/** Fills a table of tokens by SQL that makes its own rows: a million in about ten seconds. */
export const TABLES = { thousand: 1_000, million: 1_000_000 } as const;
export type TableName = keyof typeof TABLES;

const TOKENS_PER_ACCOUNT = 10;
const ROWS_PER_STATEMENT = 100_000;
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

/** Of one FI and one PSP, alive for a day from `now` (milliseconds). */
export async function seedTokens(
  db: D1Database,
  rows: number,
  { kid, fiId, pspId, now }: { kid: string; fiId: number; pspId: string; now: number },
): Promise<void> {
  for (let from = 0; from < rows; from += ROWS_PER_STATEMENT) {
    const to = Math.min(rows, from + ROWS_PER_STATEMENT);
    const accounts = rows / TOKENS_PER_ACCOUNT;
    await db
      .prepare(INSERT)
      .bind(from, to, kid, fiId, pspId, accounts, now - rows, now + LIFETIME_MILLISECONDS)
      .run();
  }
}
