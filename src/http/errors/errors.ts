/** The error that ends a request, the only writer of `{errors:[{id, code, title, link}]}`, and the address in its links. */
import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import type { Status } from "./entry.ts";
import type { ErrorCode } from "./every-code.ts";
import { ANSWERED } from "./what-is-answered.ts";

/** One problem: its code, and optionally a title that is more precise than the catalogue's. */
export interface Problem {
  readonly code: ErrorCode;
  readonly title?: string;
  /** Set if it differs from the first status in the catalogue. */
  readonly status?: Status;
}

/** Ends a request with errors of the catalogue. The first problem decides the status. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  /** `cause`: the underlying failure. It is logged, and never in the answer. */
  constructor(
    problems: Problem | readonly Problem[],
    headers: Record<string, string> = {},
    options: { readonly cause?: Error } = {},
  ) {
    const list = "code" in problems ? [problems] : problems;
    super(list.map((problem) => problem.code).join(" "), options);
    this.problems = list;
    this.headers = headers;
  }
}

/** `[{id, code, title, link}]`, the interface's error form. `id` is the request's id. */
export function errorList(c: Context<AppEnv>, problems: readonly Problem[]) {
  const page = `${baseUrl(c.env.BASE_URL, c.req.url)}/errors`;
  const spell = c.get("endpoint")?.successor === undefined ? (title: string) => title : inOlderWords;
  return problems.map(({ code, title }) => ({
    id: c.get("requestId"),
    code,
    title: spell(title ?? CATALOGUE.get(code)?.title ?? code),
    link: `${page}#${code}`,
  }));
}

/** Names of headers and scopes as callers of version 1.6 know them (interface, "Versioning"). */
const inOlderWords = (title: string): string =>
  title
    .replace(/\bHeader eidas\b/, "Header x-eidas")
    .replace(/\bccg_token\b/, "x-ccg-token")
    .replace("payments or accounts", "Payment initiation services or Account information services");

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

export type BaseUrl =
  /** Without a slash at its end; null when none is configured. */
  { readonly ok: true; readonly url: string | null } | { readonly ok: false; readonly message: string };

/** Reads the variable `BASE_URL`: an https origin, optionally followed by a path prefix. */
export function readBaseUrl(configured: string): BaseUrl {
  if (!configured) return { ok: true, url: null };
  const refuse = (message: string): BaseUrl => ({ ok: false, message: `BASE_URL ${message}` });
  if (!/^https:\/\/[^/]/i.test(configured)) return refuse("must begin with https:// and a host name");
  if (!URL.canParse(configured)) return refuse("is not a URL");
  const url = new URL(configured);
  if (url.username || url.password) return refuse("must not contain credentials");
  if (/[?#]/.test(configured)) return refuse("must end with the origin or a path: no query, no fragment");
  return { ok: true, url: `${url.origin}${url.pathname.replace(/\/+$/, "")}` };
}

/** The configuration as last read: parsed again only when it differs. */
let parsed: { readonly configured: string; readonly url: string | null } | undefined;

/**
 * The base for links. A malformed configuration is logged once; the request's origin is used instead. It is from the Host
 * header, which the caller controls: a deployment that accepts any host name should configure BASE_URL.
 */
export function baseUrl(configured: string, requestUrl: string): string {
  if (!parsed || parsed.configured !== configured) {
    const read = readBaseUrl(configured);
    if (!read.ok) console.error(JSON.stringify({ event: "configuration_invalid", error: read.message }));
    parsed = { configured, url: read.ok ? read.url : null };
  }
  return parsed.url ?? new URL(requestUrl).origin;
}

/** Problems of the configuration, shown by `status` and before a deployment. */
export function configurationWarnings({ BASE_URL }: Pick<Env, "BASE_URL">): string[] {
  const read = readBaseUrl(BASE_URL);
  return read.ok ? [] : [`${read.message}; links in errors follow the Host header until then`];
}
