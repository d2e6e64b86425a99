/** Which requests are sent again, and after which wait. Pure. */

export interface RetryOptions {
  /** How often a request is repeated at most; 2 unless given, 0 for never. */
  readonly limit?: number;
  /** From 0 to 1, so that many clients do not come back at one instant. `Math.random` unless given. */
  readonly random?: () => number;
}

/**
 * `always`: a repetition changes nothing that the first request has not changed. `unless_done`: only after an answer
 * that says that nothing was done. `never`: a second redemption of a code revokes the token of the first one, whose
 * answer may have been lost (RFC 6749 section 4.1.2).
 */
export type Repeat = "always" | "unless_done" | "never";

/** What came of one attempt. */
export interface Outcome {
  /** Null if there was no answer. */
  readonly status: number | null;
  /** The first error code of the service; null if the answer is not the service's own, such as a proxy's page. */
  readonly code: string | null;
  /** The seconds that the answer asks to wait; null if it does not say. */
  readonly retryAfter: number | null;
}

export interface RetryPolicy {
  readonly limit: number;
  readonly random: () => number;
}

const LIMIT = 2;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 8_000;

/** Throws `TypeError`. */
export function readRetryPolicy({ limit = LIMIT, random = Math.random }: RetryOptions = {}): RetryPolicy {
  if (!Number.isInteger(limit) || limit < 0) throw new TypeError("retry.limit is not a whole number from 0 on");
  return { limit, random };
}

/**
 * The milliseconds to wait before the next attempt; null if there is none. `attempt` counts from 1. Waits grow twofold,
 * each between half of it and the whole; never shorter than the answer asks for.
 */
export function findWait(policy: RetryPolicy, repeat: Repeat, attempt: number, outcome: Outcome): number | null {
  if (attempt > policy.limit || !mayRepeat(repeat, outcome)) return null;
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS);
  return (outcome.retryAfter ?? 0) * 1000 + (wait * (1 + policy.random())) / 2;
}

export function mayRepeat(repeat: Repeat, { status, code }: Outcome): boolean {
  switch (repeat) {
    case "always":
      // 502 and 504 are a proxy's words for a failed connection
      return status === null || [429, 502, 503, 504].includes(status);
    case "unless_done":
      // in the service's own words: a proxy's 503 may follow a request that was carried out
      return code === "rate_limit_exceeded" || code === "temporarily_unavailable";
    case "never":
      return false;
  }
}

/**
 * The seconds of a header Retry-After (RFC 9110 section 10.2.3); null if it has none. A date is compared with the
 * answer's own, so that a wrong clock here does not matter.
 */
export function readRetryAfter(headers: Headers): number | null {
  const given = headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(given)) return Number(given);
  const seconds = (Date.parse(given) - Date.parse(headers.get("Date") ?? "")) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
