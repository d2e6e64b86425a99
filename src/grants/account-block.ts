/**
 * An account that its FI has blocked for one scope or both: no new code, no token, no authorization of a consent, and
 * its live tokens are inactive, until the block is lifted. Nothing is revoked.
 */
import { callStore } from "../store-error.ts";
import { SCOPES, type Scope } from "./scopes.ts";

/** A PSU account of an FI. The same id at another FI is another account. */
export interface Account {
  readonly fiId: number;
  readonly accountId: string;
}

export interface AccountBlock {
  /** In the order of SCOPES; empty if the account is not blocked. */
  readonly scopes: readonly Scope[];
  /** Of the older scope, in milliseconds since 1970; null if the account is not blocked. */
  readonly blockedAt: number | null;
  /** By scope when it was asked for last: what lifts a scope names it, so that it lifts no later block. */
  readonly putAt: Readonly<Partial<Record<Scope, number>>>;
}

/** SQL: whether a row's account is blocked for its scope. The columns or parameters are the arguments. */
export const isBlocked = (fiId: string, accountId: string, scope: string): string =>
  `EXISTS (SELECT 1 FROM account_blocks AS block
    WHERE block.fi_id = ${fiId} AND block.account_id = ${accountId} AND block.scope = ${scope})`;

/** SQL: whether a row of `tokens` belongs to an account that is blocked for the token's scope. */
export const TOKEN_IS_BLOCKED = isBlocked("tokens.fi_id", "tokens.account_id", "tokens.scope");

export const ACCOUNT_BLOCK_STATEMENTS = {
  find: "SELECT scope, created_at, put_at FROM account_blocks WHERE fi_id = ?1 AND account_id = ?2",
  // a scope that is blocked already keeps its time
  insert: `
    INSERT INTO account_blocks (fi_id, account_id, scope, created_at, put_at) VALUES (?1, ?2, ?3, ?4, ?4)
    ON CONFLICT DO UPDATE SET put_at = max(put_at + 1, excluded.put_at)`,
  // a call may be carried out long after its caller was told 503, and has blocked the account again (store-error.ts)
  lift: "DELETE FROM account_blocks WHERE fi_id = ?1 AND account_id = ?2 AND scope = ?3 AND put_at = ?4",
} as const;

interface BlockRow {
  scope: Scope;
  created_at: number;
  put_at: number;
}

/** The account's block, read from the primary. */
export async function findBlock(db: D1Database, { fiId, accountId }: Account): Promise<AccountBlock> {
  const find = db.withSession("first-primary").prepare(ACCOUNT_BLOCK_STATEMENTS.find).bind(fiId, accountId);
  return fromRows((await callStore("D1", () => find.all<BlockRow>())).results);
}

/**
 * Blocks the account for exactly these of the scopes `among`, at `now` (milliseconds since 1970); others stay as they are.
 * None of all lifts the block that was `seen`, else the one that there is now; one that is asked for meanwhile stays.
 */
export async function setBlock(
  db: D1Database,
  { fiId, accountId }: Account,
  scopes: readonly Scope[],
  now: number,
  among: readonly Scope[] = SCOPES,
  seen?: AccountBlock,
): Promise<AccountBlock> {
  const { insert, lift, find } = ACCOUNT_BLOCK_STATEMENTS;
  const isLifted = among.some((scope) => !scopes.includes(scope));
  const known = seen ?? (isLifted ? await findBlock(db, { fiId, accountId }) : null);
  const statements = among.flatMap((scope) => {
    if (scopes.includes(scope)) return db.prepare(insert).bind(fiId, accountId, scope, now);
    const putAt = known?.putAt[scope];
    return putAt === undefined ? [] : db.prepare(lift).bind(fiId, accountId, scope, putAt);
  });
  const results = await callStore("D1", () =>
    db.batch<BlockRow>([...statements, db.prepare(find).bind(fiId, accountId)]),
  );
  return fromRows(results.at(-1)?.results ?? []);
}

const fromRows = (rows: readonly BlockRow[]): AccountBlock => ({
  scopes: SCOPES.filter((scope) => rows.some((row) => row.scope === scope)),
  blockedAt: rows.length === 0 ? null : Math.min(...rows.map((row) => row.created_at)),
  putAt: Object.fromEntries(rows.map((row) => [row.scope, row.put_at])),
});
