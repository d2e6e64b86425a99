/** Access tokens in D1. The text of a token is not here: see access-token.ts. */
import { toSeconds } from "../clock.ts";
import { reach } from "../store-error.ts";
import type { Scope } from "./scopes.ts";

/** At most so many tokens of an account are listed (the cap that the interface mentions). */
export const MAX_LISTED_TOKENS = 400;

/** Times in milliseconds since 1970. */
export interface Token {
  readonly id: string;
  readonly kid: string;
  readonly fiId: number;
  readonly pspId: string;
  readonly accountId: string;
  readonly scope: Scope;
  readonly consentId: string | null;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
}

export type NewToken = Omit<Token, "expiresAt" | "revokedAt">;

// a replay of the code may have come first: what it revoked stays revoked
const KEEPING_REVOCATION = `
    ON CONFLICT (id) DO UPDATE SET kid = excluded.kid, issued_at = excluded.issued_at, expires_at = excluded.expires_at
    RETURNING expires_at`;
const COLUMNS = "id, kid, fi_id, psp_id, account_id, scope, consent_id, issued_at, expires_at, revoked_at";

export const TOKEN_STATEMENTS = {
  insert: `
    INSERT INTO tokens (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, NULL) ${KEEPING_REVOCATION}`,
  // One statement reads the consent and writes the token: nothing can end the consent in between. `exp` is in whole
  // seconds, so a consent in its last partial second is treated as ended: its token would be expired already.
  insertUnderConsent: `
    INSERT INTO tokens (${COLUMNS})
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, min(?9, coalesce(ends_at / 1000 * 1000, ?9)), NULL
    FROM account_access_consents
    WHERE id = ?7 AND fi_id = ?3 AND psp_id = ?4 AND status = 'Authorised'
      AND (ends_at IS NULL OR ends_at / 1000 * 1000 > ?8)
    ${KEEPING_REVOCATION}`,
  insertRevoked: `
    INSERT INTO tokens (${COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?8)
    ON CONFLICT (id) DO UPDATE SET
      revoked_at = iif(revoked_at IS NULL AND expires_at > excluded.revoked_at, excluded.revoked_at, revoked_at)`,
  find: `SELECT ${COLUMNS} FROM tokens WHERE id = ?1 AND fi_id = ?2`,
  list: `SELECT ${COLUMNS} FROM tokens WHERE fi_id = ?1 AND account_id = ?2 ORDER BY id DESC LIMIT ${MAX_LISTED_TOKENS}`,
  revoke: `
    UPDATE tokens SET revoked_at = iif(revoked_at IS NULL AND expires_at > ?3, ?3, revoked_at)
    WHERE id = ?1 AND fi_id = ?2 RETURNING id`,
} as const;

interface TokenRow {
  id: string;
  kid: string;
  fi_id: number;
  psp_id: string;
  account_id: string;
  scope: Scope;
  consent_id: string | null;
  issued_at: number;
  expires_at: number;
  revoked_at: number | null;
}

const fromRow = (row: TokenRow): Token => ({
  id: row.id,
  kid: row.kid,
  fiId: row.fi_id,
  pspId: row.psp_id,
  accountId: row.account_id,
  scope: row.scope,
  consentId: row.consent_id,
  issuedAt: row.issued_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
});

const values = (token: NewToken) =>
  [
    token.id,
    token.kid,
    token.fiId,
    token.pspId,
    token.accountId,
    token.scope,
    token.consentId,
    token.issuedAt,
  ] as const;

export const isActive = (token: Token, now: number): boolean => token.revokedAt === null && now < token.expiresAt;

/**
 * Stores a token that lives for `lifetimeSeconds`, but never longer than its account access consent, and answers when
 * it expires; null when the consent ended. A token that a replay of its code has already revoked is stored as revoked.
 */
export async function insertToken(db: D1Database, token: NewToken, lifetimeSeconds: number): Promise<number | null> {
  const statement =
    token.consentId !== null && token.scope === "accounts"
      ? TOKEN_STATEMENTS.insertUnderConsent
      : TOKEN_STATEMENTS.insert;
  // whole seconds, as `exp` is: the token dies at the very instant that it tells
  const expiresAt = (toSeconds(token.issuedAt) + lifetimeSeconds) * 1000;
  const insert = db.prepare(statement).bind(...values(token), expiresAt);
  const row = await reach("D1", () => insert.first<{ expires_at: number }>());
  return row?.expires_at ?? null;
}

/** Makes a token dead whether or not it is stored already: a later insert does not revive it. `issuedAt` is now. */
export async function insertRevokedToken(db: D1Database, token: NewToken): Promise<void> {
  const insert = db.prepare(TOKEN_STATEMENTS.insertRevoked).bind(...values(token));
  await reach("D1", () => insert.run());
}

/** Reads from the primary: a revocation counts at once, everywhere. */
export async function findToken(db: D1Database, fiId: number, id: string): Promise<Token | null> {
  const find = db.withSession("first-primary").prepare(TOKEN_STATEMENTS.find).bind(id, fiId);
  const row = await reach("D1", () => find.first<TokenRow>());
  return row ? fromRow(row) : null;
}

/** The FI's tokens of an account, newest first, at most {@link MAX_LISTED_TOKENS}. */
export async function listTokens(db: D1Database, fiId: number, accountId: string): Promise<Token[]> {
  const list = db.withSession("first-primary").prepare(TOKEN_STATEMENTS.list).bind(fiId, accountId);
  const { results } = await reach("D1", () => list.all<TokenRow>());
  return results.map(fromRow);
}

/**
 * True when the FI has such a token. A second revocation leaves the time of the first, and an expired token is not
 * revoked any more: `revokedAt` stays null.
 */
export async function revokeToken(db: D1Database, fiId: number, id: string, now: number): Promise<boolean> {
  const revoke = db.prepare(TOKEN_STATEMENTS.revoke).bind(id, fiId, now);
  return (await reach("D1", () => revoke.first())) !== null;
}
