/**
 * An account that its FI has blocked for one scope or both: no new code, no token, no authorization of a consent, and
 * its live tokens are inactive, until the block is lifted. Nothing is revoked. Each change takes a ticket (record-order.ts): the
 * later one counts, whichever is carried out last.
 */
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { SCOPES, type Scope } from "../registers/entitlement.ts";
import { readTicket, TICKET_STATEMENTS, takeTicket } from "./record-order.ts";

/** A PSU account of an FI. The same id at another FI is another account. */
export interface Account {
  readonly fiId: number;
  readonly accountId: string;
}

export interface AccountBlock {
  /** In the order of SCOPES; empty if the account is not blocked. */
  readonly scopes: readonly Scope[];
  /** Of the older scope; null if the account is not blocked. */
  readonly blockedAt: Instant | null;
  /** By scope the ticket of the last request for it. */
  readonly tickets: Readonly<Partial<Record<Scope, number>>>;
  /** What was said in the console of why it is blocked: for the bank's own pages alone. */
  readonly reasons: readonly string[];
}

/** SQL: whether a row's account is blocked for its scope. The columns or parameters are the arguments. */
export const isBlocked = (fiId: string, accountId: string, scope: string): string =>
  `EXISTS (SELECT 1 FROM account_blocks AS block
    WHERE block.fi_id = ${fiId} AND block.account_id = ${accountId} AND block.scope = ${scope}
      AND block.lifted_at IS NULL)`;

/** SQL: whether a row of `tokens` belongs to an account that is blocked for the token's scope. */
export const TOKEN_IS_BLOCKED = isBlocked("tokens.fi_id", "tokens.account_id", "tokens.scope");

export const ACCOUNT_BLOCK_STATEMENTS = {
  find: `
    SELECT scope, created_at, ticket, reason FROM account_blocks
    WHERE fi_id = ?1 AND account_id = ?2 AND lifted_at IS NULL`,
  // `:liftedAt`: null of a block. A scope that is blocked already keeps its time, and without a new one its reason. A lifted one stays (retention.ts): a
  // request from before it may be carried out after it, when its caller got 503 (platform/stores.ts)
  set: `
    INSERT INTO account_blocks (fi_id, account_id, scope, created_at, ticket, lifted_at, reason)
    VALUES (:fiId, :accountId, :scope, :now, :ticket, :liftedAt, :reason)
    ON CONFLICT DO UPDATE SET
      created_at = iif(lifted_at IS NULL, created_at, excluded.created_at),
      reason = iif(lifted_at IS NULL AND excluded.lifted_at IS NULL, coalesce(excluded.reason, reason), excluded.reason),
      ticket = excluded.ticket, lifted_at = excluded.lifted_at
    WHERE excluded.ticket > account_blocks.ticket`,
} as const;

export interface BlockRow {
  scope: Scope;
  created_at: Instant;
  ticket: number;
  /** Absent where nobody asks for it. */
  reason?: string | null;
}

/** The account's block, read from the primary. */
export async function findBlock(db: D1Database, { fiId, accountId }: Account): Promise<AccountBlock> {
  const find = db.withSession("first-primary").prepare(ACCOUNT_BLOCK_STATEMENTS.find).bind(fiId, accountId);
  return blockFromRows((await callStore("D1", () => find.all<BlockRow>())).results);
}

/** A ticket, and the block that there was when it was taken: a later request counts more than a change with this ticket. */
export async function beginBlockChange(
  db: D1Database,
  { fiId, accountId }: Account,
): Promise<{ readonly ticket: number; readonly block: AccountBlock }> {
  const [tickets, blocks] = await callStore("D1", () =>
    db.batch([
      db.prepare(TICKET_STATEMENTS.take).bind(),
      db.prepare(ACCOUNT_BLOCK_STATEMENTS.find).bind(fiId, accountId),
    ]),
  );
  return { ticket: readTicket(tickets?.results), block: blockFromRows((blocks?.results ?? []) as BlockRow[]) };
}

interface BlockTerms {
  readonly among?: readonly Scope[];
  readonly ticket?: number;
  readonly reason?: string | null;
}

/**
 * Blocks the account for exactly these of the scopes `among`, at `now`; others stay as they are. Returns the block that
 * there is then.
 */
export async function setBlock(
  db: D1Database,
  { fiId, accountId }: Account,
  scopes: readonly Scope[],
  now: Instant,
  { among = SCOPES, ticket, reason = null }: BlockTerms = {},
): Promise<AccountBlock> {
  const { set, find } = ACCOUNT_BLOCK_STATEMENTS;
  const taken = ticket ?? (await takeTicket(db));
  const statements = among.map((scope) => {
    const end = scopes.includes(scope) ? { liftedAt: null, reason } : { liftedAt: now, reason: null };
    return bindNamed(db, set, { fiId, accountId, scope, now, ticket: taken, ...end });
  });
  const results = await callStore("D1", () =>
    db.batch<BlockRow>([...statements, db.prepare(find).bind(fiId, accountId)]),
  );
  return blockFromRows(results.at(-1)?.results ?? []);
}

export const blockFromRows = (rows: readonly BlockRow[]): AccountBlock => ({
  scopes: SCOPES.filter((scope) => rows.some((row) => row.scope === scope)),
  blockedAt: rows.length === 0 ? null : Math.min(...rows.map((row) => row.created_at)),
  tickets: Object.fromEntries(rows.map((row) => [row.scope, row.ticket])),
  reasons: [...new Set(rows.flatMap(({ reason }) => reason ?? []))],
});
