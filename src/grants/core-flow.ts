/**
 * What the core flow, which has no consents, keeps in D1 for each account, PSP and scope. A permission stands for its
 * tokens, from the first until none is alive. It is written in the transactions that write tokens. A row of core_codes says
 * which codes give tokens; the codes are Durable Objects (codes.ts). Codes under a consent end with it.
 */

import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { Scope } from "../registers/entitlement.ts";
import { type AccountBlock, type BlockRow, blockFromRows } from "./account-block.ts";
import type { EndedBy } from "./permission.ts";
import { GIVE_TICKET, LAST_TICKET, readTicket } from "./record-order.ts";

/**
 * SQL: the permission that a token without a consent belongs to: the one that is open when it is issued, else its own. Only
 * what is listed depends on the clock; a token's own permission ends it whatever the time.
 */
// "+": else SQLite finds them by PSP (core_permissions_by_psp), and reads one row for each of the PSP's customers
export const permissionOfToken = (id: string, fi: string, account: string, psp: string, scope: string, now: string) =>
  `coalesce((SELECT max(permission.id) FROM core_permissions AS permission
    WHERE permission.fi_id = ${fi} AND permission.account_id = ${account} AND +permission.psp_id = ${psp}
      AND permission.scope = ${scope} AND permission.ended_by IS NULL AND permission.ends_at > ${now}), ${id})`;

export const CORE_PERMISSION_STATEMENTS = {
  // after the insert of the token ?1: begins its own permission, or extends the one that it belongs to. It does nothing if
  // the token was not stored alive, or if its permission is gone
  grant: `
    INSERT INTO core_permissions (id, fi_id, account_id, psp_id, scope, granted_at, last_token_at, valid_until, ends_at)
    SELECT permission_id, fi_id, account_id, psp_id, scope, issued_at, issued_at, expires_at, expires_at FROM tokens
    WHERE id = ?1 AND fi_id = ?2 AND revoked_at IS NULL
      AND (permission_id = id OR EXISTS (SELECT 1 FROM core_permissions WHERE core_permissions.id = tokens.permission_id))
    ON CONFLICT (id) DO UPDATE SET
      last_token_at = max(last_token_at, excluded.last_token_at),
      valid_until = max(valid_until, excluded.valid_until),
      ends_at = max(ends_at, excluded.ends_at)
    WHERE core_permissions.id <> ?1 AND ended_by IS NULL`,
  // after the revocation of the token ?1: the permission lives as long as its other tokens
  settle: `
    UPDATE core_permissions SET (valid_until, ends_at, ended_by, ended_after) = (
      SELECT coalesce(max(other.expires_at), core_permissions.valid_until),
        coalesce(max(other.expires_at), min(core_permissions.ends_at, token.revoked_at)),
        iif(max(other.expires_at) IS NULL, ?3, NULL), iif(max(other.expires_at) IS NULL, ${LAST_TICKET}, NULL)
      FROM tokens AS other
      WHERE other.fi_id = token.fi_id AND other.account_id = token.account_id
        AND other.expires_at > token.revoked_at AND other.permission_id = token.permission_id AND other.revoked_at IS NULL)
    FROM tokens AS token
    WHERE token.id = ?1 AND token.fi_id = ?2 AND token.revoked_at IS NOT NULL
      AND core_permissions.id = token.permission_id AND core_permissions.ended_by IS NULL
    RETURNING iif(ended_by IS NULL, 'lives', 'permission') AS ended, id, psp_id, scope`,
  // after `settle` for a token that nobody received: a permission of it alone was never given
  forget: `
    DELETE FROM core_permissions WHERE id = ?1 AND fi_id = ?2 AND ended_by IS NULL AND NOT EXISTS (
      SELECT 1 FROM tokens AS other
      WHERE other.fi_id = ?2 AND other.account_id = core_permissions.account_id AND other.permission_id = ?1
        AND other.id <> ?1)`,
} as const;

/** A token in the statements of the transaction that writes it. */
interface WrittenToken {
  readonly id: string;
  readonly fiId: number;
}

/** For the transaction that stores a token without a consent. */
export const grantStatement = (db: D1Database, { id, fiId }: WrittenToken): D1PreparedStatement =>
  db.prepare(CORE_PERMISSION_STATEMENTS.grant).bind(id, fiId);

/** For the transaction that revokes a token. Null: nobody received the token. */
export function settleStatements(
  db: D1Database,
  { id, fiId }: WrittenToken,
  endedBy: EndedBy | null,
): D1PreparedStatement[] {
  const { settle, forget } = CORE_PERMISSION_STATEMENTS;
  const statements = [db.prepare(settle).bind(id, fiId, endedBy)];
  return endedBy === null ? [...statements, db.prepare(forget).bind(id, fiId)] : statements;
}

/** Its row is deleted two days after the last code (retention.ts), so to write once a day is enough. */
const NOTED_WITHIN_MS = 86_400_000;

const ROW = "fi_id = :fiId AND account_id = :accountId AND psp_id = :pspId AND scope = :scope";

export const CORE_CODE_STATEMENTS = {
  // a new row takes a ticket: no code from before an earlier one was deleted is alive by it
  begin: `${GIVE_TICKET} AND NOT EXISTS (SELECT 1 FROM core_codes WHERE ${ROW})`,
  note: `
    INSERT INTO core_codes (fi_id, account_id, psp_id, scope, codes_after, noted_at)
    VALUES (:fiId, :accountId, :pspId, :scope, ${LAST_TICKET}, :now)
    ON CONFLICT DO UPDATE SET noted_at = excluded.noted_at WHERE noted_at < excluded.noted_at - ${NOTED_WITHIN_MS}`,
  // the last ticket, and in each row one scope of the account's block; one row without a scope if there is none
  read: `
    SELECT tickets.last, block.scope, block.created_at, block.ticket FROM tickets
    LEFT JOIN account_blocks AS block ON block.fi_id = :fiId AND block.account_id = :accountId AND block.lifted_at IS NULL
    WHERE tickets.id = 1`,
} as const;

/** SQL: whether a code without a consent gives a token. The parameters are the arguments. */
export const isCoreCodeAlive = (fi: string, account: string, psp: string, scope: string, agreedAfter: string): string =>
  `EXISTS (SELECT 1 FROM core_codes AS codes
    WHERE codes.fi_id = ${fi} AND codes.account_id = ${account} AND codes.psp_id = ${psp} AND codes.scope = ${scope}
      AND codes.codes_after <= ${agreedAfter})`;

interface NoBlock {
  readonly scope: null;
}

/** Whom a code is for. */
interface CodePlace {
  readonly fiId: number;
  readonly accountId: string;
  readonly pspId: string;
  readonly scope: Scope;
}

/**
 * Notes in one transaction that a code is issued at `now`. Returns the last ticket that was given before it, for the code's
 * text, and the account's block.
 */
export async function noteCoreCode(
  db: D1Database,
  { fiId, accountId, pspId, scope }: CodePlace,
  now: Instant,
): Promise<{ readonly agreedAfter: number; readonly block: AccountBlock }> {
  const { begin, note, read } = CORE_CODE_STATEMENTS;
  const values = { fiId, accountId, pspId, scope, now };
  const results = await callStore("D1", () =>
    db.batch<BlockRow | NoBlock>([begin, note, read].map((sql) => bindNamed(db, sql, values))),
  );
  const rows = results.at(-1)?.results ?? [];
  return { agreedAfter: readTicket(rows), block: blockFromRows(rows.filter((row) => row.scope !== null)) };
}
