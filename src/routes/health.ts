/** GET /health: up or degraded, for anyone. It is remembered, so that asking it often costs the stores nothing. */
import type { Context } from "hono";
import { now } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import { readStatus, type Status } from "../refresh/status.ts";
import { StoreError } from "../store-error.ts";

const REMEMBERED_MS = 10_000;
/** Exported for the test that fills it. */
export const knownHealth = new Memory<Status["status"]>(MEMORY_SHARES.health, heapBytes);

/** Degraded: a store does not answer, nothing is loaded, or something is stale or fails again and again. */
export async function answerHealth(c: Context<AppEnv>): Promise<Response> {
  let status = knownHealth.get("", now());
  if (!status) {
    status = await findHealth(c);
    // only what was found is remembered anew: a monitor that asks every second must see it change
    const found = now();
    knownHealth.set("", status, found + REMEMBERED_MS, found);
  }
  return c.json({ status }, 200, { "Cache-Control": "no-store" });
}

async function findHealth(c: Context<AppEnv>): Promise<Status["status"]> {
  try {
    return (await readStatus(c.env, now())).status;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    console.error(JSON.stringify({ request_id: c.var.requestId, error: error.message }));
    return "degraded";
  }
}
