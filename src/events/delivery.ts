/** What follows an attempt to deliver: it is done, or another one comes later, or none. Pure. */

/** How the receiver answered, or that it did not. */
export type AttemptOutcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** In seconds: of the header Retry-After; null without a usable one. */
      readonly retryAfter: number | null;
      /** It is a web page, as a login is: perhaps nobody took the event. */
      readonly page?: boolean;
    }
  /** `message` completes the sentence "The receiver ...". */
  | { readonly kind: "none"; readonly message: string };

export type NextStep =
  | { readonly step: "done" }
  | { readonly step: "retry"; readonly seconds: number }
  /** It is given up. `disable`: the receiver wants no more (RFC 9110 section 15.5.11), so the webhook ends with it. */
  | { readonly step: "dead"; readonly disable: boolean };

export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  /** Milliseconds since 1970: the first attempt. */
  readonly firstAt: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const FIRST_DELAY_SECONDS = 5;
/** Also the longest delay of a message of Cloudflare Queues. */
const LONGEST_DELAY_SECONDS = 12 * 3600;
/** From the first attempt: one that would come later is not made. */
export const LONGEST_TIME_MS = 3 * 86_400_000;

/** 5, 10, 20 ... seconds, up to 12 hours; the last attempt is made within three days of the first. */
export function decideNext({ number, firstAt, now }: Attempt, outcome: AttemptOutcome): NextStep {
  if (outcome.kind === "answer") {
    if (outcome.status >= 200 && outcome.status < 300) return { step: "done" };
    if (outcome.status === 410) return { step: "dead", disable: true };
  }
  const usual = Math.min(FIRST_DELAY_SECONDS * 2 ** Math.min(number - 1, 20), LONGEST_DELAY_SECONDS);
  const seconds = Math.min(Math.max(usual, askedFor(outcome)), LONGEST_DELAY_SECONDS);
  return now + seconds * 1000 > firstAt + LONGEST_TIME_MS
    ? { step: "dead", disable: false }
    : { step: "retry", seconds };
}

/** A receiver that is busy may say for how long (RFC 9110 section 10.2.3): never less than the usual delay, nor more than the longest. */
const askedFor = (outcome: AttemptOutcome): number =>
  outcome.kind === "answer" && (outcome.status === 429 || outcome.status === 503) ? (outcome.retryAfter ?? 0) : 0;

/** Seconds, or a date (RFC 9110 section 10.2.3); null for anything else. `now`: milliseconds since 1970. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000));
}

/** For the operator: what is kept of an attempt. */
export const describeOutcome = (outcome: AttemptOutcome): string =>
  outcome.kind === "answer"
    ? `answered with status ${outcome.status}${outcome.page ? " and an HTML page" : ""}`
    : outcome.message;
