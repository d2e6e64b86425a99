/**
 * Payment order consents in D1: AwaitingAuthorisation -> Authorised -> Consumed. One token consumes it (new-token.ts).
 * One that was withdrawn before that (withdrawal.ts) is gone for its PSP.
 */

import type { Instant } from "../platform/instant.ts";
import { digestCursor } from "../platform/secrets.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { isBlocked } from "./account-block.ts";
import { type Authorisation, type ConsentOwner, type EndedBy, returningPermission } from "./permission.ts";
import { isRecordId, LAST_TICKET } from "./record-order.ts";

type PaymentOrderConsentStatus = "AwaitingAuthorisation" | "Authorised" | "Consumed";

export interface PaymentOrderConsent {
  readonly id: string;
  readonly status: PaymentOrderConsentStatus;
  readonly createdAt: Instant;
  readonly statusUpdatedAt: Instant;
  /** The payment order as the PSP sent it, in the interface's spelling. */
  readonly initiation: object;
}

const COLUMNS = "id, status, created_at AS createdAt, status_updated_at AS statusUpdatedAt, initiation";
const NOT_WITHDRAWN = "(ended_by IS NULL OR status = 'Consumed')";
const MINE = `id = :id AND fi_id = :fiId AND psp_id = :pspId AND ${NOT_WITHDRAWN}`;
const ACCOUNT_IS_BLOCKED = isBlocked(":fiId", ":accountId", "'payments'");

export const PAYMENT_ORDER_CONSENT_STATEMENTS = {
  insert: `
    INSERT INTO payment_order_consents (id, fi_id, psp_id, status, created_at, status_updated_at, initiation)
    VALUES (:id, :fiId, :pspId, 'AwaitingAuthorisation', :now, :now, :initiation)`,
  find: `SELECT ${COLUMNS} FROM payment_order_consents WHERE ${MINE}`,
  list: `
    SELECT ${COLUMNS} FROM payment_order_consents
    WHERE fi_id = :fiId AND psp_id = :pspId AND id < :before AND ${NOT_WITHDRAWN}
    ORDER BY id DESC LIMIT :limit`,
  authorise: `
    UPDATE payment_order_consents
    SET status_updated_at = iif(status = 'AwaitingAuthorisation', :now, status_updated_at),
      status = iif(status = 'AwaitingAuthorisation', 'Authorised', status),
      account_id = coalesce(account_id, :accountId), granted_at = coalesce(granted_at, :now),
      agreed_after = iif(status <> 'Consumed' AND coalesce(account_id, :accountId) = :accountId, ${LAST_TICKET}, agreed_after)
    WHERE ${MINE} AND NOT ${ACCOUNT_IS_BLOCKED} RETURNING status, account_id, agreed_after`,
  isBlocked: `SELECT ${ACCOUNT_IS_BLOCKED} AS blocked FROM payment_order_consents WHERE ${MINE}`,
  // after the revocation of the token: the permission that it stood for is over
  settle: `
    UPDATE payment_order_consents SET ends_at = token.revoked_at, ended_by = :endedBy
    FROM tokens AS token
    WHERE token.id = :tokenId AND token.fi_id = :fiId AND token.revoked_at IS NOT NULL
      AND payment_order_consents.id = token.consent_id AND payment_order_consents.token_id = token.id
      AND payment_order_consents.ended_by IS NULL
    ${returningPermission("'payments'")}`,
} as const;

type PaymentOrderConsentRow = Omit<PaymentOrderConsent, "initiation"> & { readonly initiation: string };

const fromRow = (row: PaymentOrderConsentRow): PaymentOrderConsent => ({
  ...row,
  initiation: JSON.parse(row.initiation) as object,
});

export async function insertPaymentOrderConsent(
  db: D1Database,
  owner: ConsentOwner,
  consent: { id: string; initiation: object },
  now: Instant,
): Promise<PaymentOrderConsent> {
  const values = { id: consent.id, ...owner, now, initiation: JSON.stringify(consent.initiation) };
  const insert = bindNamed(db, PAYMENT_ORDER_CONSENT_STATEMENTS.insert, values);
  await callStore("D1", () => insert.run());
  return { ...consent, status: "AwaitingAuthorisation", createdAt: now, statusUpdatedAt: now };
}

export async function findPaymentOrderConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
): Promise<PaymentOrderConsent | null> {
  const find = bindNamed(db.withSession("first-primary"), PAYMENT_ORDER_CONSENT_STATEMENTS.find, { id, ...owner });
  const row = await callStore("D1", () => find.first<PaymentOrderConsentRow>());
  return row && fromRow(row);
}

/** At most `limit` consents, newest first, created before the one with the id `before`; null: from the newest on. */
export async function listPaymentOrderConsents(
  db: D1Database,
  owner: ConsentOwner,
  limit: number,
  before: string | null,
): Promise<PaymentOrderConsent[]> {
  // "~" sorts after every id
  const values = { ...owner, before: before ?? "~", limit };
  const list = bindNamed(db.withSession("first-primary"), PAYMENT_ORDER_CONSENT_STATEMENTS.list, values);
  return (await callStore("D1", () => list.all<PaymentOrderConsentRow>())).results.map(fromRow);
}

/** Authorises the consent for an account at `now`. "unknown": the owner has no such consent. */
export async function authorisePaymentOrderConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  accountId: string,
  now: Instant,
): Promise<Authorisation> {
  const { authorise, isBlocked } = PAYMENT_ORDER_CONSENT_STATEMENTS;
  type Row = { blocked: 0 | 1 } | { status: PaymentOrderConsentStatus; account_id: string; agreed_after: number };
  const [first, second] = await callStore("D1", () =>
    db.batch<Row>([isBlocked, authorise].map((sql) => bindNamed(db, sql, { id, ...owner, now, accountId }))),
  );
  const row = second?.results[0] ?? first?.results[0];
  if (!row) return { ok: false, reason: "unknown" };
  if ("blocked" in row) return { ok: false, reason: "blocked" };
  if (row.status === "Consumed") return { ok: false, reason: "consumed" };
  if (row.account_id !== accountId) return { ok: false, reason: "other_account" };
  return { ok: true, agreedAfter: row.agreed_after };
}

/** For the transaction that revokes a token: ends the payment order consent that the token has consumed, if any. */
export const settlePaymentStatement = (
  db: D1Database,
  token: { readonly id: string; readonly fiId: number },
  endedBy: EndedBy,
): D1PreparedStatement =>
  bindNamed(db, PAYMENT_ORDER_CONSENT_STATEMENTS.settle, { tokenId: token.id, fiId: token.fiId, endedBy });

/** Opaque to the caller, and no secret: a position in a list that the caller may read anyway. */
export const writePaymentOrderCursor = (owner: ConsentOwner, id: string): string =>
  `${id}.${digestCursor(owner.fiId, owner.pspId, id)}`;

/** The inverse of {@link writePaymentOrderCursor}: the id; null for any other text, and for a cursor of another list. */
export function parsePaymentOrderCursor(owner: ConsentOwner, text: string): string | null {
  const [id = ""] = text.split(".");
  return isRecordId(id) && text === writePaymentOrderCursor(owner, id) ? id : null;
}
