/**
 * What a customer, or the bank for it, withdraws: one permission of an account, or all of them. Every token of it is dead
 * in the same transaction, and no code that was issued before gives one.
 */
import { callStore, STORE_TIMEOUT_MS } from "../store-error.ts";
import type { Account } from "./account-block.ts";
import type { EndedBy } from "./core-permissions.ts";

/**
 * SQL: whether a code without a consent was withdrawn since it was issued at `issuedAt`. Codes under a consent end with
 * their consent. At the very millisecond of a withdrawal a code counts as older.
 */
export const isWithdrawn = (fiId: string, accountId: string, scope: string, pspId: string, issuedAt: string): string =>
  `EXISTS (SELECT 1 FROM withdrawals AS withdrawal
    WHERE withdrawal.fi_id = ${fiId} AND withdrawal.account_id = ${accountId} AND withdrawal.scope = ${scope}
      AND withdrawal.psp_id IN (${pspId}, '') AND withdrawal.withdrawn_at >= ${issuedAt})`;

const OPEN = "(ends_at IS NULL OR ends_at > ?3)";
// of two withdrawals the later may be carried out first
const OPEN_CORE = "ended_by IS NULL AND ends_at > ?3";
const ACCOUNT = "fi_id = ?1 AND account_id = ?2";
const LIVE_TOKENS = `${ACCOUNT} AND expires_at > ?3 AND revoked_at IS NULL`;

/** Isolates' clocks may be so far apart. */
const CLOCKS_APART_MS = 2_000;

/**
 * A withdrawal that was asked for at `now` ends what the customer agreed to up to then. It may be carried out after its caller
 * was told 503, and the customer has agreed anew (store-error.ts): no clock dates that earlier. What was granted beside it
 * may end, too: to end too little would be worse, so this is as late as it can be.
 */
const endsUpTo = (now: number): number => now + STORE_TIMEOUT_MS - CLOCKS_APART_MS;

/** All that can be open, for one row or for all of an account; `ofConsent` and `ofCore` use further parameters. */
const end = (ofConsent: string, ofCore: string) => ({
  accountAccessConsents: `
    UPDATE account_access_consents SET status = 'Revoked', status_updated_at = ?3, ends_at = ?3, ended_by = ?4
    WHERE ${ACCOUNT} AND status <> 'Revoked' AND ${OPEN} ${ofConsent}`,
  paymentOrderConsents: `
    UPDATE payment_order_consents SET ends_at = ?3, ended_by = ?4
    WHERE ${ACCOUNT} AND ended_by IS NULL AND ${OPEN} ${ofConsent}`,
  corePermissions: `UPDATE core_permissions SET ends_at = ?3, ended_by = ?4 WHERE ${ACCOUNT} AND ${OPEN_CORE} ${ofCore}`,
});
const one = end("AND id = ?5", "AND id = ?5 AND last_code_at <= ?6");
// null: of a release that did not note it
const all = end("AND coalesce(granted_at, 0) <= ?5", "AND last_code_at <= ?5");
/** Of a consent that was not there yet. */
const isOfNewer = (consents: string) =>
  `EXISTS (SELECT 1 FROM ${consents} WHERE id = tokens.consent_id AND granted_at > ?4)`;

export const WITHDRAWAL_STATEMENTS = {
  find: `
    SELECT id FROM account_access_consents WHERE ${ACCOUNT} AND id = ?3
    UNION ALL SELECT id FROM payment_order_consents WHERE ${ACCOUNT} AND id = ?3
    UNION ALL SELECT id FROM core_permissions WHERE ${ACCOUNT} AND id = ?3`,
  endAccountAccessConsent: one.accountAccessConsents,
  endPaymentOrderConsent: one.paymentOrderConsents,
  revokeTokensOfConsent: `
    UPDATE tokens SET revoked_at = ?3 WHERE ${LIVE_TOKENS} AND consent_id = ?4`,
  // before `endCorePermission`: the live tokens are those of the open permission, and an ended one has none
  revokeTokensOfCorePermission: `
    UPDATE tokens SET revoked_at = ?3
    WHERE ${LIVE_TOKENS} AND consent_id IS NULL AND (psp_id, scope) = (
      SELECT psp_id, scope FROM core_permissions WHERE ${ACCOUNT} AND id = ?4 AND ${OPEN_CORE} AND last_code_at <= ?5)`,
  // not again for a repeated withdrawal: a code that was issued since the first one is a new yes of the customer
  endCodesOfCorePermission: `
    INSERT INTO withdrawals (fi_id, account_id, scope, psp_id, withdrawn_at)
    SELECT fi_id, account_id, scope, psp_id, ?3 FROM core_permissions
    WHERE ${ACCOUNT} AND id = ?4 AND NOT ${isWithdrawn("?1", "?2", "core_permissions.scope", "core_permissions.psp_id", "core_permissions.ends_at")}
    ON CONFLICT DO UPDATE SET withdrawn_at = max(withdrawn_at, excluded.withdrawn_at)`,
  endCorePermission: one.corePermissions,
  endAllAccountAccessConsents: all.accountAccessConsents,
  endAllPaymentOrderConsents: all.paymentOrderConsents,
  endAllCorePermissions: all.corePermissions,
  // of a permission that the customer has agreed to anew the older ones live on, too: they open nothing else
  revokeAllTokens: `
    UPDATE tokens SET revoked_at = ?3
    WHERE ${LIVE_TOKENS} AND NOT ${isOfNewer("account_access_consents")} AND NOT ${isOfNewer("payment_order_consents")}
      AND (consent_id IS NOT NULL OR (psp_id, scope) NOT IN (
        SELECT psp_id, scope FROM core_permissions WHERE ${ACCOUNT} AND ${OPEN_CORE} AND last_code_at > ?4))`,
  endAllCodes: `
    INSERT INTO withdrawals (fi_id, account_id, scope, psp_id, withdrawn_at)
    VALUES (?1, ?2, 'payments', '', ?3), (?1, ?2, 'accounts', '', ?3)
    ON CONFLICT DO UPDATE SET withdrawn_at = max(withdrawn_at, excluded.withdrawn_at)`,
} as const;

/** Who withdraws at a bank: its customer, or the bank itself. */
export type WithdrawnBy = Exclude<EndedBy, "psp">;

/**
 * Withdraws one permission at `now` (milliseconds since 1970). False if the account has none with this id. True for one
 * that has ended before: it keeps its end.
 */
export async function withdrawPermission(
  db: D1Database,
  { fiId, accountId }: Account,
  id: string,
  by: WithdrawnBy,
  now: number,
): Promise<boolean> {
  const statements = WITHDRAWAL_STATEMENTS;
  const end = (sql: string) => db.prepare(sql).bind(fiId, accountId, now, by, id);
  const endTokens = (sql: string) => db.prepare(sql).bind(fiId, accountId, now, id);
  const [found] = await callStore("D1", () =>
    db.batch([
      db.prepare(statements.find).bind(fiId, accountId, id),
      end(statements.endAccountAccessConsent),
      end(statements.endPaymentOrderConsent),
      endTokens(statements.revokeTokensOfConsent),
      db.prepare(statements.revokeTokensOfCorePermission).bind(fiId, accountId, now, id, endsUpTo(now)),
      endTokens(statements.endCodesOfCorePermission),
      db.prepare(statements.endCorePermission).bind(fiId, accountId, now, by, id, endsUpTo(now)),
    ]),
  );
  return (found?.results.length ?? 0) > 0;
}

/** Withdraws all permissions of the account that were granted up to `upTo`, also those whose codes are under way. */
export async function withdrawAll(
  db: D1Database,
  { fiId, accountId }: Account,
  by: WithdrawnBy,
  now: number,
  upTo: number = endsUpTo(now),
): Promise<void> {
  const statements = WITHDRAWAL_STATEMENTS;
  const end = (sql: string) => db.prepare(sql).bind(fiId, accountId, now, by, upTo);
  await callStore("D1", () =>
    db.batch([
      end(statements.endAllAccountAccessConsents),
      end(statements.endAllPaymentOrderConsents),
      end(statements.endAllCorePermissions),
      db.prepare(statements.revokeAllTokens).bind(fiId, accountId, now, upTo),
      db.prepare(statements.endAllCodes).bind(fiId, accountId, now),
    ]),
  );
}
