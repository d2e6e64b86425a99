/**
 * The events of an institution, in its own database. The scheduled run, `webhook test` and the exchange of a code that was
 * used before write them, each with its deliveries in one transaction. They are read in the order of `seq`, in which they were stored.
 */
import type { Instant } from "../platform/instant.ts";
import { bindNamed } from "../platform/statements.ts";
import { callStore } from "../platform/stores.ts";
import { DELIVERY_STATEMENTS, OF_ACTIVE } from "./deliveries.ts";
import { type EventData, type EventType, makeEventId, type StoredEvent } from "./event.ts";
import { WEBHOOK_STATEMENTS } from "./webhook.ts";

// `seq` is at least the time: a database that was set back, by `restore` or by D1's Time Travel, would give positions again
// that institutions have passed, and they would miss what is there
const INSERT = `
    INSERT OR IGNORE INTO events (seq, id, fi_id, type, subject, data, created_at)
    SELECT max(CAST(:now AS INTEGER), 1 + coalesce((SELECT max(seq) FROM events), 0)),
      :id, :fiId, :type, :subject, :data, :now`;

export const EVENT_STATEMENTS = {
  insert: INSERT,
  // only while the institution still knows what is now `before`
  insertChange: `${INSERT}
    WHERE EXISTS (SELECT 1 FROM psp_standings WHERE fi_id = :fiId AND psp_id = :subject AND digest = :before)`,
  // only for a token that there is, or may be still
  insertOfToken: `${INSERT}
    WHERE EXISTS (SELECT 1 FROM tokens WHERE id = :token AND fi_id = :fiId)`,
  // only while it is still to be told
  insertDue: `${INSERT}
    WHERE EXISTS (SELECT 1 FROM met_psps WHERE fi_id = :fiId AND psp_id = :subject AND due_at = :dueAt)`,
  deliver: `
    INSERT OR IGNORE INTO webhook_deliveries
      (id, fi_id, webhook_id, event_id, event_seq, subject, status, created_at, next_at)
    SELECT event.id || '.' || webhook.id, event.fi_id, webhook.id, event.id, event.seq, event.subject, 'pending', :now, :now
    FROM events AS event JOIN webhooks AS webhook ON webhook.fi_id = event.fi_id AND webhook.status = 'active'
    WHERE event.id = :id AND (:webhookId IS NULL OR webhook.id = :webhookId)`,
  list: `
    SELECT seq, id, type, data, created_at FROM events WHERE fi_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`,
} as const;

export interface News {
  readonly fiId: number;
  readonly type: EventType;
  /** The PSP, or the source. */
  readonly subject: string;
  readonly data: EventData;
  /** What distinguishes it from other news of this type and subject. */
  readonly key: string;
}

/**
 * The digest of the standing that the news changes, the id of the token that it is about, or when it was due (met-news.ts);
 * null: none of them.
 */
type Occasion = { readonly before: string } | { readonly token: string } | { readonly dueAt: Instant } | null;

/** The statements that store an event and its deliveries. */
export function insertEvent(db: D1Database, news: News, occasion: Occasion, now: Instant): D1PreparedStatement[] {
  const id = makeEventId(news.fiId, news.type, news.subject, news.key);
  const { fiId, type, subject, data } = news;
  const { deliver } = EVENT_STATEMENTS;
  const values = { id, fiId, type, subject, data: JSON.stringify(data), now };
  return [
    bindNamed(db, insertOn(occasion), { ...values, ...occasion }),
    bindNamed(db, deliver, { id, now, webhookId: null }),
  ];
}

function insertOn(occasion: Occasion): string {
  const { insert, insertChange, insertOfToken, insertDue } = EVENT_STATEMENTS;
  if (occasion === null) return insert;
  return "before" in occasion ? insertChange : "token" in occasion ? insertOfToken : insertDue;
}

/**
 * Stores an event without news, for one webhook, and returns the id of its delivery. It is listed as others are. Its
 * subject is its own: a test does not wait for one that failed.
 */
export async function insertTestEvent(
  db: D1Database,
  { id: webhookId, fiId }: { readonly id: string; readonly fiId: number },
  now: Instant,
): Promise<string> {
  const id = makeEventId(fiId, "webhook.test", webhookId, now);
  const delivery = `${id}.${webhookId}`;
  const data: EventData = { psp_id: null, before: null, after: null, evidence: [], grants: null };
  const subject = `${webhookId} ${new Date(now).toISOString()}`;
  const values = { id, fiId, type: "webhook.test", subject, data: JSON.stringify(data), now, webhookId };
  await callStore("D1", () =>
    db.batch([
      bindNamed(db, EVENT_STATEMENTS.insert, values),
      bindNamed(db, EVENT_STATEMENTS.deliver, values),
      // somebody waits for it: before all that is due there, and also where the receiver has been silent
      db.prepare(DELIVERY_STATEMENTS.postpone).bind(delivery, 0),
      db.prepare(WEBHOOK_STATEMENTS.wake).bind(webhookId),
    ]),
  );
  return delivery;
}

/** The institution's next `limit` events after the position `after` (0: from the oldest that is kept). */
export async function listEvents(db: D1Database, fiId: number, after: number, limit: number): Promise<StoredEvent[]> {
  const list = db.withSession("first-primary").prepare(EVENT_STATEMENTS.list).bind(fiId, after, limit);
  return (await callStore("D1", () => list.all<StoredEvent>())).results;
}

const ROWS_PER_STATEMENT = 250;
const DAY_MS = 86_400_000;
/** Of each table in a run, several times a day. */
const STATEMENTS_PER_TABLE = 20;
/** A notice keeps a revoked certificate from being notified again: longer than certificates of PSPs are valid. */
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

/** Returns how many rows were deleted. */
export async function deleteOldEvents(db: D1Database, retentionDays: number, now: Instant): Promise<number> {
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
