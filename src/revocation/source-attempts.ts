/** Asking a source over the network; one that failed is left alone for a while. */
import { Memory } from "../memory.ts";
import { fetchLimited, type LimitedAnswer, type LimitedRequest } from "./fetch-limited.ts";

/** For one exchange with one source. */
export const SOURCE_TIMEOUT_MS = 3_000;

/** How long a source that failed is left alone by this isolate, so that not every certificate waits for it. */
const FAILURE_LASTS_MS = 60_000;
const failures = new Memory<string>(500);

/** The request that waits. */
export interface Waiting {
  /** What goes on behind the answer. */
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  /** Milliseconds since 1970. */
  readonly now: number;
  /** When the request's own time is up. */
  readonly signal: AbortSignal;
}

/** Fetches from a source, unless it failed a moment ago. */
export async function fetchUnlessFailing(
  request: Omit<LimitedRequest, "timeoutMs" | "signal">,
  { now, signal }: Waiting,
): Promise<LimitedAnswer> {
  const failed = failures.get(request.url, now);
  if (failed) return { ok: false, message: failed };
  const fetched = await fetchLimited({ ...request, signal, timeoutMs: SOURCE_TIMEOUT_MS });
  // when the whole check ran out of time, the fault may be another source's
  if (!fetched.ok && !signal.aborted) failures.set(request.url, fetched.message, now + FAILURE_LASTS_MS);
  return fetched;
}
