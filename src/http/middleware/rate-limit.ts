/**
 * At most 15,000 requests per source IP in any five minutes (interface, "Limits"), by the rule of source-quota.ts; each answer
 * has the rest in the fields of draft-ietf-httpapi-ratelimit-headers-11. No request waits for the IP's Durable Object: until
 * isolates know each other's counts, the platform's limiter guards, which counts per location and for 60 seconds at most.
 * The operator's monitor is not counted.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { clock } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { memoryOf } from "../../platform/memory.ts";
import { callStore, objectsIn } from "../../platform/stores.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { type Counts, WINDOW_SECONDS } from "../rate-limit/request-window.ts";
import { sourceKey } from "../rate-limit/source-key.ts";
import { REPORT_INTERVAL_MS, SourceQuota } from "../rate-limit/source-quota.ts";
import { isOperator } from "./operator.ts";

/** Memory of a source, and of each second with requests: a slot in the window, and one in the pending report. */
const SOURCE_BYTES = 1_024;
const SECOND_BYTES = 128;

/** */
const sources = memoryOf<SourceQuota>("sources", ({ seconds }) => SOURCE_BYTES + SECOND_BYTES * seconds);

const keepSource = (key: string, source: SourceQuota, now: Instant): void =>
  sources.set(key, source, now + (WINDOW_SECONDS + 1) * 1000, now);

/**
 * It may share a bank's address, and has to see most while that sends too much. GET /health answers from memory. A token that is
 * not the operator's is counted, so that it cannot be guessed.
 */
const isOfMonitor = (c: Context<AppEnv>): boolean =>
  c.req.path === "/health" || ((c.req.path === "/metrics" || c.req.path === "/status") && isOperator(c));

export const rateLimit = createMiddleware<AppEnv>(async (c, next) => {
  if (isOfMonitor(c)) {
    const known = sources.get(addressOf(c), c.get("now")) ?? new SourceQuota();
    const { remaining, seconds } = known.look(c.get("now"), c.env.RATE_LIMIT_REQUESTS);
    setFields(c, c.env.RATE_LIMIT_REQUESTS, remaining, seconds);
    return await next();
  }
  const { guarded, key, source } = count(c, 1);
  if (guarded && !(await askGuard(c.env, key))) {
    source.giveBack(c.get("now"));
    setFields(c, c.env.RATE_LIMIT_REQUESTS, 0, 1);
    throw tooMany(1);
  }
  await next();
});

/**
 * Counts a request, which was counted as one, as `requests` more: it is to do their work. Throws 429 if they do not
 * pass; then none of them is counted. The platform's limiter was asked for the request already; it counts calls, and
 * one for each would cost more than their work.
 */
export function countAsMore(c: Context<AppEnv>, requests: number): void {
  if (requests > 0) count(c, requests);
}

const addressOf = (c: Context<AppEnv>): string => sourceKey(c.req.header("CF-Connecting-IP") ?? "unknown");

function count(c: Context<AppEnv>, requests: number) {
  const key = addressOf(c);
  const limit = c.env.RATE_LIMIT_REQUESTS;
  const now = c.get("now");
  const source = sources.get(key, now) ?? new SourceQuota();
  keepSource(key, source, now);

  const { passes, guarded, report, remaining, seconds } = source.take(now, limit, requests);
  if (report !== null) c.executionCtx.waitUntil(tell(c.env, key, source, report === "now" ? 0 : REPORT_INTERVAL_MS));
  // set before the handlers run, so that errors have the fields too
  setFields(c, limit, remaining, seconds);
  if (!passes) throw tooMany(seconds);
  return { guarded, key, source };
}

/** False if this location alone has received too many requests. True if the platform's limiter cannot be reached. */
async function askGuard(env: Env, key: string): Promise<boolean> {
  try {
    return (await callStore("limiter", () => env.RATE_LIMITER.limit({ key }))).success;
  } catch (error) {
    console.error(JSON.stringify({ event: "rate_limiter_unreachable", error: String(error) }));
    return true;
  }
}

/** Reports this isolate's counts to the address's Durable Object, and receives the total. `delay` in milliseconds. */
async function tell(env: Env, key: string, source: SourceQuota, delay: number): Promise<void> {
  // the reads of the request that caused the report are begun first
  await scheduler.wait(delay);
  for (let due = true; due; ) {
    const counts = source.beginReport(clock.now());
    if (counts === null) return;
    try {
      const all: Counts = await callStore("rate window", () =>
        objectsIn(env.RATE_WINDOW, env.JURISDICTION).getByName(key).add(counts),
      );
      due = source.endReport(counts, all, clock.now());
      // its size may have changed
      keepSource(key, source, clock.now());
    } catch (error) {
      source.failReport(counts, clock.now());
      due = false;
      console.error(JSON.stringify({ event: "rate_window_unreachable", error: String(error) }));
    }
  }
}

// a deployment has one limit, so the field's text is cached
let policy = { limit: Number.NaN, text: "" };

function setFields(c: Context<AppEnv>, limit: number, remaining: number, seconds: number): void {
  if (policy.limit !== limit) policy = { limit, text: `"per-ip";q=${limit};w=${WINDOW_SECONDS}` };
  c.header("RateLimit-Policy", policy.text);
  // at most r requests pass in the next t seconds; then the oldest counted second leaves the window. Seconds are
  // counted as a whole, so t may be w + 1
  c.header("RateLimit", `"per-ip";r=${remaining};t=${seconds}`);
}

const tooMany = (seconds: number) =>
  new ApiError(
    {
      code: "rate_limit_exceeded",
      title: `Too many requests from this address: try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}`,
    },
    { "Retry-After": String(seconds) },
  );
