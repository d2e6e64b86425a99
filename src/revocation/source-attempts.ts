/**
 * Coordinates requests to sources within an isolate. Those for the same answer share one fetch, and a source that
 * failed is not asked for 1, 2, 4, ... up to 60 seconds.
 */
import { fetchLimited, type LimitedAnswer, type LimitedRequest } from "../platform/fetch-limited.ts";
import type { Instant } from "../platform/instant.ts";
import { memoryKey, memoryOf } from "../platform/memory.ts";

export const SOURCE_TIMEOUT_MS = 3_000;
/** Then the request that started an attempt is assumed to be gone. */
const PATIENCE_MS = SOURCE_TIMEOUT_MS + 500;

const FIRST_BACK_OFF_MS = 1_000;
const LONGEST_BACK_OFF_MS = 60_000;
/** After the end of a back-off. Then the next one is one second again. */
const FORGOTTEN_MS = 10 * 60_000;

interface Failing {
  readonly failures: number;
  /** The source is not asked before then. */
  readonly until: Instant;
  readonly message: string;
}

/** By the digest of a URL, or of a KV key and a URL. */
const failing = memoryOf<Failing>("revocationFailures");

/** Why a source must not be asked at `now`, completing the sentence "The server ...", or null. */
export function findBackOff(source: string, now: Instant): string | null {
  const known = failing.get(memoryKey(source), now);
  return known && now < known.until ? known.message : null;
}

/** Blocks a source for one second, doubled with each further failure in a row, up to 60 seconds. */
export function recordFailure(source: string, message: string, now: Instant): void {
  const failures = (failing.get(memoryKey(source), now)?.failures ?? 0) + 1;
  const until = now + Math.min(FIRST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS);
  failing.set(memoryKey(source), { failures, until, message }, until + FORGOTTEN_MS, now);
}

export const recordSuccess = (source: string): void => failing.delete(memoryKey(source));

export type SourceRequest = Omit<LimitedRequest, "timeoutMs" | "signal"> & { readonly source?: string };

const sourceOf = ({ source, url }: SourceRequest): string => source ?? url;

export interface Waiting {
  /** Keeps the attempt alive when the request that started it ends first. */
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  /** Start of the request. Back-off is computed from it. */
  readonly now: Instant;
  /** Aborted when the time of the whole request is up. */
  readonly signal: AbortSignal;
}

interface Attempt {
  readonly begun: number;
  /** `now` of the last request that joined. The back-off after a failure starts there. */
  joined: number;
  readonly outcome: Promise<LimitedAnswer>;
}

const inFlight = new Map<string, Attempt>();

const TOO_LATE = "did not answer in time";

/**
 * Fetches, or joins the attempt for the same `key` (URL and body). `accept` stores the bytes before the attempt counts
 * as done. In workerd the promise of a cancelled request never settles, so `ctx.waitUntil` holds the attempt and each
 * request waits with a timer of its own. Only bytes are shared: a Response belongs to the request that fetched it.
 */
export const fetchOnce = (
  key: string,
  request: SourceRequest,
  waiting: Waiting,
  accept: (bytes: Uint8Array) => Promise<unknown>,
): Promise<LimitedAnswer> => inTurn(waiting.ctx, () => fetchOrJoin(key, request, waiting, accept));

async function fetchOrJoin(...[key, request, waiting, accept]: Parameters<typeof fetchOnce>): Promise<LimitedAnswer> {
  for (let abandoned: Attempt | null = null; ; ) {
    if (waiting.signal.aborted) return { ok: false, message: TOO_LATE };
    const underWay = findAttempt(key, abandoned, waiting.now);
    const message = underWay ? null : findBackOff(sourceOf(request), waiting.now);
    if (message !== null) return { ok: false, message };
    const attempt: Attempt = underWay ?? begin(key, request, waiting, accept);
    attempt.joined = Math.max(attempt.joined, waiting.now);
    const outcome = await waitFor(attempt.outcome, waiting.signal);
    if (outcome) return outcome;
    if (abandoned) return { ok: false, message: TOO_LATE };
    abandoned = attempt;
  }
}

function findAttempt(key: string, abandoned: Attempt | null, now: Instant): Attempt | null {
  for (const [each, { begun }] of inFlight) if (Math.abs(now - begun) >= PATIENCE_MS) inFlight.delete(each);
  const attempt = inFlight.get(key);
  return attempt && attempt !== abandoned ? attempt : null;
}

function begin(
  key: string,
  request: SourceRequest,
  { ctx, now }: Waiting,
  accept: (bytes: Uint8Array) => Promise<unknown>,
): Attempt {
  const attempt: Attempt = { begun: now, joined: now, outcome: run() };
  inFlight.set(key, attempt);
  ctx.waitUntil(attempt.outcome);
  return attempt;

  async function run(): Promise<LimitedAnswer> {
    try {
      const fetched = await fetchLimited({ ...request, timeoutMs: SOURCE_TIMEOUT_MS });
      if (fetched.ok) await accept(fetched.bytes);
      if (fetched.ok) recordSuccess(sourceOf(request));
      else recordFailure(sourceOf(request), fetched.message, attempt.joined);
      return fetched;
    } finally {
      if (inFlight.get(key) === attempt) inFlight.delete(key);
    }
  }
}

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

/** One of the six connections of a request is left to the stores: a source must not wait for one. */
const AT_ONCE = 5;

interface Turns {
  free: number;
  readonly waiting: (() => void)[];
}

const turns = new WeakMap<object, Turns>();

async function inTurn<Result>(request: object, ask: () => Promise<Result>): Promise<Result> {
  const mine = turns.get(request) ?? { free: AT_ONCE, waiting: [] };
  turns.set(request, mine);
  if (mine.free > 0) mine.free--;
  else await new Promise<void>((resolve) => mine.waiting.push(resolve));
  try {
    return await ask();
  } finally {
    const next = mine.waiting.shift();
    if (next) next();
    else mine.free++;
  }
}
