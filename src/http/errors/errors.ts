/** The error that ends a request, and the address in links. How it is answered: error-response.ts, which a start does not evaluate. */
import type { Status } from "./entry.ts";
import type { ErrorCode } from "./every-code.ts";

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
