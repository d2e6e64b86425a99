/** Stores an access token in D1, under its consent if it has one. All writes are idempotent by the token's id. */
import { toSeconds } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore, StoreError } from "../platform/stores.ts";
import { isBlocked } from "./account-block.ts";
import { grantStatement, isCoreCodeAlive, permissionOfToken, settleStatements } from "./core-flow.ts";
import { settlePaymentStatement } from "./payment-order-consents.ts";
import { TOKEN_COLUMNS, type Token } from "./tokens.ts";

export type NewToken = Omit<Token, "expiresAt" | "revokedAt" | "blocked"> & {
  /** The last ticket that was given before its code was issued: a withdrawal with a later one ends both (record-order.ts). */
  readonly agreedAfter: number;
};

/** The columns that all inserts begin with. */
const TOKEN = ":id, :kid, :fiId, :pspId, :accountId, :scope, :consentId, :issuedAt";
const INSERT = `INSERT INTO tokens (${TOKEN_COLUMNS}, agreed_after, permission_id)`;
// a replay of the code may have been faster: a token that it revoked stays revoked
const KEEPING_REVOCATION = `
    ON CONFLICT (id) DO UPDATE SET kid = excluded.kid, issued_at = excluded.issued_at, expires_at = excluded.expires_at,
      revoked_at = min(revoked_at, excluded.expires_at), permission_id = coalesce(permission_id, excluded.permission_id)
    RETURNING expires_at`;
const UNBLOCKED = `NOT ${isBlocked(":fiId", ":accountId", ":scope")}`;
// `:expiresAt` is the expiry by the deployment's lifetime. D1 binds every number as a REAL, hence the CAST
const EXPIRY = `coalesce(
      (SELECT CAST(:issuedAt / 1000 AS INTEGER) + iif(:scope = 'payments', payments_token_seconds, accounts_token_seconds)
       FROM financial_institutions WHERE id = :fiId) * 1000, :expiresAt)`;
const CONSENT = `id = :consentId AND fi_id = :fiId AND psp_id = :pspId AND account_id = :accountId`;
// of an institution that is removed, and its rows with it, the insert is tried: its trigger says so
const CODE_IS_ALIVE = `(${isCoreCodeAlive(":fiId", ":accountId", ":pspId", ":scope", ":agreedAfter")}
      OR NOT EXISTS (SELECT 1 FROM financial_institutions WHERE id = :fiId))`;

export const NEW_TOKEN_STATEMENTS = {
  insert: `
    ${INSERT} SELECT ${TOKEN}, ${EXPIRY}, NULL, :agreedAfter,
      ${permissionOfToken(":id", ":fiId", ":accountId", ":pspId", ":scope", ":issuedAt")}
    WHERE ${UNBLOCKED} AND ${CODE_IS_ALIVE}
    ${KEEPING_REVOCATION}`,
  // One statement reads the consent and writes the token, so the consent cannot end in between. `exp` is in whole
  // seconds, so a consent in its last partial second counts as ended: its token would have expired already.
  insertUnderAccountAccessConsent: `
    ${INSERT} SELECT ${TOKEN},
      min(${EXPIRY}, coalesce(ends_at / 1000 * 1000, ${EXPIRY})), NULL, :agreedAfter, NULL
    FROM account_access_consents
    WHERE ${CONSENT} AND status = 'Authorised' AND codes_after <= :agreedAfter
      AND (ends_at IS NULL OR ends_at / 1000 * 1000 > :issuedAt) AND ${UNBLOCKED}
    ${KEEPING_REVOCATION}`,
  noteAccountAccessToken: `
    UPDATE account_access_consents SET last_token_at = token.issued_at
    FROM tokens AS token
    WHERE token.id = :id AND token.revoked_at IS NULL AND account_access_consents.id = token.consent_id
      AND account_access_consents.fi_id = token.fi_id
      AND coalesce(account_access_consents.last_token_at, 0) < token.issued_at`,
  // The next two statements run in one batch, which is a transaction: only the token that consumes the consent is
  // stored under it. A token that was revoked before it is stored (by a faster replay, or abandoned) does not consume
  // it.
  consumePaymentOrderConsent: `
    UPDATE payment_order_consents SET status = 'Consumed', token_id = :id, status_updated_at = :issuedAt, agreed_after = :agreedAfter
    WHERE ${CONSENT} AND status = 'Authorised' AND ended_by IS NULL AND codes_after <= :agreedAfter AND ${UNBLOCKED}
      AND NOT EXISTS (SELECT 1 FROM tokens WHERE id = :id AND revoked_at IS NOT NULL)`,
  insertUnderPaymentOrderConsent: `
    ${INSERT} SELECT ${TOKEN}, ${EXPIRY}, NULL, :agreedAfter, NULL
    FROM payment_order_consents WHERE ${CONSENT} AND token_id = :id
    ${KEEPING_REVOCATION}`,
  notePaymentOrderToken: `
    UPDATE payment_order_consents SET
      last_token_at = token.issued_at, valid_until = token.expires_at, ends_at = token.expires_at
    FROM tokens AS token
    WHERE token.id = :id AND token.revoked_at IS NULL AND payment_order_consents.id = token.consent_id
      AND payment_order_consents.token_id = token.id AND payment_order_consents.ended_by IS NULL`,
  freePaymentOrderConsent: `
    UPDATE payment_order_consents SET status = 'Authorised', token_id = NULL, status_updated_at = :issuedAt,
      last_token_at = NULL, valid_until = NULL, ends_at = iif(ended_by IS NULL, NULL, ends_at)
    WHERE ${CONSENT} AND token_id = :id`,
  // one that is not stored yet, only while it may still be: a later replay of a code must not bring back its account, which
  // may have been erased
  insertRevoked: `
    ${INSERT} SELECT ${TOKEN}, :issuedAt, :issuedAt, :agreedAfter, NULL
    WHERE EXISTS (SELECT 1 FROM tokens WHERE id = :id) OR (:consentId IS NULL AND ${CODE_IS_ALIVE})
      OR EXISTS (SELECT 1 FROM account_access_consents WHERE ${CONSENT})
      OR EXISTS (SELECT 1 FROM payment_order_consents WHERE ${CONSENT})
    ON CONFLICT (id) DO UPDATE SET revoked_at = coalesce(revoked_at, min(excluded.revoked_at, expires_at))`,
} as const;

/** Of the trigger no_token_for_disabled_institutions, which undoes the whole transaction. */
const INACTIVE = "the institution is not active";

/**
 * Stores a token with the lifetime that its FI has set for the scope, else with `lifetimeSeconds`, but not longer than that
 * of its account access consent. Returns the expiry; null if the consent has ended or was withdrawn, if it was consumed by
 * another token (payment orders), or if the account is blocked; `inactive` if the FI is disabled or removed. If a replay of
 * the code has revoked the token already, it is stored as revoked. The tokens with the ids `abandoned` are abandoned
 * ({@link abandonToken}) in the same transaction.
 */
export async function insertToken(
  db: D1Database,
  token: NewToken,
  lifetimeSeconds: number,
  abandoned: readonly string[] = [],
): Promise<Instant | "inactive" | null> {
  // in whole seconds like `exp`, so that the token expires exactly at its `exp`
  const expiresAt = (toSeconds(token.issuedAt) + lifetimeSeconds) * 1000;
  const before = abandonStatements(db, token, abandoned);
  const inserts = insertStatements(db, token, expiresAt);
  const after = noteStatements(db, token);
  const results = await callStore("D1", () =>
    db.batch<{ expires_at: Instant }>([...before, ...inserts, ...after]),
  ).catch((error: unknown) => {
    if (error instanceof StoreError && error.message.includes(INACTIVE)) return null;
    throw error;
  });
  if (results === null) return "inactive";
  return results[before.length + inserts.length - 1]?.results[0]?.expires_at ?? null;
}

function insertStatements(db: D1Database, token: NewToken, expiresAt: Instant): D1PreparedStatement[] {
  const statements = NEW_TOKEN_STATEMENTS;
  const insert = (sql: string) => bindNamed(db, sql, { ...token, expiresAt });
  if (token.consentId === null) return [insert(statements.insert)];
  switch (token.scope) {
    case "accounts":
      return [insert(statements.insertUnderAccountAccessConsent)];
    case "payments":
      return [insert(statements.consumePaymentOrderConsent), insert(statements.insertUnderPaymentOrderConsent)];
  }
}

/** After the insert: writes what the customer's list of permissions says of the token, if it is stored alive. */
function noteStatements(db: D1Database, token: NewToken): D1PreparedStatement[] {
  if (token.consentId === null) return [grantStatement(db, token)];
  const { noteAccountAccessToken, notePaymentOrderToken } = NEW_TOKEN_STATEMENTS;
  return [bindNamed(db, token.scope === "accounts" ? noteAccountAccessToken : notePaymentOrderToken, token)];
}

/**
 * Revokes a token whose code was used twice as of its `issuedAt`, also if it is not stored yet: a later insert keeps it
 * revoked. Where no insert can follow, nothing is stored for a token that is not there. `news`: notify the institution.
 */
export async function insertRevokedToken(
  db: D1Database,
  token: NewToken,
  abandoned: readonly string[] = [],
  news: readonly D1PreparedStatement[] = [],
): Promise<void> {
  const insert = bindNamed(db, NEW_TOKEN_STATEMENTS.insertRevoked, token);
  const endedBy = "code_used_twice";
  const settle = [...settleStatements(db, token, endedBy), settlePaymentStatement(db, token, endedBy)];
  await callStore("D1", () => db.batch([...abandonStatements(db, token, abandoned), insert, ...settle, ...news]));
}

/**
 * Revokes a token that was never returned to a caller. If it has consumed a payment order consent, the consent is
 * Authorised again.
 */
export async function abandonToken(db: D1Database, token: NewToken): Promise<void> {
  await callStore("D1", () => db.batch(abandonStatements(db, token, [token.id])));
}

/** The statements for tokens that are equal to `token` except for their ids. */
function abandonStatements(db: D1Database, token: NewToken, ids: readonly string[]): D1PreparedStatement[] {
  const { insertRevoked, freePaymentOrderConsent } = NEW_TOKEN_STATEMENTS;
  const underPaymentOrder = token.consentId !== null && token.scope === "payments";
  return ids.flatMap((id) => [
    bindNamed(db, insertRevoked, { ...token, id }),
    ...(underPaymentOrder ? [bindNamed(db, freePaymentOrderConsent, { ...token, id })] : []),
    ...(token.consentId === null ? settleStatements(db, { ...token, id }, null) : []),
  ]);
}
