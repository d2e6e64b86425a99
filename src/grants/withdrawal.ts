/**
 * What a customer, or the bank for it, withdraws: one permission of an account, or all of them. Every token of it is dead
 * in the same transaction, and no code that was issued before gives one.
 *
 * A withdrawal takes a ticket, and then ends what has a smaller `agreed_after` (record-order.ts). No time decides what ends: a
 * clock that is ahead would take for expired what is alive. Only the times that are shown come from a clock.
 */
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import type { Account } from "./account-block.ts";
import { type Ended, type EndedBy, type EndedPermission, RETURNING_TOKEN, readEnded } from "./permission.ts";
import { takeTicket } from "./record-order.ts";

const ACCOUNT = "fi_id = :fiId AND account_id = :accountId";
const UNREVOKED = `SELECT id FROM tokens WHERE ${ACCOUNT} AND revoked_at IS NULL`;

/** What ended by it, for its record: not what had run out before. */
const endedNow = (scope: string) =>
  `RETURNING iif(ends_at = :now, 'permission', 'before') AS ended, id, psp_id, ${scope} AS scope`;

/** `ofConsent` etc.: of one row; `""` of all of the account. */
const end = (ofConsent: string, ofToken: string, ofCodes: string) => ({
  accountAccessConsents: `
    UPDATE account_access_consents SET status = 'Revoked', status_updated_at = :now,
      ends_at = min(coalesce(ends_at, :now), :now), ended_by = :by, ended_reason = :reason
    WHERE ${ACCOUNT} AND status <> 'Revoked' AND agreed_after < :ticket ${ofConsent} ${endedNow("'accounts'")}`,
  // one that has given a token which is gone, or was revoked, gives nothing
  paymentOrderConsents: `
    UPDATE payment_order_consents SET ends_at = min(coalesce(ends_at, :now), :now), ended_by = :by, ended_reason = :reason
    WHERE ${ACCOUNT} AND ended_by IS NULL AND agreed_after < :ticket AND (token_id IS NULL OR token_id IN (${UNREVOKED}))
      ${ofConsent} ${endedNow("'payments'")}`,
  // of what the customer has agreed to again since the ticket was taken, only the older codes end
  codesOfAccountAccessConsents: `
    UPDATE account_access_consents SET codes_after = :ticket
    WHERE ${ACCOUNT} AND agreed_after >= :ticket AND codes_after < :ticket ${ofConsent}`,
  codesOfPaymentOrderConsents: `
    UPDATE payment_order_consents SET codes_after = :ticket
    WHERE ${ACCOUNT} AND agreed_after >= :ticket AND codes_after < :ticket ${ofConsent}`,
  coreCodes: `UPDATE core_codes SET codes_after = :ticket WHERE ${ACCOUNT} AND codes_after < :ticket ${ofCodes}`,
  tokens: `
    UPDATE tokens SET revoked_at = min(:now, expires_at)
    WHERE ${ACCOUNT} AND revoked_at IS NULL AND agreed_after < :ticket ${ofToken} ${RETURNING_TOKEN}`,
  // after the tokens: what has an unrevoked one was agreed to again
  corePermissions: `
    UPDATE core_permissions SET ends_at = min(ends_at, :now), ended_by = :by, ended_after = :ticket - 1,
      ended_reason = :reason
    WHERE ${ACCOUNT} AND ended_by IS NULL ${ofConsent} AND id NOT IN (
      SELECT permission_id FROM tokens WHERE ${ACCOUNT} AND revoked_at IS NULL AND permission_id IS NOT NULL)
    ${endedNow("scope")}`,
});

/** In the order in which they are carried out. */
export const WITHDRAWAL_STATEMENTS = {
  one: end(
    "AND id = :id",
    "AND (consent_id = :id OR permission_id = :id)",
    // a repeated withdrawal ends no code: one that was issued since the first is a new permission
    `AND (psp_id, scope) IN (
      SELECT psp_id, scope FROM core_permissions
      WHERE ${ACCOUNT} AND id = :id AND (ended_after IS NULL OR ended_after >= core_codes.codes_after))`,
  ),
  all: end("", "", ""),
  find: `
    SELECT id, psp_id AS psp, 'accounts' AS scope FROM account_access_consents WHERE ${ACCOUNT} AND id = :id
    UNION ALL SELECT id, psp_id, 'payments' FROM payment_order_consents WHERE ${ACCOUNT} AND id = :id
    UNION ALL SELECT id, psp_id, scope FROM core_permissions WHERE ${ACCOUNT} AND id = :id`,
} as const;

/** Who withdraws at a bank: its customer, or the bank itself. */
export type WithdrawnBy = Extract<EndedBy, "bank" | "customer">;

/** Whose decision it is; and why, in the bank's own words, if anybody said it. */
interface Decision {
  readonly by: WithdrawnBy;
  readonly reason?: string | null;
}

/** The permission that was meant, and what ended with it: nothing, if it has ended before. */
export interface Withdrawn extends Ended {
  readonly permission: EndedPermission;
}

/**
 * Withdraws one permission at `now`. Null if the account has none with this id. One that has ended before keeps its end.
 */
export async function withdrawPermission(
  db: D1Database,
  { fiId, accountId }: Account,
  id: string,
  { by, reason = null }: Decision,
  now: Instant,
): Promise<Withdrawn | null> {
  const ticket = await takeTicket(db);
  const { find, one } = WITHDRAWAL_STATEMENTS;
  const results = await callStore("D1", () =>
    db.batch<EndedPermission>([
      ...[find, ...Object.values(one)].map((sql) =>
        bindNamed(db, sql, { fiId, accountId, now, ticket, by, reason, id }),
      ),
    ]),
  );
  const permission = results[0]?.results[0];
  return permission ? { permission, ...readEnded(results) } : null;
}

/** Withdraws at `now` all permissions of the account that were granted before, also those whose codes are under way. */
export async function withdrawAll(
  db: D1Database,
  { fiId, accountId }: Account,
  { by, reason = null }: Decision,
  now: Instant,
): Promise<Ended> {
  const ticket = await takeTicket(db);
  const all = Object.values(WITHDRAWAL_STATEMENTS.all);
  const statements = all.map((sql) => bindNamed(db, sql, { fiId, accountId, now, ticket, by, reason }));
  return readEnded(await callStore("D1", () => db.batch(statements)));
}
