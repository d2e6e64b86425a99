/** Account access consents in D1: AwaitingAuthorisation -> Authorised -> Revoked. */

import { callStore } from "../store-error.ts";
import { isBlocked } from "./account-block.ts";
import type { Authorisation, ConsentOwner } from "./consent.ts";
import { type DateTime, formatDateTime } from "./date-times.ts";
import type { AccessPermission } from "./permissions.ts";

/** One that is revoked is found no more. */
type AccountAccessConsentStatus = "AwaitingAuthorisation" | "Authorised";

/** The access that the PSP requests. Date-times are RFC 3339 in UTC; null means open ended. */
export interface AccountAccess {
  readonly permissions: readonly AccessPermission[];
  readonly expirationDateTime: string | null;
  readonly transactionFromDateTime: string | null;
  readonly transactionToDateTime: string | null;
}

export interface AccountAccessConsent extends AccountAccess {
  readonly id: string;
  readonly status: AccountAccessConsentStatus;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly statusUpdatedAt: number;
}

const MINE_AND_ALIVE =
  "id = ?1 AND fi_id = ?2 AND psp_id = ?3 AND status <> 'Revoked' AND (ends_at IS NULL OR ends_at > ?4)";

const ACCOUNT_IS_BLOCKED = isBlocked("?2", "?5", "'accounts'");

export const ACCOUNT_ACCESS_CONSENT_STATEMENTS = {
  insert: `
    INSERT INTO account_access_consents (id, fi_id, psp_id, status, created_at, status_updated_at, permissions,
      expiration_date_time, transaction_from_date_time, transaction_to_date_time, ends_at)
    VALUES (?1, ?2, ?3, 'AwaitingAuthorisation', ?4, ?4, ?5, ?6, ?7, ?8, ?9)`,
  find: `SELECT * FROM account_access_consents WHERE ${MINE_AND_ALIVE}`,
  authorise: `
    UPDATE account_access_consents
    SET status_updated_at = iif(status = 'Authorised', status_updated_at, ?4), status = 'Authorised',
      account_id = coalesce(account_id, ?5), granted_at = coalesce(granted_at, ?4)
    WHERE ${MINE_AND_ALIVE} AND NOT ${ACCOUNT_IS_BLOCKED} RETURNING account_id`,
  isBlocked: `SELECT ${ACCOUNT_IS_BLOCKED} AS blocked FROM account_access_consents WHERE ${MINE_AND_ALIVE}`,
  // idempotent: a second revocation keeps the time of the first
  revoke: `
    UPDATE account_access_consents
    SET status_updated_at = iif(status = 'Revoked', status_updated_at, ?4),
      ends_at = iif(status = 'Revoked', ends_at, ?4), ended_by = iif(status = 'Revoked', ended_by, 'psp'),
      status = 'Revoked'
    WHERE id = ?1 AND fi_id = ?2 AND psp_id = ?3 AND (status = 'Revoked' OR ends_at IS NULL OR ends_at > ?4)
    RETURNING id`,
  // runs after `revoke` in the same batch; a batch is a transaction. Tokens of a consent are of its account
  revokeTokens: `
    UPDATE tokens SET revoked_at = ?4
    WHERE fi_id = ?2 AND expires_at > ?4 AND consent_id = ?1 AND psp_id = ?3 AND revoked_at IS NULL
      AND account_id = (SELECT account_id FROM account_access_consents WHERE id = ?1 AND status = 'Revoked')`,
} as const;

/** Times in milliseconds since 1970. */
interface AccountAccessConsentRow {
  id: string;
  status: AccountAccessConsentStatus;
  created_at: number;
  status_updated_at: number;
  permissions: string;
  expiration_date_time: string | null;
  transaction_from_date_time: string | null;
  transaction_to_date_time: string | null;
}

const DAY_MS = 86_400_000;

/**
 * The expiration of a consent that is created at `now` (milliseconds since 1970), at most `maxDays` later (0: no limit).
 * `cut`: the requested one is later, or there is none.
 */
export function limitExpiration(
  requested: DateTime | null,
  maxDays: number,
  now: number,
): { readonly expiration: DateTime | null; readonly cut: boolean } {
  const latest = now + maxDays * DAY_MS;
  if (!(maxDays > 0) || (requested && requested.milliseconds <= latest)) return { expiration: requested, cut: false };
  return { expiration: { milliseconds: latest, utc: formatDateTime(latest) }, cut: true };
}

/** `endsAt`: the expiration in milliseconds since 1970, null if open ended. `now`: milliseconds since 1970. */
export async function insertAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  consent: AccountAccess & { id: string; endsAt: number | null },
  now: number,
): Promise<AccountAccessConsent> {
  const { endsAt, ...stored } = consent;
  const insert = db
    .prepare(ACCOUNT_ACCESS_CONSENT_STATEMENTS.insert)
    .bind(
      consent.id,
      owner.fiId,
      owner.pspId,
      now,
      JSON.stringify(consent.permissions),
      consent.expirationDateTime,
      consent.transactionFromDateTime,
      consent.transactionToDateTime,
      endsAt,
    );
  await callStore("D1", () => insert.run());
  return { ...stored, status: "AwaitingAuthorisation", createdAt: now, statusUpdatedAt: now };
}

/**
 * The owner's consent, read from the primary; null if there is none with this id, or if it was revoked or has expired.
 * `now`: milliseconds since 1970.
 */
export async function findAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  now: number,
): Promise<AccountAccessConsent | null> {
  const find = db
    .withSession("first-primary")
    .prepare(ACCOUNT_ACCESS_CONSENT_STATEMENTS.find)
    .bind(id, owner.fiId, owner.pspId, now);
  const row = await callStore("D1", () => find.first<AccountAccessConsentRow>());
  return (
    row && {
      id: row.id,
      status: row.status,
      createdAt: row.created_at,
      statusUpdatedAt: row.status_updated_at,
      permissions: JSON.parse(row.permissions) as AccessPermission[],
      expirationDateTime: row.expiration_date_time,
      transactionFromDateTime: row.transaction_from_date_time,
      transactionToDateTime: row.transaction_to_date_time,
    }
  );
}

/**
 * Authorises the consent for `accountId` at `now` (milliseconds since 1970). "unknown": the owner has no such consent, or
 * it has ended.
 */
export async function authoriseAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  accountId: string,
  now: number,
): Promise<Authorisation> {
  const { authorise, isBlocked } = ACCOUNT_ACCESS_CONSENT_STATEMENTS;
  const [first, second] = await callStore("D1", () =>
    db.batch<{ blocked: 0 | 1 } | { account_id: string }>(
      [isBlocked, authorise].map((sql) => db.prepare(sql).bind(id, owner.fiId, owner.pspId, now, accountId)),
    ),
  );
  const row = second?.results[0] ?? first?.results[0];
  if (!row) return "unknown";
  if ("blocked" in row) return "blocked";
  return row.account_id === accountId ? "authorised" : "other_account";
}

/**
 * Revokes the consent and its tokens at `now` (milliseconds since 1970) in one transaction. Also true if the consent was revoked before, because a caller
 * that did not receive the answer repeats the request. False if the owner has no such consent, or if it has expired.
 */
export async function revokeAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  now: number,
): Promise<boolean> {
  const { revoke, revokeTokens } = ACCOUNT_ACCESS_CONSENT_STATEMENTS;
  const [revoked] = await callStore("D1", () =>
    db.batch([revoke, revokeTokens].map((sql) => db.prepare(sql).bind(id, owner.fiId, owner.pspId, now))),
  );
  return (revoked?.results.length ?? 0) > 0;
}
