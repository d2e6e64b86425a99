/**
 * What the scheduled run does for deliveries: seals new secrets of webhooks, and hands to the queue what is due, or lost
 * there. Where the deployment has no queue, it makes the deliveries itself, a few each minute.
 */
import type { Database } from "../databases.ts";
import { deliver } from "../events/deliver.ts";
import { takeTurns } from "../events/due-deliveries.ts";
import { DELIVERIES_AT_ONCE, enqueue, findQueue, logDelivery } from "../events/queue.ts";
import { sealSecrets } from "../events/webhook-secrets.ts";
import { findNewestKid, readTokenKeys } from "../grants/token-keys.ts";
import { inLanes } from "../lanes.ts";
import { StoreError } from "../store-error.ts";
import type { RefreshEnv } from "./step.ts";

/** Of each database: the rest is due a minute later. */
const QUEUED_PER_RUN = 500;
/** Of all databases: each may take ten seconds, and the next run begins a minute later. 30 at 5 at once are a minute at worst. */
const DELIVERED_PER_RUN = 30;

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
  const limit = queue ? QUEUED_PER_RUN : Math.ceil(DELIVERED_PER_RUN / databases.length);
  for (const { number: database, db } of databases)
    try {
      // the scheduled run has all bindings and secrets
      await sealSecrets(db, findNewestKid(env), () => readTokenKeys(env as Env));
      const due = await takeTurns(db, now, limit);
      attempted += due.length;
      if (queue) {
        const messages = due.map((delivery) => ({ database, delivery }));
        await enqueue(db, queue, messages, now);
      } else
        await inLanes(DELIVERIES_AT_ONCE, due.values(), async (id) =>
          logDelivery(await deliver(db, id, { env: env as Env, now })),
        );
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
    }
  return { attempted, failures };
}
