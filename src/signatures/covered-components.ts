/** The components that every signature covers (RFC 9421 section 2), with their values. */
import type { Covered, Exchange } from "./exchange.ts";

/** Absent headers are not covered. */
const OF_THE_REQUEST = ["fi_reference_id", "eidas", "ccg_token", "version"] as const;

/** RFC 9421 section 2.1: a value that is not ASCII cannot be covered. */
const SIGNABLE = /^[\t\x20-\x7e]*$/;

export const isSignable = (value: string): boolean => SIGNABLE.test(value);

/** `digest`: the value of the answer's Content-Digest. */
export function coverExchange({ request, status, headers }: Exchange, digest: string): Covered[] {
  const { path, query } = splitUrl(request.url);
  const answer = (name: string, value: string | null) => cover(name, value, false);
  const asked = (name: string, value: string | null) => cover(name, value, true);
  return [
    ...answer("@status", String(status)),
    ...answer("content-type", headers.get("content-type")),
    ...answer("content-digest", digest),
    ...answer("x-evidence-id", headers.get("x-evidence-id")),
    ...asked("@method", request.method),
    ...asked("@path", path),
    ...asked("@query", query),
    ...OF_THE_REQUEST.flatMap((name) => asked(name, request.headers.get(name))),
  ];
}

const cover = (name: string, value: string | null, ofTheRequest: boolean): Covered[] =>
  value !== null && isSignable(value)
    ? [{ name, ofTheRequest, id: ofTheRequest ? `"${name}";req` : `"${name}"`, value }]
    : [];

/** RFC 9421 sections 2.2.6 and 2.2.7. The query of an address without one is `?`. */
function splitUrl(url: string): { path: string; query: string } {
  const path = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?", path);
  return query < 0 ? { path: url.slice(path), query: "?" } : { path: url.slice(path, query), query: url.slice(query) };
}
