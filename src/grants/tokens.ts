/**
 * Access tokens in D1: reading and revoking one. new-token.ts stores them, token-list.ts lists those of an account,
 * token-texts.ts makes their text.
 */
import type { Instant } from "../platform/instant.ts";
import { callStore } from "../platform/stores.ts";
import type { Scope } from "../registers/entitlement.ts";
import { TOKEN_IS_BLOCKED } from "./account-block.ts";
import { settleStatements } from "./core-flow.ts";
import { settlePaymentStatement } from "./payment-order-consents.ts";
import { type AccessPermission, type Ended, type EndedPermission, readEnded } from "./permission.ts";

export interface Token {
  readonly id: string;
  readonly kid: string;
  readonly fiId: number;
  readonly pspId: string;
  readonly accountId: string;
  readonly scope: Scope;
  readonly consentId: string | null;
  readonly issuedAt: Instant;
  readonly expiresAt: Instant;
  /** At most `expiresAt`: that is also the time of a revocation that came after it. */
  readonly revokedAt: Instant | null;
  /** Its account is blocked for its scope, so it is inactive while that lasts (account-block.ts). */
  readonly blocked: boolean;
}

export const TOKEN_COLUMNS = "id, kid, fi_id, psp_id, account_id, scope, consent_id, issued_at, expires_at, revoked_at";
/** The columns of a {@link TokenRow}, which a SELECT from `tokens` reads. */
export const READ_TOKEN = `id, kid, fi_id AS fiId, psp_id AS pspId, account_id AS accountId, scope, consent_id AS consentId,
  issued_at AS issuedAt, expires_at AS expiresAt, revoked_at AS revokedAt, ${TOKEN_IS_BLOCKED} AS blocked`;

export const TOKEN_STATEMENTS = {
  find: `SELECT ${READ_TOKEN} FROM tokens WHERE id = ?1 AND fi_id = ?2`,
  // one that has run out by this clock, too: the clock may be ahead
  revoke: `
    UPDATE tokens SET revoked_at = coalesce(revoked_at, min(?3, expires_at))
    WHERE id = ?1 AND fi_id = ?2
    RETURNING iif(revoked_at = ?3 AND revoked_at < expires_at, 'token', 'before') AS ended, id, psp_id AS psp, scope`,
} as const;

export interface TokenRow extends Omit<Token, "blocked"> {
  readonly blocked: 0 | 1;
}

export const fromRow = (row: TokenRow): Token => ({ ...row, blocked: row.blocked === 1 });

/** When a token was revoked before it expired; null if it was not. For people; {@link isActive} decides. */
export const revokedInTime = ({ revokedAt, expiresAt }: Token): Instant | null =>
  revokedAt !== null && revokedAt < expiresAt ? revokedAt : null;

/** Neither revoked, nor expired at `now`, nor blocked. */
export const isActive = (token: Token, now: Instant): boolean =>
  token.revokedAt === null && now < token.expiresAt && !token.blocked;

/** Reads from the primary, so that a revocation is effective at once everywhere. */
export async function findToken(db: D1Database, fiId: number, id: string): Promise<Token | null> {
  const find = db.withSession("first-primary").prepare(TOKEN_STATEMENTS.find).bind(id, fiId);
  const row = await callStore("D1", () => find.first<TokenRow>());
  return row ? fromRow(row) : null;
}

/** The token that was meant, and what ended with it: nothing, if it has ended before. */
export interface RevokedToken extends Ended {
  readonly token: EndedPermission;
}

/**
 * Null if the FI has no such token. A second revocation keeps the time of the first. A permission whose last live token it
 * was has been ended by the bank.
 */
export async function revokeToken(
  db: D1Database,
  fiId: number,
  id: string,
  now: Instant,
): Promise<RevokedToken | null> {
  const token = { id, fiId };
  const revoke = db.prepare(TOKEN_STATEMENTS.revoke).bind(id, fiId, now);
  const settle = [...settleStatements(db, token, "bank"), settlePaymentStatement(db, token, "bank")];
  const results = await callStore("D1", () => db.batch<EndedPermission>([revoke, ...settle]));
  const revoked = results[0]?.results[0];
  return revoked ? { token: revoked, ...readEnded(results) } : null;
}

/** What the PSU consented to. Date-times are RFC 3339 in UTC; null means open ended. */
interface ConsentedAccess {
  readonly permissions: readonly AccessPermission[];
  readonly transactionFromDateTime: string | null;
  readonly transactionToDateTime: string | null;
  /** Neither revoked nor withdrawn. */
  readonly authorised: boolean;
  /** Null if open ended. */
  readonly endsAt: Instant | null;
}

export interface Introspection {
  readonly token: Token;
  /** Of its account access consent; null if it has none. */
  readonly access: ConsentedAccess | null;
}

export type Inactivity = "token_revoked" | "token_expired" | "consent_ended" | "account_blocked";

export const INTROSPECTION_STATEMENTS = {
  // two searches by primary keys, and one of the block by its own
  find: `
    SELECT token.*, consent.status, consent.ends_at AS endsAt, consent.permissions,
      consent.transaction_from_date_time AS transactionFromDateTime,
      consent.transaction_to_date_time AS transactionToDateTime
    FROM (SELECT ${READ_TOKEN} FROM tokens WHERE id = ?1 AND fi_id = ?2) AS token
    LEFT JOIN account_access_consents AS consent
      ON token.scope = 'accounts' AND consent.id = token.consentId AND consent.fi_id = token.fiId`,
} as const;

/** The consent's columns are null if there is none. */
interface IntrospectionRow extends TokenRow, Omit<ConsentedAccess, "permissions" | "authorised"> {
  readonly status: "AwaitingAuthorisation" | "Authorised" | "Revoked" | null;
  readonly permissions: string | null;
}

/** Reads from the primary, so that a revocation, a withdrawal or a block is effective at once everywhere. */
export async function findIntrospection(db: D1Database, fiId: number, id: string): Promise<Introspection | null> {
  const find = db.withSession("first-primary").prepare(INTROSPECTION_STATEMENTS.find).bind(id, fiId);
  const row = await callStore("D1", () => find.first<IntrospectionRow>());
  if (row === null) return null;
  const { status, permissions, endsAt, transactionFromDateTime, transactionToDateTime, ...token } = row;
  const access = permissions !== null && {
    permissions: JSON.parse(permissions) as AccessPermission[],
    ...{ transactionFromDateTime, transactionToDateTime, authorised: status === "Authorised", endsAt },
  };
  return { token: fromRow(token), access: access || null };
}

/** Null if the token is active at `now`. */
export function findInactivity({ token, access }: Introspection, now: Instant): Inactivity | null {
  if (token.revokedAt !== null) return revokedInTime(token) === null ? "token_expired" : "token_revoked";
  if (now >= token.expiresAt) return "token_expired";
  // a token ends with its consent (new-token.ts); without the consent there is nothing that it could be enforced by
  const underAccess = token.scope === "accounts" && token.consentId !== null;
  if (underAccess && !(access?.authorised && (access.endsAt === null || now < access.endsAt))) return "consent_ended";
  return token.blocked ? "account_blocked" : null;
}
