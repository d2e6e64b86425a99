/**
 * The permissions that tokens without a consent stand for (the core flow), in D1: one for each account, PSP and scope,
 * from its first token until none of its tokens is alive. They are written in the transactions that write tokens.
 */
/** Who ended a permission. One that ran out was ended by nobody. */
export type EndedBy = "psp" | "bank" | "customer";

const OF_TOKEN = `
    FROM tokens AS token
    WHERE token.id = ?1 AND token.fi_id = ?2 AND token.consent_id IS NULL`;
// "+": else SQLite finds them by PSP (core_permissions_by_psp), and reads one row for each of the PSP's customers.
// ended_by: its end alone does not do, since a request that arrived before it may be carried out after it
const OPEN_SAME =
  "core_permissions.fi_id = token.fi_id AND core_permissions.account_id = token.account_id AND +core_permissions.psp_id = token.psp_id AND core_permissions.scope = token.scope AND core_permissions.ended_by IS NULL";

export const CORE_PERMISSION_STATEMENTS = {
  // the next two run in this order behind the insert of the token ?1, and do nothing if it was not stored alive; ?3: when its
  // code was issued
  extend: `
    UPDATE core_permissions SET
      last_token_at = max(last_token_at, token.issued_at),
      last_code_at = max(last_code_at, ?3),
      valid_until = max(valid_until, token.expires_at),
      ends_at = max(ends_at, token.expires_at)
    ${OF_TOKEN} AND token.revoked_at IS NULL AND ${OPEN_SAME} AND core_permissions.ends_at > token.issued_at`,
  begin: `
    INSERT INTO core_permissions
      (id, fi_id, account_id, psp_id, scope, granted_at, last_token_at, last_code_at, valid_until, ends_at)
    SELECT id, fi_id, account_id, psp_id, scope, issued_at, issued_at, ?3, expires_at, expires_at
    ${OF_TOKEN} AND token.revoked_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM core_permissions WHERE ${OPEN_SAME} AND core_permissions.ends_at > token.issued_at)`,
  // runs behind the revocation of the token ?1 at ?3: the permission lives as long as its other tokens
  settle: `
    UPDATE core_permissions SET (valid_until, ends_at, ended_by) = (
      SELECT coalesce(max(other.expires_at), core_permissions.valid_until), coalesce(max(other.expires_at), ?3),
        iif(max(other.expires_at) IS NULL, ?4, NULL)
      FROM tokens AS other
      WHERE other.fi_id = core_permissions.fi_id AND other.account_id = core_permissions.account_id
        AND other.expires_at > ?3 AND other.psp_id = core_permissions.psp_id AND other.scope = core_permissions.scope
        AND other.consent_id IS NULL AND other.revoked_at IS NULL)
    ${OF_TOKEN} AND token.revoked_at IS NOT NULL AND ${OPEN_SAME} AND core_permissions.ends_at > ?3`,
  // runs behind `settle` for a token that nobody received: a permission of it alone was never given
  forget: `
    DELETE FROM core_permissions WHERE id = ?1 AND fi_id = ?2 AND last_token_at = granted_at AND ends_at <= ?3
      AND ended_by IS NULL`,
} as const;

/** A token in the statements of the transaction that writes it. */
interface WrittenToken {
  readonly id: string;
  readonly fiId: number;
}

/** For the transaction that stores a token without a consent, of a code that was issued at `codeIssuedAt`. */
export const grantStatements = (
  db: D1Database,
  { id, fiId, codeIssuedAt }: WrittenToken & { readonly codeIssuedAt: number },
): D1PreparedStatement[] =>
  [CORE_PERMISSION_STATEMENTS.extend, CORE_PERMISSION_STATEMENTS.begin].map((sql) =>
    db.prepare(sql).bind(id, fiId, codeIssuedAt),
  );

/** For the transaction that revokes a token at `now` (milliseconds since 1970). Null: nobody received the token. */
export function settleStatements(
  db: D1Database,
  { id, fiId }: WrittenToken,
  endedBy: EndedBy | null,
  now: number,
): D1PreparedStatement[] {
  const { settle, forget } = CORE_PERMISSION_STATEMENTS;
  const statements = [db.prepare(settle).bind(id, fiId, now, endedBy)];
  return endedBy === null ? [...statements, db.prepare(forget).bind(id, fiId, now)] : statements;
}
