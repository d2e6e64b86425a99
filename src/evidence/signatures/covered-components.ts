/** The components that every signature covers (RFC 9421 section 2), with their values. */
import { createHash } from "node:crypto";

export interface Exchange {
  readonly request: Request;
  /** The content of the request; undefined where it was not read. */
  readonly sent?: Uint8Array | undefined;
  readonly status: number;
  /** Of the answer, without those that the signature adds. */
  readonly headers: Headers;
  /** The whole content of the answer; empty if it has none. */
  readonly content: Uint8Array;
}

/** A component of a signature (RFC 9421 section 2) with its value. */
export interface Covered {
  readonly name: string;
  readonly ofTheRequest: boolean;
  /** As it is written in the signature: `"@path";req`. */
  readonly id: string;
  readonly value: string;
}

export const SIGNATURE_TAG = "psp-gate";
/** Headers of the request that decide the answer. Absent ones are not covered. */
const DECIDING = ["fi_reference_id", "eidas", "ccg_token", "version"] as const;
/** Their names in the older forms alone. */
const OLD_NAMES = ["x-eidas", "x-ccg-token"] as const;
const OF_THE_REQUEST = [...DECIDING, ...OLD_NAMES];
const OLDER_FORM = /^\/v1\/(?:tpp\/eidas|obie\/(?:ccg_token|authorization_code|token)(?:\/[^/]+)?)$/;

/** The headers that decide the answer at a path: elsewhere what has an old name decides nothing. */
export const listDeciding = (path: string): readonly string[] => (OLDER_FORM.test(path) ? OF_THE_REQUEST : DECIDING);

/** RFC 9421 section 2.1: a value that is not ASCII cannot be covered. */
const SIGNABLE = /^[\t\x20-\x7e]*$/;

export const isSignable = (value: string): boolean => SIGNABLE.test(value);

/** The value of Content-Digest (RFC 9530). */
export const digestContent = (content: Uint8Array): string =>
  `sha-256=:${createHash("sha256").update(content).digest("base64")}:`;

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
export function splitUrl(url: string): { path: string; query: string } {
  const path = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?", path);
  return query < 0 ? { path: url.slice(path), query: "?" } : { path: url.slice(path, query), query: url.slice(query) };
}
