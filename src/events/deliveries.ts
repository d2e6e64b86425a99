/**
 * The deliveries of events to webhooks, in the institution's database. Of one subject (a PSP) a later event waits until
 * the earlier one is delivered or given up; the deliveries of different PSPs and webhooks do not wait for each other.
 */
import { callStore } from "../platform/stores.ts";
import type { StoredEvent } from "./event.ts";

/** No earlier delivery of the same subject to the same webhook is pending. */
export const IS_FIRST = `NOT EXISTS (
  SELECT 1 FROM webhook_deliveries AS earlier
  WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject = delivery.subject
    AND earlier.status = 'pending' AND earlier.event_seq < delivery.event_seq)`;

/** To one that is disabled nothing is sent: it waits, until it is enabled or the event is too old (retention.ts). */
export const OF_ACTIVE = `EXISTS (
  SELECT 1 FROM financial_institutions AS fi WHERE fi.id = delivery.fi_id AND fi.status = 'active')`;

/** The subject of a test begins with its webhook's id (event-log.ts): nobody waits for one, or wants it again. */
export const IS_NO_TEST = "instr(subject, webhook_id) <> 1";

export const DELIVERY_STATEMENTS = {
  find: `
    SELECT delivery.id, delivery.webhook_id AS webhookId, delivery.subject, delivery.attempts,
      delivery.first_at AS firstAt, event.seq, event.id AS eventId, event.type, event.data, event.created_at AS createdAt
    FROM webhook_deliveries AS delivery JOIN events AS event ON event.id = delivery.event_id
    WHERE delivery.id = ?1 AND delivery.status = 'pending' AND ${IS_FIRST} AND ${OF_ACTIVE}`,
  postpone: "UPDATE webhook_deliveries SET next_at = ?2 WHERE id = ?1 AND status = 'pending'",
  retry: `
    UPDATE webhook_deliveries SET attempts = ?2, first_at = ?3, next_at = ?4, outcome = ?5
    WHERE id = ?1 AND status = 'pending'`,
  end: `
    UPDATE webhook_deliveries SET status = ?2, attempts = ?3, first_at = ?4, ended_at = ?5, outcome = ?6
    WHERE id = ?1 AND status = 'pending'`,
  endAll: `
    UPDATE webhook_deliveries SET status = 'dead', ended_at = ?2, outcome = ?3
    WHERE webhook_id = ?1 AND status = 'pending'`,
  // a later one of the same subject ends with the next attempt: the last that is told of a PSP is the newest.
  // 0: somebody asked for it
  endOverdue: `
    UPDATE webhook_deliveries AS delivery SET status = 'dead', ended_at = ?3, outcome = ?4
    WHERE webhook_id = ?1 AND status = 'pending' AND next_at > 0 AND next_at < ?2 AND ${IS_FIRST}`,
  next: `
    SELECT id FROM webhook_deliveries WHERE webhook_id = ?1 AND subject = ?2 AND status = 'pending'
    ORDER BY event_seq LIMIT 1`,
} as const;

/** A delivery whose turn it is, with its event. */
export interface DueDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly subject: string;
  readonly attempts: number;
  /** Milliseconds since 1970; null before the first attempt. */
  readonly firstAt: number | null;
  readonly event: StoredEvent;
}

interface DueRow extends Omit<DueDelivery, "event">, Pick<StoredEvent, "seq" | "type" | "data"> {
  readonly eventId: string;
  readonly createdAt: number;
}

/** Null if it has ended, waits for an earlier one of its subject or for its institution, or does not exist. */
export async function findDue(db: D1Database, id: string): Promise<DueDelivery | null> {
  const row = await callStore("D1", () => db.prepare(DELIVERY_STATEMENTS.find).bind(id).first<DueRow>());
  if (!row) return null;
  const { seq, eventId, type, data, createdAt, ...delivery } = row;
  return { ...delivery, event: { seq, id: eventId, type, data, created_at: createdAt } };
}

/** The oldest pending delivery of a subject to a webhook; null if there is none. */
export const findNext = (db: D1Database, webhookId: string, subject: string): Promise<string | null> =>
  callStore("D1", () => db.prepare(DELIVERY_STATEMENTS.next).bind(webhookId, subject).first<string>("id"));

/** The scheduled run looks after it again from `nextAt` on (milliseconds since 1970). */
export async function postpone(db: D1Database, ids: readonly string[], nextAt: number): Promise<void> {
  if (ids.length === 0) return;
  const statement = db.prepare(DELIVERY_STATEMENTS.postpone);
  await callStore("D1", () => db.batch(ids.map((id) => statement.bind(id, nextAt))));
}

/** As it is listed for the operator. Times in milliseconds since 1970. */
export interface ListedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly subject: string;
  readonly status: "pending" | "delivered" | "dead";
  readonly attempts: number;
  readonly createdAt: number;
  readonly nextAt: number;
  readonly endedAt: number | null;
  readonly outcome: string | null;
}
