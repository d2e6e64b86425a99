/** An operation of the interface, and how one object with all its parameters becomes a request. Pure. */
import { toBase64 } from "./base64.ts";
import type { Repeat } from "./retry.ts";
import type { RawRequest } from "./transport.ts";

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As in the interface; `{name}` is filled in from the parameter of this name. */
  readonly path: string;
  /** The parameter that is sent as a header of its name. */
  readonly header?: "eidas" | "ccg_token";
  /** The parameters that are sent in the query. All that remain are the body of a POST or PUT. */
  readonly query?: readonly string[];
  readonly repeat: Repeat;
  /** A member that every answer of the service has; undefined if it has no body. */
  readonly has?: string;
  /** An answer that is no error is bytes. */
  readonly bytes?: true;
  /** A status from 400 on whose answer is a result, too, if it has that member. */
  readonly accept?: number;
}

type Parameters = Readonly<Record<string, unknown>>;

/** The operation as errors name it. */
export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Throws `TypeError` for what cannot be sent. */
export function makeRequest(operation: Operation, parameters: Parameters): RawRequest {
  const { method, header, query = [] } = operation;
  const rest = { ...parameters };
  const take = (name: string): unknown => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, take(name)));
  const search = new URLSearchParams();
  for (const name of query) {
    const value = take(name);
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const headers = header !== undefined && header in parameters && { [header]: toHeader(header, take(header)) };
  const hasBody = method === "POST" || method === "PUT";
  // a block's `scopes` would be left out, and the whole block lifted
  const [left] = Object.keys(rest).filter((name) => method === "DELETE" && rest[name] !== undefined);
  if (left !== undefined) throw new TypeError(`${left} is no parameter of ${nameOf(operation)}`);
  return {
    method,
    path: search.size > 0 ? `${path}?${search}` : path,
    ...(headers && { headers }),
    ...(operation.bytes && { bytes: true }),
    ...(hasBody && { body: JSON.stringify(rest, writeCertificates) }),
  };
}

/**
 * URL parsers remove the segments "." and ".." (RFC 3986 section 5.2.4), and an empty one makes another path: a DELETE
 * would hit something else than meant.
 */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== "string" || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} is empty, ".", ".." or no string: it cannot be a part of a path`);
  try {
    return encodeURIComponent(value);
  } catch {
    throw new TypeError(`${name} is not well-formed Unicode`);
  }
}

/** A certificate as text: bytes are DER. */
const toText = (value: unknown): unknown => (value instanceof Uint8Array ? toBase64(value) : value);

/** For `JSON.stringify`. The value itself is a `Buffer`'s `toJSON` already, so it is looked up again. */
function writeCertificates(this: Parameters, key: string, value: unknown): unknown {
  const given = this[key];
  return given instanceof Uint8Array ? toText(given) : value;
}

/**
 * A header has no line breaks, but a PEM file has: the service reads blanks in their place. One that is named and has no
 * value is a mistake: without the PSP's certificate introspection would call a stolen token active.
 */
function toHeader(name: string, given: unknown): string {
  const value = toText(given);
  if (typeof value !== "string" || value === "") throw new TypeError(`${name} is empty, or neither text nor bytes`);
  return name === "eidas" ? value.replaceAll(/\s+/g, " ").trim() : value;
}
