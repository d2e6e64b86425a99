/**
 * Whose turn it is when a run looks after deliveries. Every webhook with something due comes once before any comes twice,
 * the one that waited longest first, so a backlog takes only what others leave. Within a webhook what is due longest comes
 * first. A webhook whose receiver gives no answer has one turn in a run: a probe; one that takes long has as many as it
 * answers in its share of the time (pace.ts).
 */
import { callStore } from "../platform/stores.ts";
import { IS_FIRST, OF_ACTIVE } from "./deliveries.ts";
import { UNKNOWN_MS, WEBHOOK_MS } from "./pace.ts";

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
  // behind the one that it waits for, so that it is not met again before that one is
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

/** Ids of the deliveries whose turn it is, in their order; notes whose turn it was. `now`: milliseconds since 1970. */
export async function takeTurns(
  db: D1Database,
  now: number,
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
