/**
 * What a call can throw. No message, and nothing that `util.inspect` prints, has a credential, a token, a code, an
 * account or a certificate in it: paths are named as in the interface, `GET /v1/oauth2/tokens/{token}`.
 *
 * The caller's own mistakes (an empty id, a line break in a token) are `TypeError`s, and an aborted `AbortSignal` throws
 * its own reason, as `fetch` does.
 */
import { CODES, type ErrorCode } from "./error-codes.ts";

/** Where a call failed. */
export interface CallFacts {
  /** Method and path as in the interface: `GET /v1/oauth2/tokens/{token}`. */
  readonly operation: string;
  /** How many requests were sent. After more than one, the first may have been carried out, and its answer lost. */
  readonly attempts: number;
  readonly retry: RetryAdvice;
}

/** All failures of a call. Its subclasses say what failed. */
export abstract class CallError extends Error implements CallFacts {
  readonly operation: string;
  readonly attempts: number;
  readonly retry: RetryAdvice;
  /** Of `Error` since ES2022: a project's own types may be older. */
  declare readonly cause?: unknown;

  constructor(message: string, { operation, attempts, retry }: CallFacts, options?: { readonly cause?: unknown }) {
    super(`${operation}: ${message}`, options);
    this.operation = operation;
    this.attempts = attempts;
    this.retry = retry;
  }
}

/** One element of the interface's `errors`. */
export interface Problem {
  /** The request's id, which is in the service's log, too. */
  readonly id: string | null;
  /** Of the service's error catalogue; a newer service may have more. */
  readonly code: ErrorCode | (string & {});
  readonly title: string;
  /** The address of the code's explanation. */
  readonly link: string;
}

/** What the service answered. */
interface ErrorAnswer {
  readonly status: number;
  readonly problems: readonly [Problem, ...Problem[]];
  readonly requestId: string | null;
  readonly retryAfter: number | null;
}

/** The service answered with errors. */
export class PspGateError extends CallError {
  override readonly name = "PspGateError";
  /** The HTTP status: 400 to 599. */
  readonly status: number;
  /** Of the first problem, which decides the status. */
  readonly code: Problem["code"];
  /** The address of its explanation: the rule, the usual cause, the cure, an example. */
  readonly link: string;
  /** All problems: a request may have several. */
  readonly problems: readonly Problem[];
  /** What the operator finds in the log; null if a proxy removed it. */
  readonly requestId: string | null;
  /** Seconds; null if the answer does not say. */
  readonly retryAfter: number | null;
  readonly whose: Whose;

  constructor(facts: Omit<CallFacts, "retry">, { status, problems, requestId, retryAfter }: ErrorAnswer) {
    const [{ code, link }] = problems;
    const { whose, retry } = adviseOn(code, status);
    super(`${status} ${problems.map(({ code, title }) => `${code}: ${title}`).join("; ")}`, { ...facts, retry });
    this.status = status;
    this.code = code;
    this.link = link;
    this.problems = problems;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.whose = whose;
  }

  /**
   * True if the service said no to the PSP: to its certificate, its code, its consent, its scope. The bank passes that
   * on. False for a fault: of the bank's own request, or of the service. Somebody at the bank should see it.
   */
  get isRefusal(): boolean {
    return this.whose !== "caller" && this.whose !== "service";
  }
}

/** No answer: the name was not found, the connection refused or lost, TLS failed. `cause` is what `fetch` threw. */
export class NetworkError extends CallError {
  override readonly name = "NetworkError";
}

/** The call's `timeout` ended before an answer came. */
export class TimeoutError extends CallError {
  override readonly name = "TimeoutError";
}

/** An answer that is not in the interface's form: a proxy's page, a captive portal, another service at this address. */
export class UnexpectedAnswerError extends CallError {
  override readonly name = "UnexpectedAnswerError";
  readonly status: number;
  /** Of the answer; null if it does not say. */
  readonly contentType: string | null;

  constructor(facts: CallFacts, status: number, contentType: string | null, what: string) {
    super(`${status}, ${contentType ?? "no content type"}: ${what}`, facts);
    this.status = status;
    this.contentType = contentType;
  }
}

/** A redirect. It is never followed, because the headers with the credentials would go along. */
export class RedirectError extends CallError {
  override readonly name = "RedirectError";
  /** The HTTP status; 0 in browsers, which do not show it. */
  readonly status: number;
  /** Where to, without path and query, which may repeat a token; null if unknown. */
  readonly origin: string | null;

  constructor(facts: CallFacts, status: number, origin: string | null) {
    super(`${status} redirect to ${origin ?? "an unknown address"}, which is not followed; is baseUrl right?`, facts);
    this.status = status;
    this.origin = origin;
  }
}

/**
 * Who can end an error.
 * - `caller`: the bank's own system: credentials, headers, accounts.
 * - `psp`: the PSP, by its certificate, or by what the bank forwards of its request.
 * - `qtsp`: the provider that issued the PSP's certificate.
 * - `bank`: the bank, which decided so, such as by a block. No mistake.
 * - `service`: the operator of psp-gate.
 */
export type Whose = "caller" | "psp" | "qtsp" | "bank" | "service";

/**
 * Whether the same request is sent again.
 * - `never`: it stays the same until somebody has changed something.
 * - `now`: at once; after an expired CCG token with a new one.
 * - `after`: unchanged, when `retryAfter` seconds have passed.
 */
export type RetryAdvice = "never" | "now" | "after";

interface Advice {
  readonly whose: Whose;
  readonly retry: RetryAdvice;
}

/** Of an error of the service. A code that this version of the client does not know is judged by its status. */
function adviseOn(code: string, status: number): Advice {
  const known = Object.entries(CODES).find(([, codes]) => codes.includes(code))?.[0];
  if (known === undefined) return { whose: whoseStatus(status), retry: MAY_REPEAT.has(status) ? "after" : "never" };
  const [whose, retry] = known.split(" ") as [Whose, RetryAdvice];
  return { whose, retry };
}

const MAY_REPEAT: ReadonlySet<number> = new Set([429, 503]);

function whoseStatus(status: number): Whose {
  if (status >= 500) return "service";
  return status === 403 ? "psp" : "caller";
}
