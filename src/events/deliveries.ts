/**
 * The deliveries of events to webhooks, in the institution's database. Of one subject (a PSP) a later event waits until
 * the earlier one is delivered or given up; the deliveries of different PSPs and webhooks do not wait for each other.
 *
 * In a run every webhook with something due comes once before any comes twice, the one that waited longest first. A webhook
 * whose receiver gives no answer has one turn; one that takes long has as many as it answers in its share of the time (pace.ts).
 */
import type { Instant } from "../platform/instant.ts";
import { WRITES_REFUSED } from "../platform/schema-version.ts";
import { callStore } from "../platform/stores.ts";
import type { StoredEvent } from "./event.ts";
import { UNKNOWN_MS, WEBHOOK_MS } from "./pace.ts";

/** No earlier delivery of the same subject to the same webhook is pending. */
const IS_FIRST = `NOT EXISTS (
  SELECT 1 FROM webhook_deliveries AS earlier
  WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject = delivery.subject
    AND earlier.status = 'pending' AND earlier.event_seq < delivery.event_seq)`;

/** To one that is disabled nothing is sent: it waits, until it is enabled or the event is too old (event-log.ts). */
export const OF_ACTIVE = `EXISTS (
  SELECT 1 FROM financial_institutions AS fi WHERE fi.id = delivery.fi_id AND fi.status = 'active')`;

/** The subject of a test begins with its webhook's id (event-log.ts): nobody waits for one, or wants it again. */
export const IS_NO_TEST = "instr(subject, webhook_id) <> 1";

export const DELIVERY_STATEMENTS = {
  find: `
    SELECT delivery.id, delivery.webhook_id AS webhookId, delivery.subject, delivery.attempts,
      delivery.first_at AS firstAt, event.seq, event.id AS eventId, event.type, event.data, event.created_at AS createdAt
    FROM webhook_deliveries AS delivery JOIN events AS event ON event.id = delivery.event_id
    WHERE delivery.id = ?1 AND delivery.status = 'pending' AND ${IS_FIRST} AND ${OF_ACTIVE}
      AND NOT ${WRITES_REFUSED}`,
  postpone: "UPDATE webhook_deliveries SET next_at = ?2 WHERE id = ?1 AND status = 'pending'",
  retry: `
    UPDATE webhook_deliveries SET attempts = :attempts, first_at = :firstAt, next_at = :nextAt, outcome = :outcome
    WHERE id = :id AND status = 'pending'`,
  end: `
    UPDATE webhook_deliveries SET status = :status, attempts = :attempts, first_at = :firstAt, ended_at = :now, outcome = :outcome
    WHERE id = :id AND status = 'pending'`,
  endAll: `
    UPDATE webhook_deliveries SET status = 'dead', ended_at = ?2, outcome = ?3
    WHERE webhook_id = ?1 AND status = 'pending'`,
  // a later one of the same subject ends with the next attempt: the last notification of a PSP is the newest.
  // 0: somebody asked for it
  endOverdue: `
    UPDATE webhook_deliveries AS delivery SET status = 'dead', ended_at = :now, outcome = :outcome
    WHERE webhook_id = :webhookId AND status = 'pending' AND next_at > 0 AND next_at < :dueBefore AND ${IS_FIRST}`,
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
  /** Null before the first attempt. */
  readonly firstAt: Instant | null;
  readonly event: StoredEvent;
}

interface DueRow extends Omit<DueDelivery, "event">, Pick<StoredEvent, "seq" | "type" | "data"> {
  readonly eventId: string;
  readonly createdAt: Instant;
}

/** Null if it has ended, waits for an earlier one of its subject, for its institution or for a newer release, or does not exist. */
export async function findDue(db: D1Database, id: string): Promise<DueDelivery | null> {
  const row = await callStore("D1", () => db.prepare(DELIVERY_STATEMENTS.find).bind(id).first<DueRow>());
  if (!row) return null;
  const { seq, eventId, type, data, createdAt, ...delivery } = row;
  return { ...delivery, event: { seq, id: eventId, type, data, created_at: createdAt } };
}

/** The oldest pending delivery of a subject to a webhook; null if there is none. */
export const findNext = (db: D1Database, webhookId: string, subject: string): Promise<string | null> =>
  callStore("D1", () => db.prepare(DELIVERY_STATEMENTS.next).bind(webhookId, subject).first<string>("id"));

/** The scheduled run looks after it again from `nextAt` on. */
export async function postpone(db: D1Database, ids: readonly string[], nextAt: Instant): Promise<void> {
  if (ids.length === 0) return;
  const statement = db.prepare(DELIVERY_STATEMENTS.postpone);
  await callStore("D1", () => db.batch(ids.map((id) => statement.bind(id, nextAt))));
}

/** As it is listed for the operator. */
export interface ListedDelivery {
  readonly id: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** The event's position. */
  readonly eventSeq: number;
  readonly subject: string;
  readonly status: "pending" | "delivered" | "dead";
  readonly attempts: number;
  readonly createdAt: Instant;
  readonly nextAt: Instant;
  readonly endedAt: Instant | null;
  readonly outcome: string | null;
}

/** In a run, whatever is pending: rows read are paid for. */
const EXAMINED_PER_RUN = 500;

/** Of a webhook's pending deliveries the first in the order of their index. */
const firstOf = (webhook: string, where = ""): string => `(
  SELECT id FROM webhook_deliveries WHERE status = 'pending' AND webhook_id = ${webhook} ${where}
  ORDER BY webhook_id, next_at, id LIMIT 1)`;

export const DUE_STATEMENTS = {
  // ORDER BY in a recursion is the order in which its rows are taken up: one seek for each webhook, and one for each row
  due: `
    WITH RECURSIVE
      receiver (id) AS (
        SELECT min(webhook_id) FROM webhook_deliveries WHERE status = 'pending'
        UNION ALL
        SELECT (SELECT min(webhook_id) FROM webhook_deliveries WHERE status = 'pending' AND webhook_id > receiver.id)
        FROM receiver WHERE receiver.id IS NOT NULL
      ),
      due (turn, turn_at, id, webhook_id, next_at, takes, room, first) AS (
        SELECT 1, coalesce(webhook.turn_at, 0), delivery.id, delivery.webhook_id, delivery.next_at,
          CASE WHEN webhook.silent_since IS NULL THEN coalesce(webhook.answer_ms, ${UNKNOWN_MS}) ELSE ${UNKNOWN_MS} END,
          CASE WHEN webhook.silent_since IS NULL THEN ?2 / coalesce(webhook.answer_ms, ${UNKNOWN_MS}) ELSE 1 END, ${IS_FIRST}
        FROM receiver CROSS JOIN webhook_deliveries AS delivery ON delivery.id = ${firstOf("receiver.id")}
        LEFT JOIN webhooks AS webhook ON webhook.id = receiver.id
        WHERE delivery.next_at <= ?1 AND ${OF_ACTIVE}
        UNION ALL
        SELECT due.turn + 1, due.turn_at, delivery.id, delivery.webhook_id, delivery.next_at, due.takes,
          due.room - due.first, ${IS_FIRST}
        FROM due CROSS JOIN webhook_deliveries AS delivery
          ON delivery.id = ${firstOf("due.webhook_id", "AND (next_at, id) > (due.next_at, +due.id)")}
        WHERE delivery.next_at <= ?1 AND due.room > due.first
        ORDER BY 1, 2
        LIMIT ${EXAMINED_PER_RUN}
      )
    SELECT id, webhook_id AS webhookId, takes, first FROM due`,
  tookTurn: "UPDATE webhooks SET turn_at = ?2 WHERE id = ?1",
  // after the one that it waits for, so that it is not met again before that one is
  wait: `
    UPDATE webhook_deliveries AS delivery SET next_at = coalesce((
      SELECT earlier.next_at + 1 FROM webhook_deliveries AS earlier
      WHERE earlier.webhook_id = delivery.webhook_id AND earlier.subject = delivery.subject
        AND earlier.status = 'pending' AND earlier.event_seq < delivery.event_seq
      ORDER BY earlier.event_seq LIMIT 1), next_at)
    WHERE id = ?1 AND status = 'pending'`,
} as const;

interface ExaminedDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** 0: it waits for an earlier one of its subject. */
  readonly first: 0 | 1;
  /** Milliseconds, as far as is known of its receiver. */
  readonly takes: number;
}

/** Milliseconds of lanes, one after the other. */
interface Shares {
  readonly webhookMs: number;
  readonly runMs: number;
}

/** Ids of the deliveries whose turn it is, in their order; notes whose turn it was. */
export async function takeTurns(
  db: D1Database,
  now: Instant,
  limit: number,
  { webhookMs, runMs }: Shares = { webhookMs: WEBHOOK_MS, runMs: Number.POSITIVE_INFINITY },
): Promise<string[]> {
  const due = db.prepare(DUE_STATEMENTS.due).bind(now, webhookMs);
  const examined = (await callStore("D1", () => due.all<ExaminedDelivery>())).results;
  let lasts = 0;
  const taken = examined
    .filter(({ first }) => first === 1)
    .slice(0, limit)
    .filter(({ takes }) => {
      lasts += takes;
      return lasts <= runMs;
    });
  const [wait, tookTurn] = [db.prepare(DUE_STATEMENTS.wait), db.prepare(DUE_STATEMENTS.tookTurn)];
  const statements = [
    ...examined.filter(({ first }) => first === 0).map(({ id }) => wait.bind(id)),
    ...[...new Set(taken.map(({ webhookId }) => webhookId))].map((id) => tookTurn.bind(id, now)),
  ];
  if (statements.length > 0) await callStore("D1", () => db.batch(statements));
  return taken.map(({ id }) => id);
}

/** How the receiver answered, or that it did not. */
export type AttemptOutcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** In seconds: of the header Retry-After; null without a usable one. */
      readonly retryAfter: number | null;
      /** It is a web page, as a login is: perhaps nobody took the event. */
      readonly page?: boolean;
    }
  /** `message` completes the sentence "The receiver ...". */
  | { readonly kind: "none"; readonly message: string };

export type NextStep =
  | { readonly step: "done" }
  | { readonly step: "retry"; readonly seconds: number }
  /** It is given up. `disable`: the receiver wants no more (RFC 9110 section 15.5.11), so the webhook ends with it. */
  | { readonly step: "dead"; readonly disable: boolean };

export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** When the first was made. */
  readonly firstAt: Instant;
  readonly now: Instant;
}

const FIRST_DELAY_SECONDS = 5;
/** Also the longest delay of a message of Cloudflare Queues. */
const LONGEST_DELAY_SECONDS = 12 * 3600;
/** From the first attempt: one that would come later is not made. */
export const LONGEST_TIME_MS = 3 * 86_400_000;

/** 5, 10, 20 ... seconds, up to 12 hours; the last attempt is made within three days of the first. */
export function decideNext({ number, firstAt, now }: Attempt, outcome: AttemptOutcome): NextStep {
  if (outcome.kind === "answer") {
    if (outcome.status >= 200 && outcome.status < 300) return { step: "done" };
    if (outcome.status === 410) return { step: "dead", disable: true };
  }
  const usual = Math.min(FIRST_DELAY_SECONDS * 2 ** Math.min(number - 1, 20), LONGEST_DELAY_SECONDS);
  const seconds = Math.min(Math.max(usual, askedFor(outcome)), LONGEST_DELAY_SECONDS);
  return now + seconds * 1000 > firstAt + LONGEST_TIME_MS
    ? { step: "dead", disable: false }
    : { step: "retry", seconds };
}

/** A receiver that is busy may say for how long (RFC 9110 section 10.2.3): never less than the usual delay, nor more than the longest. */
const askedFor = (outcome: AttemptOutcome): number =>
  outcome.kind === "answer" && (outcome.status === 429 || outcome.status === 503) ? (outcome.retryAfter ?? 0) : 0;

/** Seconds, or a date (RFC 9110 section 10.2.3); null for anything else. */
export function readRetryAfter(header: string | null, now: Instant): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/** For the operator: what is kept of an attempt. */
export const describeOutcome = (outcome: AttemptOutcome): string =>
  outcome.kind === "answer"
    ? `answered with status ${outcome.status}${outcome.page ? " and an HTML page" : ""}`
    : outcome.message;
