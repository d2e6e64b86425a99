/**
 * Asking a source: one attempt in flight serves all who wait for it in this isolate, and a source that failed is left
 * alone for 1, 2, 4, ... 60 seconds, so that it is neither forgotten for a minute nor asked by every request.
 */

import { fetchLimited, type LimitedAnswer, type LimitedRequest } from "../fetch-limited.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory, memoryKey } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";

/** For one exchange with one source. */
export const SOURCE_TIMEOUT_MS = 3_000;
/** Beyond it the request that began an attempt is taken to be gone: the answer's judgement takes a part of a second. */
const PATIENCE_MS = SOURCE_TIMEOUT_MS + 500;

const FIRST_BACK_OFF_MS = 1_000;
const LONGEST_BACK_OFF_MS = 60_000;
/** How long after its last failure a source is taken to be sound again, so that it begins with one second. */
const FORGOTTEN_MS = 10 * 60_000;

interface Failing {
  readonly failures: number;
  /** Milliseconds since 1970: until then it is not asked. */
  readonly until: number;
  readonly message: string;
}

/** By the digest of a URL, or of a KV key and a URL. Exported for the test that fills it. */
export const failing = new Memory<Failing>(MEMORY_SHARES.revocationFailures, heapBytes);

/** Why a source is not to be asked at `now`, or null. `message` completes the sentence "The server ...". */
export function findBackOff(source: string, now: number): string | null {
  const known = failing.get(memoryKey(source), now);
  return known && now < known.until ? known.message : null;
}

/** Leaves a source alone: for a second, and for twice as long with each failure in a row. */
export function recordFailure(source: string, message: string, now: number): void {
  const failures = (failing.get(memoryKey(source), now)?.failures ?? 0) + 1;
  const until = now + Math.min(FIRST_BACK_OFF_MS * 2 ** Math.min(failures - 1, 16), LONGEST_BACK_OFF_MS);
  failing.set(memoryKey(source), { failures, until, message }, until + FORGOTTEN_MS, now);
}

export const recordSuccess = (source: string): void => failing.delete(memoryKey(source));

/** The request that waits. */
export interface Waiting {
  /** Keeps the attempt alive when the request that began it ends first. */
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  /** Milliseconds since 1970, as of the request's beginning: the clock of back-off. */
  readonly now: number;
  /** When the request's own time is up. */
  readonly signal: AbortSignal;
}

interface Attempt {
  readonly begun: number;
  /** When the last request joined it: a failure counts from then on. */
  joined: number;
  readonly outcome: Promise<LimitedAnswer>;
}

const inFlight = new Map<string, Attempt>();

/**
 * Fetches from a source, or waits for the attempt that is under way under the same `key` (URL and body). `take` is given
 * what was fetched, by the request that began the attempt, before the attempt counts as done: whoever comes later finds
 * what it kept.
 *
 * In workerd a promise that one request made settles for another, too, unless the first was cancelled: then it never
 * does. The attempt belongs to `ctx.waitUntil`, and each request waits with a timer of its own; when that runs out it
 * makes an attempt itself. Only bytes are shared: a Response belongs to the request that fetched it.
 */
export async function fetchOnce(
  key: string,
  request: Omit<LimitedRequest, "timeoutMs" | "signal">,
  waiting: Waiting,
  take: (bytes: Uint8Array) => Promise<unknown>,
): Promise<LimitedAnswer> {
  for (let abandoned: Attempt | null = null; ; ) {
    const underWay = findAttempt(key, abandoned, waiting.now);
    const message = underWay ? null : findBackOff(request.url, waiting.now);
    if (message !== null) return { ok: false, message };
    const attempt: Attempt = underWay ?? begin(key, request, waiting, take);
    attempt.joined = Math.max(attempt.joined, waiting.now);
    const outcome = await waitFor(attempt.outcome, waiting.signal);
    if (outcome) return outcome;
    if (waiting.signal.aborted || abandoned) return { ok: false, message: "did not answer in time" };
    abandoned = attempt;
  }
}

function findAttempt(key: string, abandoned: Attempt | null, now: number): Attempt | null {
  for (const [each, { begun }] of inFlight) if (Math.abs(now - begun) >= PATIENCE_MS) inFlight.delete(each);
  const attempt = inFlight.get(key);
  return attempt && attempt !== abandoned ? attempt : null;
}

function begin(
  key: string,
  request: Omit<LimitedRequest, "timeoutMs" | "signal">,
  { ctx, now }: Waiting,
  take: (bytes: Uint8Array) => Promise<unknown>,
): Attempt {
  const attempt: Attempt = { begun: now, joined: now, outcome: run() };
  inFlight.set(key, attempt);
  ctx.waitUntil(attempt.outcome);
  return attempt;

  async function run(): Promise<LimitedAnswer> {
    try {
      const fetched = await fetchLimited({ ...request, timeoutMs: SOURCE_TIMEOUT_MS });
      if (fetched.ok) await take(fetched.bytes);
      if (fetched.ok) recordSuccess(request.url);
      else recordFailure(request.url, fetched.message, attempt.joined);
      return fetched;
    } finally {
      if (inFlight.get(key) === attempt) inFlight.delete(key);
    }
  }
}

/** The outcome, or null when it does not come in time. */
async function waitFor<Outcome>(outcome: Promise<Outcome>, signal: AbortSignal): Promise<Outcome | null> {
  let giveUp = () => {};
  const tooLate = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
  });
  const timer = setTimeout(giveUp, PATIENCE_MS);
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  try {
    return await Promise.race([outcome, tooLate]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", giveUp);
  }
}
