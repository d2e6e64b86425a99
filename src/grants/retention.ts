/** Deletes records older than the retention time. Run daily by the scheduled handler; a late run catches up. */
import { callStore } from "../store-error.ts";
import { timePrefix } from "./record-id.ts";

/** Bounds the time for which one statement blocks the table. */
const ROWS_PER_STATEMENT = 1000;
/** Remaining rows are deleted by the next run. */
const STATEMENTS_PER_RUN = 500;

export const RETENTION_STATEMENTS = {
  tokens: `DELETE FROM tokens WHERE id IN (SELECT id FROM tokens WHERE expires_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
  accountAccessConsents: `
    DELETE FROM account_access_consents
    WHERE id IN (SELECT id FROM account_access_consents WHERE ends_at < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
  // these have no end of their own, and are of use only for days, so their age is counted from their creation
  paymentOrderConsents: `
    DELETE FROM payment_order_consents
    WHERE id IN (SELECT id FROM payment_order_consents WHERE id < ?1 LIMIT ${ROWS_PER_STATEMENT})`,
} as const;

/** How many rows were deleted, by kind. */
export type Deleted = Record<keyof typeof RETENTION_STATEMENTS, number>;

/**
 * Deletes tokens and account access consents that ended more than `retentionDays` before `now` (milliseconds since
 * 1970), and payment order consents that were created before that time.
 */
export async function deleteOld(db: D1Database, retentionDays: number, now: number): Promise<Deleted> {
  const before = now - retentionDays * 86_400_000;
  return {
    tokens: await deleteInBatches(db.prepare(RETENTION_STATEMENTS.tokens).bind(before)),
    accountAccessConsents: await deleteInBatches(db.prepare(RETENTION_STATEMENTS.accountAccessConsents).bind(before)),
    paymentOrderConsents: await deleteInBatches(
      db.prepare(RETENTION_STATEMENTS.paymentOrderConsents).bind(timePrefix(before)),
    ),
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
