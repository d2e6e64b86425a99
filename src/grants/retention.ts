/** Deletes records older than the retention time. Run daily by the scheduled handler; a late run catches up. */
import { callStore } from "../store-error.ts";
import { timePrefix } from "./record-id.ts";

/** Bounds the time for which one statement blocks the table. */
const ROWS_PER_STATEMENT = 1000;
const DAY_MS = 86_400_000;
/** Remaining rows are deleted by the next run. */
const STATEMENTS_PER_RUN = 500;

const deleteFrom = (table: string, where: string): string =>
  `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE ${where} LIMIT ${ROWS_PER_STATEMENT})`;

/** Of the console: what has ended is of no use. */
const deleteEnded = (table: string): string =>
  `DELETE FROM ${table} WHERE id_hash IN (
    SELECT id_hash FROM ${table} WHERE ends_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`;

export const RETENTION_STATEMENTS = {
  tokens: deleteFrom("tokens", "expires_at < ?1"),
  // a customer gave no permission by these
  unauthorisedAccountAccessConsents: deleteFrom("account_access_consents", "account_id IS NULL AND ends_at < ?1"),
  // these have no end of their own, and are of use only for days, so their age is counted from their creation
  unauthorisedPaymentOrderConsents: deleteFrom("payment_order_consents", "account_id IS NULL AND id < ?1"),
  accountAccessConsents: deleteFrom("account_access_consents", "ends_at < ?1"),
  // one that never gave a token has no end: its age is counted from its authorization
  paymentOrderConsents: deleteFrom("payment_order_consents", "id < ?2 AND coalesce(ends_at, granted_at, 0) < ?1"),
  corePermissions: deleteFrom("core_permissions", "ends_at < ?1"),
  withdrawals: `
    DELETE FROM withdrawals WHERE (fi_id, account_id, scope, psp_id) IN (
      SELECT fi_id, account_id, scope, psp_id FROM withdrawals WHERE withdrawn_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
  consoleSessions: deleteEnded("console_sessions"),
  consoleChecks: deleteEnded("console_checks"),
} as const;

/** A withdrawal matters to codes that were issued before it, which live a minute. */
const WITHDRAWAL_RETENTION_MS = DAY_MS;

/** How many rows were deleted, by kind. */
export type Deleted = Record<keyof typeof RETENTION_STATEMENTS, number>;

export interface Retention {
  /** Of tokens, and of consents that no customer authorised. */
  readonly retentionDays: number;
  /** Of what customers agreed to. */
  readonly permissionRetentionDays: number;
}

/**
 * Deletes what ended longer before `now` (milliseconds since 1970) than the retention allows; payment order consents that
 * have no end by their age.
 */
export async function deleteOld(
  db: D1Database,
  { retentionDays, permissionRetentionDays }: Retention,
  now: number,
): Promise<Deleted> {
  const before = now - retentionDays * DAY_MS;
  const permissionsBefore = now - permissionRetentionDays * DAY_MS;
  const run = (name: keyof Deleted, ...values: (number | string)[]) =>
    deleteInBatches(db.prepare(RETENTION_STATEMENTS[name]).bind(...values));
  return {
    tokens: await run("tokens", before),
    unauthorisedAccountAccessConsents: await run("unauthorisedAccountAccessConsents", before),
    unauthorisedPaymentOrderConsents: await run("unauthorisedPaymentOrderConsents", timePrefix(before)),
    accountAccessConsents: await run("accountAccessConsents", permissionsBefore),
    paymentOrderConsents: await run("paymentOrderConsents", permissionsBefore, timePrefix(permissionsBefore)),
    corePermissions: await run("corePermissions", permissionsBefore),
    withdrawals: await run("withdrawals", now - WITHDRAWAL_RETENTION_MS),
    consoleSessions: await run("consoleSessions", now),
    consoleChecks: await run("consoleChecks", now),
  };
}

async function deleteInBatches(statement: D1PreparedStatement): Promise<number> {
  let deleted = 0;
  for (let run = 0; run < STATEMENTS_PER_RUN; run++) {
    const { meta } = await callStore("D1", () => statement.run());
    deleted += meta.changes;
    if (meta.changes < ROWS_PER_STATEMENT) break;
  }
  return deleted;
}
