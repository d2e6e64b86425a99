/**
 * The events of an institution as people look through them: newest first, acknowledged or not, each with its deliveries
 * to webhooks. Every statement names the institution, so that none reads or changes what another one has.
 */
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore, LONG_STORE_TIMEOUT_MS } from "../platform/stores.ts";
import { IS_NO_TEST, type ListedDelivery } from "./deliveries.ts";
import type { EventType, StoredEvent } from "./event.ts";

const COLUMNS = `
  seq, id, type, data, created_at, acknowledged_at AS acknowledgedAt, acknowledged_by AS acknowledgedBy`;

const beginAnew = (nextAt: string): string => `
  UPDATE webhook_deliveries
  SET status = 'pending', attempts = 0, first_at = NULL, next_at = ${nextAt}, ended_at = NULL, outcome = NULL`;
/** It is known what is to be delivered, and where to. */
const CAN_BE_DELIVERED = `
  EXISTS (SELECT 1 FROM events WHERE events.id = event_id)
  AND EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = webhook_id AND webhooks.status = 'active')`;

/** Somebody waits for it: it goes before all that is due there. */
export const REPLAY = `${beginAnew("0")} WHERE id = ?1 AND status <> 'pending' AND ${CAN_BE_DELIVERED}`;

/** By one statement. */
export const REPLAYED_AT_ONCE = 500;

/** ?2: where to stop. */
const counted = (rows: string): string => `SELECT count(*) AS entries FROM (SELECT 1 FROM ${rows} LIMIT ?2)`;

/** What is asked for beside the PSP or the kind by which an index finds it. A position is never below the time. */
const ASKED = `
  fi_id = :fiId AND seq >= :from AND created_at >= :from AND created_at < :to
  AND (:type IS NULL OR type = :type) AND (:onlyOpen = 0 OR acknowledged_at IS NULL)`;
const listed = (where: string): string =>
  `SELECT ${COLUMNS} FROM events WHERE ${where} AND seq < :before ORDER BY seq DESC LIMIT :limit`;
const countedOf = (where: string): string =>
  `SELECT count(*) AS entries FROM (SELECT 1 FROM events WHERE ${where} LIMIT :upTo)`;
const [OF_FI, OF_PSP, OF_TYPE, OPEN] = [
  ASKED,
  `${ASKED} AND subject = :psp`,
  ASKED.replace("(:type IS NULL OR type = :type)", "type = :type"),
  ASKED.replace("(:onlyOpen = 0 OR acknowledged_at IS NULL)", "acknowledged_at IS NULL"),
];

export const EVENT_REVIEW_STATEMENTS = {
  listAll: listed(OF_FI),
  listPsp: listed(OF_PSP),
  listType: listed(OF_TYPE),
  listOpen: listed(OPEN),
  countAll: countedOf(OF_FI),
  countPsp: countedOf(OF_PSP),
  countType: countedOf(OF_TYPE),
  countOpen: countedOf(OPEN),
  // who was first stays
  acknowledge: `
    UPDATE events SET acknowledged_at = :now, acknowledged_by = :by
    WHERE fi_id = :fiId AND seq BETWEEN :first AND :last AND acknowledged_at IS NULL`,
  deliveries: `
    SELECT id, webhook_id AS webhookId, event_id AS eventId, event_seq AS eventSeq, subject, status, attempts, created_at AS createdAt,
      next_at AS nextAt, ended_at AS endedAt, outcome
    FROM webhook_deliveries WHERE fi_id = ?1 AND status = ?2 AND event_seq < ?4 ORDER BY event_seq DESC LIMIT ?3`,
  countDeliveries: counted("webhook_deliveries WHERE fi_id = ?1 AND status = ?3"),
  replay: `${REPLAY} AND fi_id = ?2`,
  // the oldest first. Nobody waits for each of so many: they come after what is due there
  replayDead: `${beginAnew(":now")} WHERE id IN (
    SELECT id FROM webhook_deliveries
    WHERE fi_id = :fiId AND status = 'dead' AND webhook_id = :webhookId AND created_at >= :since AND ended_at <= :now
      AND ${IS_NO_TEST} AND ${CAN_BE_DELIVERED}
    ORDER BY event_seq LIMIT ${REPLAYED_AT_ONCE})`,
} as const;

export interface ReviewedEvent extends StoredEvent {
  /** Null: nobody has acknowledged it. */
  readonly acknowledgedAt: Instant | null;
  readonly acknowledgedBy: string | null;
}

/** Which events are asked for. */
export interface ReviewFilter {
  /** Those that nobody has acknowledged. */
  readonly onlyOpen: boolean;
  readonly type?: EventType | null;
  /** In normal form. */
  readonly psp?: string | null;
  /** From this instant on, and before that one. */
  readonly from?: Instant | null;
  readonly to?: Instant | null;
}

export interface ReviewQuery extends ReviewFilter {
  /** Of the page before: events before this position; null: the newest. */
  readonly before: number | null;
  readonly limit: number;
}

function placeOf({ onlyOpen, type = null, psp = null, from = null, to = null }: ReviewFilter) {
  const by = psp !== null ? "Psp" : type !== null ? "Type" : onlyOpen ? "Open" : "All";
  const values = { type, psp, from: from ?? 0, to: to ?? Number.MAX_SAFE_INTEGER, onlyOpen: onlyOpen ? 1 : 0 };
  return { by, values } as const;
}

/** Newest first. */
export async function reviewEvents(db: D1Database, fiId: number, query: ReviewQuery): Promise<ReviewedEvent[]> {
  const { before, limit } = query;
  const { by, values } = placeOf(query);
  const place = { ...values, fiId, before: before ?? Number.MAX_SAFE_INTEGER, limit };
  const list = bindNamed(db, EVENT_REVIEW_STATEMENTS[`list${by}`], place);
  return (await callStore("D1", () => list.all<ReviewedEvent>())).results;
}

/** Positions of events, both inclusive. */
export interface EventRange {
  readonly first: number;
  readonly last: number;
}

/** Acknowledges what is open there. `by`: a client id, or the operator. Returns how many were open. */
export async function acknowledgeEvents(
  db: D1Database,
  fiId: number,
  { first, last }: EventRange,
  by: string,
  now: Instant,
): Promise<number> {
  const acknowledge = bindNamed(db, EVENT_REVIEW_STATEMENTS.acknowledge, { fiId, first, last, now, by });
  return (await callStore("D1", () => acknowledge.run())).meta.changes;
}

/** Those of the newest events first; of events before the position `before`. */
export async function reviewDeliveries(
  db: D1Database,
  fiId: number,
  status: ListedDelivery["status"],
  limit: number,
  before = Number.MAX_SAFE_INTEGER,
): Promise<ListedDelivery[]> {
  const list = db.prepare(EVENT_REVIEW_STATEMENTS.deliveries).bind(fiId, status, limit, before);
  return (await callStore("D1", () => list.all<ListedDelivery>())).results;
}

/** How many there are in all; as many as `upTo` at most are counted. */
export interface ReviewCounts {
  readonly events: number;
  readonly deliveries: Readonly<Record<ListedDelivery["status"], number>>;
}

export async function countReview(
  db: D1Database,
  fiId: number,
  { upTo, ...filter }: ReviewFilter & { readonly upTo: number },
): Promise<ReviewCounts> {
  const { by, values } = placeOf(filter);
  const ofStatus = db.prepare(EVENT_REVIEW_STATEMENTS.countDeliveries);
  const statements = [
    bindNamed(db, EVENT_REVIEW_STATEMENTS[`count${by}`], { ...values, fiId, upTo }),
    ...["dead", "pending", "delivered"].map((status) => ofStatus.bind(fiId, upTo, status)),
  ];
  const results = await callStore("D1", () => db.batch<{ entries: number }>(statements));
  const [events = 0, dead = 0, pending = 0, delivered = 0] = results.map(({ results: [row] }) => row?.entries ?? 0);
  return { events, deliveries: { dead, pending, delivered } };
}

/** Starts an ended delivery of the institution again; false if none with this id has ended, its event was deleted, or its webhook is disabled. */
export async function replayDeliveryOf(db: D1Database, fiId: number, id: string): Promise<boolean> {
  const replay = db.prepare(EVENT_REVIEW_STATEMENTS.replay).bind(id, fiId);
  return (await callStore("D1", () => replay.run())).meta.changes === 1;
}

export interface GivenUp {
  readonly fiId: number;
  readonly webhookId: string;
  /** Events that were made from then on. */
  readonly since: Instant;
}

/**
 * Starts what was given up of a webhook until `now` again, the oldest {@link REPLAYED_AT_ONCE}; returns how many these are.
 * Of one PSP they stay in order.
 */
export async function replayDead(db: D1Database, { fiId, webhookId, since }: GivenUp, now: Instant): Promise<number> {
  const replay = bindNamed(db, EVENT_REVIEW_STATEMENTS.replayDead, { fiId, webhookId, since, now });
  return (await callStore("D1", () => replay.run(), LONG_STORE_TIMEOUT_MS)).meta.changes;
}
