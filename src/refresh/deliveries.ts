/**
 * What the scheduled run does for deliveries: seals new secrets, of webhooks and of institutions' OpenID providers, and hands
 * to the queue what is due, or lost there. Where the deployment has no queue, it makes the deliveries itself, a few each
 * minute.
 */

import { deliver } from "../events/deliver.ts";
import { takeTurns } from "../events/deliveries.ts";
import { DELIVERIES_AT_ONCE, RUN_MS, UNKNOWN_MS, WEBHOOK_MS } from "../events/pace.ts";
import { enqueue, findQueue, logDelivery } from "../events/queue.ts";
import { sealSecrets } from "../events/webhook.ts";
import { sealProviderSecrets } from "../grants/provider-secret.ts";
import { findNewestKid, readTokenKeys } from "../grants/token-keys.ts";
import type { Database } from "../institutions/databases.ts";
import type { Instant } from "../platform/instant.ts";
import { inLanes, StoreError } from "../platform/stores.ts";
import type { RefreshEnv } from "./schedule.ts";

/** Of each database: the rest is due a minute later. */
const QUEUED_PER_RUN = 500;
/** Of all databases: each is some six calls of stores and servers, of a thousand that a run may make. */
const DELIVERED_PER_RUN = 100;

interface LookedAfter {
  /** Handed to the queue, or attempted. */
  readonly attempted: number;
  /** Of databases that did not answer. */
  readonly failures: readonly string[];
}

/** `clock` says how long receivers take; without it each counts as the slowest. */
export async function lookAfterDeliveries(
  env: RefreshEnv,
  databases: readonly Database[],
  now: Instant,
  clock?: () => Instant,
): Promise<LookedAfter> {
  let attempted = 0;
  const failures: string[] = [];
  const queue = findQueue(env);
  const limit = queue ? QUEUED_PER_RUN : Math.ceil(DELIVERED_PER_RUN / databases.length);
  const began = clock?.() ?? now;
  // what is left when receivers have become slower is due a minute later
  const isOver = () => (clock?.() ?? began) - began > RUN_MS / DELIVERIES_AT_ONCE;
  for (const { number: database, db } of databases)
    try {
      // the scheduled run has all bindings and secrets
      const sealing = [db, findNewestKid(env), () => readTokenKeys(env as Env)] as const;
      await sealProviderSecrets(...sealing);
      await sealSecrets(...sealing, now);
      const runMs = Math.max(UNKNOWN_MS, RUN_MS / databases.length);
      const shares = { webhookMs: queue ? WEBHOOK_MS : RUN_MS, runMs };
      const due = await takeTurns(db, now, limit, shares);
      attempted += due.length;
      if (queue) {
        const messages = due.map((delivery) => ({ database, delivery }));
        await enqueue(db, queue, messages, now);
      } else
        await inLanes(DELIVERIES_AT_ONCE, due.values(), async (id) => {
          if (!isOver()) logDelivery(await deliver(db, id, { env: env as Env, now, ...(clock && { clock }) }));
        });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      failures.push(error.message);
    }
  return { attempted, failures };
}
