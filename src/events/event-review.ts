/**
 * The events of an institution as people look through them: newest first, acknowledged or not, each with its deliveries
 * to webhooks. Every statement names the institution, so that none reads or changes what another one has.
 */
import { callStore } from "../store-error.ts";
import type { ListedDelivery } from "./deliveries.ts";
import type { StoredEvent } from "./event.ts";

const COLUMNS = `
  seq, id, type, data, created_at, acknowledged_at AS acknowledgedAt, acknowledged_by AS acknowledgedBy`;

/** Only where it is known what is to be delivered, and where to. Somebody waits for it: it goes before all that is due there. */
export const REPLAY = `
  UPDATE webhook_deliveries
  SET status = 'pending', attempts = 0, first_at = NULL, next_at = 0, ended_at = NULL, outcome = NULL
  WHERE id = ?1 AND status <> 'pending'
    AND EXISTS (SELECT 1 FROM events WHERE events.id = event_id)
    AND EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = webhook_id AND webhooks.status = 'active')`;

export const EVENT_REVIEW_STATEMENTS = {
  all: `SELECT ${COLUMNS} FROM events WHERE fi_id = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3`,
  open: `
    SELECT ${COLUMNS} FROM events WHERE fi_id = ?1 AND seq < ?2 AND acknowledged_at IS NULL ORDER BY seq DESC LIMIT ?3`,
  // who was first stays
  acknowledge: `
    UPDATE events SET acknowledged_at = ?4, acknowledged_by = ?5
    WHERE fi_id = ?1 AND seq BETWEEN ?2 AND ?3 AND acknowledged_at IS NULL`,
  deliveries: `
    SELECT id, webhook_id AS webhookId, event_id AS eventId, subject, status, attempts, created_at AS createdAt,
      next_at AS nextAt, ended_at AS endedAt, outcome
    FROM webhook_deliveries WHERE fi_id = ?1 AND status = ?2 ORDER BY event_seq DESC LIMIT ?3`,
  replay: `${REPLAY} AND fi_id = ?2`,
} as const;

export interface ReviewedEvent extends StoredEvent {
  /** Milliseconds since 1970; null: nobody has acknowledged it. */
  readonly acknowledgedAt: number | null;
  readonly acknowledgedBy: string | null;
}

export interface ReviewQuery {
  /** Those that nobody has acknowledged. */
  readonly onlyOpen: boolean;
  /** Of the page before: events before this position; null: the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/** Newest first. */
export async function reviewEvents(db: D1Database, fiId: number, query: ReviewQuery): Promise<ReviewedEvent[]> {
  const { onlyOpen, before, limit } = query;
  const sql = EVENT_REVIEW_STATEMENTS[onlyOpen ? "open" : "all"];
  const list = db.prepare(sql).bind(fiId, before ?? Number.MAX_SAFE_INTEGER, limit);
  return (await callStore("D1", () => list.all<ReviewedEvent>())).results;
}

/** Positions of events, both inclusive. */
export interface EventRange {
  readonly first: number;
  readonly last: number;
}

/** Acknowledges what is open there. `by`: a client id, or the operator. `now`: milliseconds since 1970. Returns how many were open. */
export async function acknowledgeEvents(
  db: D1Database,
  fiId: number,
  { first, last }: EventRange,
  by: string,
  now: number,
): Promise<number> {
  const acknowledge = db.prepare(EVENT_REVIEW_STATEMENTS.acknowledge).bind(fiId, first, last, now, by);
  return (await callStore("D1", () => acknowledge.run())).meta.changes;
}

/** Those of the newest events first. */
export async function reviewDeliveries(
  db: D1Database,
  fiId: number,
  status: ListedDelivery["status"],
  limit: number,
): Promise<ListedDelivery[]> {
  const list = db.prepare(EVENT_REVIEW_STATEMENTS.deliveries).bind(fiId, status, limit);
  return (await callStore("D1", () => list.all<ListedDelivery>())).results;
}

/** Starts an ended delivery of the institution again; false if none with this id has ended, its event was deleted, or its webhook is disabled. */
export async function replayDeliveryOf(db: D1Database, fiId: number, id: string): Promise<boolean> {
  const replay = db.prepare(EVENT_REVIEW_STATEMENTS.replay).bind(id, fiId);
  return (await callStore("D1", () => replay.run())).meta.changes === 1;
}
