/**
 * At most 15,000 requests per source IP in any five minutes (interface, "Limits"); 429 with Retry-After beyond.
 * First guard: the platform's rate limiting binding, which knows one location and at most 60 seconds. Beside it the
 * exact window: an isolate counts what it lets through, and once a second tells the IP's Durable Object in the
 * background, which answers what all isolates let through. So no request waits for it.
 */
import { createMiddleware } from "hono/factory";
import { now, toSeconds } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";
import { Memory } from "../memory.ts";
import { type Counts, countWindow, prune, WINDOW_SECONDS } from "../rate-window.ts";

const REPORT_INTERVAL_MILLISECONDS = 1000;
const REMEMBERED_IPS = 10_000;

interface Source {
  /** What all isolates let through, as last heard, plus what this one has since. */
  counts: Counts;
  unreported: Counts;
  reporting: boolean;
}

const sources = new Memory<Source>(REMEMBERED_IPS);

export const rateLimit = createMiddleware<AppEnv>(async (c, next) => {
  const key = sourceKey(c.req.header("CF-Connecting-IP") ?? "unknown");
  const second = toSeconds(now());
  const source = sources.get(key, now()) ?? { counts: {}, unreported: {}, reporting: false };
  sources.set(key, source, now() + (WINDOW_SECONDS + 1) * 1000);
  prune(source.counts, second);

  const { success } = await c.env.RATE_LIMITER.limit({ key });
  if (!success) throw tooMany(1);
  if (countWindow(source.counts, second) >= c.env.RATE_LIMIT_REQUESTS) {
    const oldest = Math.min(...Object.keys(source.counts).map(Number));
    throw tooMany(oldest + WINDOW_SECONDS + 1 - second);
  }
  source.counts[second] = (source.counts[second] ?? 0) + 1;
  source.unreported[second] = (source.unreported[second] ?? 0) + 1;
  if (!source.reporting) c.executionCtx.waitUntil(report(c.env, key, source));
  await next();
});

async function report(env: Env, key: string, source: Source): Promise<void> {
  source.reporting = true;
  try {
    await scheduler.wait(REPORT_INTERVAL_MILLISECONDS);
    const reported = source.unreported;
    source.unreported = {};
    const counts = await env.RATE_WINDOW.getByName(key).add(reported, toSeconds(now()));
    for (const [at, count] of Object.entries(source.unreported)) counts[Number(at)] = (counts[Number(at)] ?? 0) + count;
    source.counts = counts;
  } finally {
    source.reporting = false;
  }
}

const tooMany = (seconds: number) =>
  new ApiError({ code: "rate_limit_exceeded" }, { "Retry-After": String(Math.max(1, seconds)) });

/** The address itself, or an IPv6 address's /64: one subscriber has all of it. */
export function sourceKey(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  // an IPv4-mapped tail (::ffff:192.0.2.1) is that IPv4 address
  const last = right.at(-1) ?? left.at(-1) ?? "";
  if (last.includes(".")) return last;
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(":")}::/64`;
}
