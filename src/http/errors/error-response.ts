/** The only writer of `{errors:[{id, code, title, link}]}`. Loaded by the first error: no start needs the texts. */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import type { Status } from "./entry.ts";
import { type ApiError, baseUrl, type Problem } from "./errors.ts";
import type { ErrorCode } from "./every-code.ts";
import { explainRepeatedHeader } from "./repeated-header.ts";
import { ANSWERED } from "./what-is-answered.ts";

/** `[{id, code, title, link}]`, the interface's error form. `id` is the request's id. */
export function errorList(c: Context<AppEnv>, problems: readonly Problem[]) {
  const page = `${baseUrl(c.env.BASE_URL, c.req.url)}/errors`;
  const spell = c.get("spell") ?? ((title: string) => title);
  return problems.map((problem) => ({
    id: c.get("requestId"),
    code: problem.code,
    title: spell(
      explainRepeatedHeader(c, problem) ?? problem.title ?? CATALOGUE.get(problem.code)?.title ?? problem.code,
    ),
    link: `${page}#${problem.code}`,
  }));
}

/** The status of a problem at this request's endpoint: malformed is 404 where the interface's table has no 400. */
function statusOf(c: Context<AppEnv>, problem: Problem): Status {
  const status = problem.status ?? CATALOGUE.get(problem.code)?.statuses[0] ?? 500;
  return status === 400 && c.get("endpoint") && !c.get("endpoint").statuses.includes(400) ? 404 : status;
}

/**
 * RFC 9110 section 15.5.2: every 401 has a challenge; without one Java's client throws the answer away. `Basic` only where the
 * institution's credentials were refused: a library sends these again, and a browser asks its user for them.
 */
const CHALLENGE = { "WWW-Authenticate": 'psp-gate realm="headers of the interface"' };

export function errorResponse(c: Context<AppEnv>, error: ApiError): Response {
  const [first] = error.problems;
  const status = first ? statusOf(c, first) : 500;
  if (first) c.set("outcome", first.code);
  const body = { errors: errorList(c, error.problems) };
  return c.json(body, status, { "Cache-Control": "no-store", ...(status === 401 && CHALLENGE), ...error.headers });
}

type Answered = (typeof ANSWERED)[ErrorCode];

/** The codes as the API answers them. What else is said of them is in every-code.ts. */
export const CATALOGUE: ReadonlyMap<ErrorCode, Answered> = new Map(Object.entries(ANSWERED) as [ErrorCode, Answered][]);

export const isErrorCode = (text: string): text is ErrorCode => CATALOGUE.has(text as ErrorCode);
