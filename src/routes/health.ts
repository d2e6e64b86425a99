/**
 * GET /health: up or degraded, without authentication. The result is cached, so frequent requests do not load the
 * stores.
 */
import type { Context } from "hono";
import { clock } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import { readStatus, type Status } from "../refresh/status.ts";
import { StoreError } from "../store-error.ts";

const HEALTH_LIFETIME_MS = 10_000;
/** Exported for the test of its memory limit. */
export const knownHealth = new Memory<Status["status"]>(MEMORY_SHARES.health, heapBytes);

/** Degraded: a store does not answer, nothing is loaded, or a source is stale or fails repeatedly. */
export async function answerHealth(c: Context<AppEnv>): Promise<Response> {
  let status = knownHealth.get("", c.var.now);
  if (!status) {
    status = await findHealth(c);
    // a hit does not extend the lifetime: a monitor that asks every second must see a change
    const foundAt = clock.now();
    knownHealth.set("", status, foundAt + HEALTH_LIFETIME_MS, foundAt);
  }
  return c.json({ status }, 200, { "Cache-Control": "no-store" });
}

async function findHealth(c: Context<AppEnv>): Promise<Status["status"]> {
  try {
    return (await readStatus(c.env, c.var.now)).status;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    console.error(JSON.stringify({ request_id: c.var.requestId, error: error.message }));
    return "degraded";
  }
}
