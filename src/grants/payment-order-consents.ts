/**
 * Payment order consents in D1: AwaitingAuthorisation -> Authorised -> Consumed. One token consumes it (new-token.ts).
 */
import { callStore } from "../store-error.ts";
import type { Authorisation, ConsentOwner } from "./consent.ts";

type PaymentOrderConsentStatus = "AwaitingAuthorisation" | "Authorised" | "Consumed";

export interface PaymentOrderConsent {
  readonly id: string;
  readonly status: PaymentOrderConsentStatus;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly statusUpdatedAt: number;
  /** The payment order as the PSP sent it, in the interface's spelling. */
  readonly initiation: object;
}

const COLUMNS = "id, status, created_at, status_updated_at, initiation";
const MINE = "id = ?1 AND fi_id = ?2 AND psp_id = ?3";

export const PAYMENT_ORDER_CONSENT_STATEMENTS = {
  insert: `
    INSERT INTO payment_order_consents (id, fi_id, psp_id, status, created_at, status_updated_at, initiation)
    VALUES (?1, ?2, ?3, 'AwaitingAuthorisation', ?4, ?4, ?5)`,
  find: `SELECT ${COLUMNS} FROM payment_order_consents WHERE ${MINE}`,
  list: `
    SELECT ${COLUMNS} FROM payment_order_consents WHERE fi_id = ?1 AND psp_id = ?2 AND id < ?3
    ORDER BY id DESC LIMIT ?4`,
  authorise: `
    UPDATE payment_order_consents
    SET status_updated_at = iif(status = 'AwaitingAuthorisation', ?4, status_updated_at),
      status = iif(status = 'AwaitingAuthorisation', 'Authorised', status),
      account_id = coalesce(account_id, ?5)
    WHERE ${MINE} RETURNING status, account_id`,
} as const;

/** Times in milliseconds since 1970. */
interface PaymentOrderConsentRow {
  id: string;
  status: PaymentOrderConsentStatus;
  created_at: number;
  status_updated_at: number;
  initiation: string;
}

const fromRow = (row: PaymentOrderConsentRow): PaymentOrderConsent => ({
  id: row.id,
  status: row.status,
  createdAt: row.created_at,
  statusUpdatedAt: row.status_updated_at,
  initiation: JSON.parse(row.initiation) as object,
});

/** `now`: the time of creation in milliseconds since 1970. */
export async function insertPaymentOrderConsent(
  db: D1Database,
  owner: ConsentOwner,
  consent: { id: string; initiation: object },
  now: number,
): Promise<PaymentOrderConsent> {
  const insert = db
    .prepare(PAYMENT_ORDER_CONSENT_STATEMENTS.insert)
    .bind(consent.id, owner.fiId, owner.pspId, now, JSON.stringify(consent.initiation));
  await callStore("D1", () => insert.run());
  return { ...consent, status: "AwaitingAuthorisation", createdAt: now, statusUpdatedAt: now };
}

export async function findPaymentOrderConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
): Promise<PaymentOrderConsent | null> {
  const find = db
    .withSession("first-primary")
    .prepare(PAYMENT_ORDER_CONSENT_STATEMENTS.find)
    .bind(id, owner.fiId, owner.pspId);
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
  const list = db
    .withSession("first-primary")
    .prepare(PAYMENT_ORDER_CONSENT_STATEMENTS.list)
    .bind(owner.fiId, owner.pspId, before ?? "~", limit);
  return (await callStore("D1", () => list.all<PaymentOrderConsentRow>())).results.map(fromRow);
}

/** Authorises the consent for an account at `now` (milliseconds since 1970). "unknown": the owner has no such consent. */
export async function authorisePaymentOrderConsent(
  db: D1Database,
  owner: ConsentOwner,
  id: string,
  accountId: string,
  now: number,
): Promise<Authorisation> {
  const { authorise } = PAYMENT_ORDER_CONSENT_STATEMENTS;
  const update = db.prepare(authorise).bind(id, owner.fiId, owner.pspId, now, accountId);
  const row = await callStore("D1", () => update.first<{ status: PaymentOrderConsentStatus; account_id: string }>());
  if (!row) return "unknown";
  if (row.status === "Consumed") return "consumed";
  return row.account_id === accountId ? "authorised" : "other_account";
}
