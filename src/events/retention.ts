/**
 * Deletes events, ended deliveries and notices that were told long ago, and certificates that have ended, in bounded
 * statements. A late run catches up. An
 * event stays until its deliveries have ended: one without its event would never end, and those after it would wait. What
 * waits for a disabled institution does not end, and goes with its event.
 */
import { callStore } from "../platform/stores.ts";
import { OF_ACTIVE } from "./deliveries.ts";

const ROWS_PER_STATEMENT = 250;
const DAY_MS = 86_400_000;
/** Of each table in a run, several times a day. */
const STATEMENTS_PER_TABLE = 20;
/** A notice keeps a revoked certificate from being told again: longer than certificates of PSPs are valid. */
const NOTICE_DAYS = 1_200;

const deleteFrom = (table: string, key: string, where: string): string =>
  `DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${where} LIMIT ${ROWS_PER_STATEMENT})`;

// a delivery's id begins with the event's; "/" follows "." in the order of characters. The plus keeps SQLite from making an
// index of all pending deliveries each time.
const PENDING_OF_EVENT =
  "delivery.id > events.id || '.' AND delivery.id < events.id || '/' AND +delivery.status = 'pending'";

export const EVENT_RETENTION_STATEMENTS = {
  // what waits for its institution to be enabled
  waiting: `
    DELETE FROM webhook_deliveries WHERE id IN (
      SELECT delivery.id FROM events CROSS JOIN webhook_deliveries AS delivery ON ${PENDING_OF_EVENT}
      WHERE events.created_at < ?1
        AND NOT ${OF_ACTIVE}
      LIMIT ${ROWS_PER_STATEMENT})`,
  events: deleteFrom(
    "events",
    "seq",
    `created_at < ?1 AND NOT EXISTS (SELECT 1 FROM webhook_deliveries AS delivery WHERE ${PENDING_OF_EVENT})`,
  ),
  deliveries: deleteFrom("webhook_deliveries", "id", "ended_at < ?1"),
  notices: deleteFrom("notices", "id", "told_at < ?1"),
  certificates: deleteFrom("shown_certificates", "psp_id, certificate", "not_after < ?1"),
} as const;

/** Returns how many rows were deleted. `now`: milliseconds since 1970. */
export async function deleteOldEvents(db: D1Database, retentionDays: number, now: number): Promise<number> {
  const before = now - retentionDays * DAY_MS;
  const notices = now - NOTICE_DAYS * DAY_MS;
  const limits = { waiting: before, events: before, deliveries: before, notices, certificates: now };
  let deleted = 0;
  for (const [table, limit] of Object.entries(limits) as [keyof typeof limits, number][]) {
    const some = db.prepare(EVENT_RETENTION_STATEMENTS[table]).bind(limit);
    for (let statement = 0; statement < STATEMENTS_PER_TABLE; statement++) {
      const { changes } = (await callStore("D1", () => some.run())).meta;
      deleted += changes;
      if (changes < ROWS_PER_STATEMENT) break;
    }
  }
  return deleted;
}
