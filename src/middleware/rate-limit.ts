/**
 * At most 15,000 requests per source IP in any five minutes (interface, "Limits"); 429 with Retry-After beyond.
 * An isolate counts what it lets through, and once a second tells the IP's Durable Object in the background, which
 * answers what all isolates let through: so no request waits for it. The platform's rate limiting binding, which
 * knows one location and at most 60 seconds, guards the second in which isolates do not know of each other yet; it is
 * asked from a quarter of the limit on, since below that no burst it could see is near the limit.
 */
import { createMiddleware } from "hono/factory";
import { now, toSeconds } from "../clock.ts";
import type { AppEnv } from "../context.ts";
import { ApiError } from "../errors.ts";
import { Memory } from "../memory.ts";
import { type Counts, RequestWindow, WINDOW_SECONDS } from "../request-window.ts";

const REPORT_INTERVAL_MILLISECONDS = 1000;
const REMEMBERED_IPS = 10_000;
const GUARDED_FROM = 0.25;

interface Source {
  /** What all isolates let through, as last heard, plus what this one has since. */
  window: RequestWindow;
  unreported: Counts;
  reporting: boolean;
}

const sources = new Memory<Source>(REMEMBERED_IPS);

export const rateLimit = createMiddleware<AppEnv>(async (c, next) => {
  const key = sourceKey(c.req.header("CF-Connecting-IP") ?? "unknown");
  const limit = c.env.RATE_LIMIT_REQUESTS;
  const second = toSeconds(now());
  const source = sources.get(key, now()) ?? { window: new RequestWindow(), unreported: {}, reporting: false };
  sources.set(key, source, now() + (WINDOW_SECONDS + 1) * 1000);

  const count = source.window.count(second);
  if (count >= limit) throw tooMany(source.window.secondsUntilRoom(second));
  // counted before anything is awaited: two requests at once never both take the last place
  source.window.add(second, 1);
  source.unreported[second] = (source.unreported[second] ?? 0) + 1;
  if (!source.reporting) c.executionCtx.waitUntil(report(c.env, key, source));
  if (count >= limit * GUARDED_FROM && !(await c.env.RATE_LIMITER.limit({ key })).success) throw tooMany(1);
  await next();
});

async function report(env: Env, key: string, source: Source): Promise<void> {
  source.reporting = true;
  await scheduler.wait(REPORT_INTERVAL_MILLISECONDS);
  const reported = source.unreported;
  source.unreported = {};
  try {
    const counts = await env.RATE_WINDOW.getByName(key).add(reported, toSeconds(now()));
    const window = new RequestWindow(counts);
    window.merge(source.unreported);
    source.window = window;
  } catch (error) {
    // not told is not forgotten: the next report carries them
    const unreported = new RequestWindow(reported);
    unreported.merge(source.unreported);
    source.unreported = unreported.toCounts();
    console.error(JSON.stringify({ event: "rate_window_unreachable", error: String(error) }));
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
  // an IPv4-mapped address (::ffff:192.0.2.1) is that IPv4 address
  const last = right.at(-1) ?? left.at(-1) ?? "";
  if (last.includes(".")) return last;
  const zeros = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, zeros)).fill("0"), ...right];
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${prefix.join(":")}::/64`;
}
