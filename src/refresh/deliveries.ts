/**
 * What the scheduled run does for deliveries: seals new secrets of webhooks, and hands to the queue what is due, or lost
 * there. Where the deployment has no queue, it makes the deliveries itself, a few each minute.
 */
import type { Database } from "../databases.ts";
import { deliver } from "../events/deliver.ts";
import { listDue } from "../events/deliveries.ts";
import { enqueue, findQueue, logDelivery } from "../events/queue.ts";
import { sealSecrets } from "../events/webhook-secrets.ts";
import { findNewestKid, readTokenKeys } from "../grants/token-keys.ts";
import { StoreError } from "../store-error.ts";
import type { RefreshEnv } from "./step.ts";

/** Of each database: the rest is due a minute later. */
const QUEUED_PER_RUN = 500;
/** Each may take ten seconds, and the next run begins a minute later: 48 at 8 at once are a minute at worst. */
const DELIVERED_PER_RUN = 48;
const AT_ONCE = 8;

interface LookedAfter {
  /** Handed to the queue, or attempted. */
  readonly attempted: number;
  /** Of databases that did not answer. */
  readonly failures: readonly string[];
}

/** `now`: milliseconds since 1970. */
export async function lookAfterDeliveries(
  env: RefreshEnv,
  databases: readonly Database[],
  now: number,
): Promise<LookedAfter> {
  let attempted = 0;
  const failures: string[] = [];
  const queue = findQueue(env);
  for (const { number: database, db } of databases)
    try {
      // the scheduled run has all bindings and secrets
      await sealSecrets(db, findNewestKid(env), () => readTokenKeys(env as Env));
      const due = await listDue(db, now, queue ? QUEUED_PER_RUN : DELIVERED_PER_RUN);
      attempted += due.length;
      if (queue) {
        const messages = due.map((delivery) => ({ database, delivery }));
        await enqueue(db, queue, messages, now);
      } else await deliverAll(db, due, env as Env, now);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
    }
  return { attempted, failures };
}

async function deliverAll(db: D1Database, due: readonly string[], env: Env, now: number): Promise<void> {
  const left = [...due];
  const lane = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) logDelivery(await deliver(db, id, { env, now }));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
