/** What an answer means: the operation's result, the errors of the service, or something else at this address. Pure. */
import {
  type CallFacts,
  NetworkError,
  type Problem,
  PspGateError,
  RedirectError,
  UnexpectedAnswerError,
} from "./errors.ts";
import type { Operation } from "./operation.ts";
import { type Outcome, readRetryAfter } from "./retry.ts";
import type { RawAnswer } from "./transport.ts";

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
export function readAnswer(result: RawAnswer | NoAnswer, { has, accept }: Operation, facts: CallFacts): Answer {
  if (result instanceof NoAnswer)
    throw new NetworkError(`no answer from ${result.from}${explain(result.cause)}`, facts, { cause: result.cause });
  const { status, headers, body = {} } = result;
  // 0: a browser does not show the redirects that it does not follow
  if (status === 0 || (status >= 300 && status < 400)) throw new RedirectError(facts, status, readOrigin(headers));
  // what has no content is a DELETE: a page with 200, empty or not, has not ended anything
  const due = has === undefined ? status === 204 : (status >= 200 && status < 300) || status === accept;
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
