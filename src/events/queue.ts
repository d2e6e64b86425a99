/**
 * Deliveries by Cloudflare Queues. A message names a delivery; what is delivered is in D1. The queue waits and repeats;
 * whether, when and how often is decided in deliveries.ts. A message that was lost is sent again by the scheduled run.
 */
import { databaseOf } from "../institutions/databases.ts";
import type { Instant } from "../platform/instant.ts";
import { callStore, inLanes } from "../platform/stores.ts";
import { type Delivered, deliver, QUEUE_GRACE_MS } from "./deliver.ts";
import { findNext, postpone } from "./deliveries.ts";
import { DELIVERIES_AT_ONCE } from "./pace.ts";

export interface DeliveryMessage {
  /** The number of the database (src/institutions/databases.ts). */
  readonly database: number;
  readonly delivery: string;
}

/** The queue, where the deployment has one: it is optional. */
export const findQueue = (env: Partial<Pick<Env, "EVENTS">>): Queue<DeliveryMessage> | null => env.EVENTS ?? null;

/** Most messages in a call. */
const MESSAGES_PER_SEND = 100;

/** Hands deliveries to the queue; from then on the scheduled run leaves them alone for a while. */
export async function enqueue(
  db: D1Database,
  queue: Queue<DeliveryMessage>,
  messages: readonly DeliveryMessage[],
  now: Instant,
): Promise<void> {
  for (let from = 0; from < messages.length; from += MESSAGES_PER_SEND) {
    const some = messages.slice(from, from + MESSAGES_PER_SEND);
    // first noted: a message that is then not sent waits for the grace, where one that is sent twice is delivered twice
    await postpone(
      db,
      some.map(({ delivery }) => delivery),
      now + QUEUE_GRACE_MS,
    );
    await callStore("queue", () => queue.sendBatch(some.map((body) => ({ body }))));
  }
}

/** The consumer: each message is one attempt. */
export async function consume(batch: MessageBatch<DeliveryMessage>, env: Env, clock: () => Instant): Promise<void> {
  await inLanes(DELIVERIES_AT_ONCE, batch.messages.values(), (message) => consumeOne(message, env, clock));
}

/** After a failing store: the delay of the first retry. */
const STORE_RETRY_SECONDS = 30;

async function consumeOne(message: Message<DeliveryMessage>, env: Env, clock: () => Instant): Promise<void> {
  const { database, delivery: id } = message.body;
  try {
    const db = databaseOf(env, { database });
    const now = clock();
    const delivered = await deliver(db, id, { env, now, clock });
    logDelivery(delivered);
    const { next, delivery, slow } = delivered;
    if (next?.step === "retry" && slow) await postpone(db, [id], now + next.seconds * 1000);
    else if (next?.step === "retry") {
      await postpone(db, [id], now + next.seconds * 1000 + QUEUE_GRACE_MS);
      message.retry({ delaySeconds: next.seconds });
      return;
    }
    message.ack();
    const queue = slow ? null : findQueue(env);
    const following = delivery && queue && (await findNext(db, delivery.webhookId, delivery.subject));
    if (following && queue) await enqueue(db, queue, [{ database, delivery: following }], now);
  } catch (error) {
    console.error(JSON.stringify({ event: "webhook_delivery_fault", delivery: id, error: String(error) }));
    message.retry({ delaySeconds: STORE_RETRY_SECONDS });
  }
}

/** A line for the operator, for each attempt that did not succeed. */
export function logDelivery({ next, delivery, outcome }: Delivered): void {
  if (!delivery || next === null || next.step === "done") return;
  const { id, webhookId, attempts } = delivery;
  const line = { delivery: id, webhook: webhookId, attempt: attempts + 1, outcome, next: next.step };
  console.log(JSON.stringify({ event: "webhook_delivery", ok: false, ...line }));
}
