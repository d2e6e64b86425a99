/** What an answer means, and whether its request is sent again, after which wait. Pure. */
import {
  type CallFacts,
  NetworkError,
  type Problem,
  PspGateError,
  RedirectError,
  UnexpectedAnswerError,
} from "./errors.ts";
import type { Operation, RawAnswer, Repeat } from "./request.ts";
import type { RetryOptions } from "./settings.ts";

/** An answer in the interface's form that is no error. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if the answer has none. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** No answer came from this address; `cause` is what `fetch` threw. */
export class NoAnswer {
  readonly from: string;
  readonly cause: unknown;

  constructor(from: string, cause: unknown) {
    this.from = from;
    this.cause = cause;
  }
}

export const NO_ANSWER: Outcome = { status: null, code: null, retryAfter: null };

export function outcomeOf(result: RawAnswer | NoAnswer): Outcome {
  if (result instanceof NoAnswer) return NO_ANSWER;
  const { status, headers, body } = result;
  return { status, code: findProblems(body)?.[0].code ?? null, retryAfter: readRetryAfter(headers) };
}

/** Throws what errors.ts has. */
export function readAnswer(
  result: RawAnswer | NoAnswer,
  { has, accept, isAnswer }: Operation,
  facts: CallFacts,
): Answer {
  if (result instanceof NoAnswer)
    throw new NetworkError(`no answer from ${result.from}${explain(result.cause)}`, facts, { cause: result.cause });
  const { status, headers, body = {} } = result;
  // 0: a browser does not show the redirects that it does not follow
  if (status === 0 || (status >= 300 && status < 400)) throw new RedirectError(facts, status, readOrigin(headers));
  // what has no content is a DELETE: a page with 200, empty or not, has not ended anything
  const due =
    isAnswer?.(result) ?? (has === undefined ? status === 204 : (status >= 200 && status < 300) || status === accept);
  if (due && isObject(body) && (has === undefined || has in body)) return { status, headers, body };
  const problems = findProblems(body);
  if (!problems || status < 400) {
    const contentType = headers.get("Content-Type");
    throw new UnexpectedAnswerError(facts, status, contentType, "is not an answer of psp-gate");
  }
  const { retryAfter } = outcomeOf(result);
  throw new PspGateError(facts, { status, problems, requestId: headers.get("x-request-id"), retryAfter });
}

/** The interface's `errors`; null if the body has none. */
function findProblems(body: unknown): readonly [Problem, ...Problem[]] | null {
  const errors = isObject(body) ? body["errors"] : undefined;
  if (!Array.isArray(errors) || errors.length === 0) return null;
  const wellFormed = errors.every((error) => isObject(error) && [error["code"], error["title"]].every(isText));
  return wellFormed ? (errors as unknown as [Problem, ...Problem[]]) : null;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): boolean => typeof value === "string";

/** The code of Node's network errors, such as ECONNREFUSED. Their messages may have the whole address. */
function explain(cause: unknown): string {
  const code = [cause, Object(cause).cause].map((error) => Object(error).code).find(isText);
  return code === undefined ? "" : ` (${code})`;
}

function readOrigin(headers: Headers): string | null {
  const location = headers.get("Location") ?? "";
  return URL.canParse(location) ? new URL(location).origin : null;
}

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
