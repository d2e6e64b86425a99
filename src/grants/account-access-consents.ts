/** Account access consents in D1: AwaitingAuthorisation -> Authorised -> Revoked. */

import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { isBlocked } from "./account-block.ts";
import { type DateTime, formatDateTime } from "./date-times.ts";
import {
  type AccessPermission,
  type Authorisation,
  type ConsentOwner,
  type Ended,
  hasRunOut,
  RETURNING_TOKEN,
  readEnded,
} from "./permission.ts";
import { LAST_TICKET } from "./record-order.ts";

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
  readonly createdAt: Instant;
  readonly statusUpdatedAt: Instant;
}

const MINE = "id = :id AND fi_id = :fiId AND psp_id = :pspId";
const MINE_AND_ALIVE = `${MINE} AND status <> 'Revoked' AND (ends_at IS NULL OR ends_at > :now)`;

const ACCOUNT_IS_BLOCKED = isBlocked(":fiId", ":accountId", "'accounts'");

export const ACCOUNT_ACCESS_CONSENT_STATEMENTS = {
  insert: `
    INSERT INTO account_access_consents (id, fi_id, psp_id, status, created_at, status_updated_at, permissions,
      expiration_date_time, transaction_from_date_time, transaction_to_date_time, ends_at)
    VALUES (:id, :fiId, :pspId, 'AwaitingAuthorisation', :now, :now, :permissions,
      :expirationDateTime, :transactionFromDateTime, :transactionToDateTime, :endsAt)`,
  find: `
    SELECT id, status, created_at AS createdAt, status_updated_at AS statusUpdatedAt, permissions, ends_at AS endsAt,
      expiration_date_time AS expirationDateTime, transaction_from_date_time AS transactionFromDateTime,
      transaction_to_date_time AS transactionToDateTime
    FROM account_access_consents WHERE ${MINE}`,
  authorise: `
    UPDATE account_access_consents
    SET status_updated_at = iif(status = 'Authorised', status_updated_at, :now), status = 'Authorised',
      account_id = coalesce(account_id, :accountId), granted_at = coalesce(granted_at, :now),
      agreed_after = iif(coalesce(account_id, :accountId) = :accountId, ${LAST_TICKET}, agreed_after)
    WHERE ${MINE_AND_ALIVE} AND NOT ${ACCOUNT_IS_BLOCKED} RETURNING account_id, agreed_after`,
  // why nothing is authorised: the consent has ended, or its account is blocked
  findEnd: `
    SELECT status, ends_at AS endsAt, expiration_date_time AS expirationDateTime
    FROM account_access_consents WHERE ${MINE}`,
  // idempotent: a second revocation keeps the time of the first. No time is asked, which may be ahead: one that has run out
  // is revoked, too
  revoke: `
    UPDATE account_access_consents
    SET status_updated_at = iif(status = 'Revoked', status_updated_at, :now),
      ends_at = iif(status = 'Revoked', ends_at, min(coalesce(ends_at, :now), :now)),
      ended_by = iif(status = 'Revoked', ended_by, 'psp'), status = 'Revoked'
    WHERE ${MINE}
    RETURNING iif(ends_at = :now, 'permission', 'before') AS ended, id, psp_id, 'accounts' AS scope,
      ends_at AS endsAt, expiration_date_time AS expirationDateTime`,
  // runs after `revoke` in the same batch; a batch is a transaction. Tokens of a consent are of its account
  revokeTokens: `
    UPDATE tokens SET revoked_at = min(:now, expires_at)
    WHERE fi_id = :fiId AND consent_id = :id AND psp_id = :pspId AND revoked_at IS NULL
      AND account_id = (SELECT account_id FROM account_access_consents WHERE id = :id AND status = 'Revoked')
    ${RETURNING_TOKEN}`,
} as const;

interface EndRow {
  readonly status: AccountAccessConsentStatus | "Revoked";
  readonly endsAt: Instant | null;
  readonly expirationDateTime: string | null;
}

/**
 * How a consent has ended at `now`; null if it has not. Its PSP may know that it has expired, also when somebody has ended
 * it after that. One that was ended before is gone.
 */
function findEnd({ status, endsAt, expirationDateTime }: EndRow, now: Instant): "expired" | "ended" | null {
  const isOver = endsAt !== null && endsAt <= now;
  if (status !== "Revoked") return isOver ? "expired" : null;
  return isOver && hasRunOut(endsAt, expirationDateTime) ? "expired" : "ended";
}

const DAY_MS = 86_400_000;

/**
 * The expiration of a consent that is created at `now`, at most `maxDays` later (0: no limit). `cut`: the requested one is
 * later, or there is none.
 */
export function limitExpiration(
  requested: DateTime | null,
  maxDays: number,
  now: Instant,
): { readonly expiration: DateTime | null; readonly cut: boolean } {
  const latest = now + maxDays * DAY_MS;
  if (!(maxDays > 0) || (requested && requested.milliseconds <= latest)) return { expiration: requested, cut: false };
  return { expiration: { milliseconds: latest, utc: formatDateTime(latest) }, cut: true };
}

export async function insertAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  consent: AccountAccess & { id: string; endsAt: Instant | null },
  now: Instant,
): Promise<AccountAccessConsent> {
  const { endsAt, ...stored } = consent;
  const insert = bindNamed(db, ACCOUNT_ACCESS_CONSENT_STATEMENTS.insert, {
    ...{ ...owner, ...consent, now },
    permissions: JSON.stringify(consent.permissions),
  });
  await callStore("D1", () => insert.run());
  return { ...stored, status: "AwaitingAuthorisation", createdAt: now, statusUpdatedAt: now };
}

/** The owner's consent, read from the primary; null if there is none with this id, or if it was revoked. */
export async function findAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  now: Instant,
): Promise<AccountAccessConsent | "expired" | null> {
  const find = bindNamed(db.withSession("first-primary"), ACCOUNT_ACCESS_CONSENT_STATEMENTS.find, { id, ...owner });
  type Row = Omit<AccountAccessConsent, "permissions"> & {
    readonly permissions: string;
    readonly endsAt: Instant | null;
  };
  const row = await callStore("D1", () => find.first<Row>());
  const end = row && findEnd(row, now);
  if (!row || end !== null) return end === "expired" ? end : null;
  const { endsAt: _, permissions, ...consent } = row;
  return { ...consent, permissions: JSON.parse(permissions) as AccessPermission[] };
}

/** Authorises the consent for `accountId` at `now`. "unknown": the owner has no such consent, or it was revoked. */
export async function authoriseAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  accountId: string,
  now: Instant,
): Promise<Authorisation> {
  const { authorise, findEnd: read } = ACCOUNT_ACCESS_CONSENT_STATEMENTS;
  const [first, second] = await callStore("D1", () =>
    db.batch<EndRow & { account_id: string; agreed_after: number }>(
      [read, authorise].map((sql) => bindNamed(db, sql, { id, ...owner, now, accountId })),
    ),
  );
  const [authorised] = second?.results ?? [];
  if (authorised)
    return authorised.account_id === accountId
      ? { ok: true, agreedAfter: authorised.agreed_after }
      : { ok: false, reason: "other_account" };
  const [row] = first?.results ?? [];
  const end = row ? findEnd(row, now) : "ended";
  return { ok: false, reason: end === "expired" ? end : end === null ? "blocked" : "unknown" };
}

/**
 * Revokes the consent and its tokens at `now` in one transaction. Not null either if the consent was revoked before,
 * because a caller that did not receive the answer repeats the request: then nothing ended. Null if the owner has no such
 * consent, or if it has expired.
 */
export async function revokeAccountAccessConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  now: Instant,
): Promise<Ended | null> {
  const { revoke, revokeTokens } = ACCOUNT_ACCESS_CONSENT_STATEMENTS;
  const results = await callStore("D1", () =>
    db.batch<EndRow>([revoke, revokeTokens].map((sql) => bindNamed(db, sql, { id, ...owner, now }))),
  );
  const row = results[0]?.results[0];
  if (row === undefined || findEnd({ ...row, status: "Revoked" }, now) === "expired") return null;
  return readEnded(results);
}
