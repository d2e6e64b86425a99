/** A request of the interface: an operation and one object with all its parameters. And its answer as it is: no status is an error here. */

import type { Settings } from "./settings.ts";
import { toBase64 } from "./settings.ts";

/** An undefined header is not sent. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

export interface RawRequest {
  readonly method: string;
  /** After `baseUrl`, percent-encoded, with the query: `/v1/psp/eidas?jurisdiction=FI`. */
  readonly path: string;
  /** Replace the client's own of the same name. */
  readonly headers?: HeaderValues | undefined;
  /** A string or bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown;
  /** The content of an answer that is no error comes as the member `bytes` of its body. */
  readonly bytes?: true | undefined;
}

/** An answer of any status. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; the text if it is not JSON, such as a proxy's error page; undefined if there is none. */
  readonly body: unknown;
}

/** The arguments of `fetch`. Throws `TypeError` for a header that HTTP cannot carry. */
export function prepare({ baseUrl, identity }: Settings, { method, path, headers, body, bytes }: RawRequest) {
  const json = body !== undefined && { "Content-Type": "application/json" };
  const init = {
    method,
    headers: makeHeaders({ ...identity, ...json, ...headers }),
    // not followed: another host would get the PSP's certificate and its CCG token
    redirect: "manual",
    // as bytes: a string would add a content type
    ...(body !== undefined && { body: toBytes(body) }),
  } as const;
  return { url: baseUrl + path, init, bytes };
}

/** Throws what `fetch` throws if there is no answer. */
export async function send(
  { fetch }: Settings,
  { url, init, bytes }: ReturnType<typeof prepare>,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const response = await fetch(url, { ...init, signal });
  const { status, headers } = response;
  if (bytes && response.ok && headers.get("Content-Type") === "application/octet-stream")
    return { status, headers, body: { bytes: new Uint8Array(await response.arrayBuffer()) } };
  const text = await response.text();
  return { status, headers, body: text === "" ? undefined : parse(text) };
}

/** One by one: the message of `Headers` would quote the value, which may be a token. */
function makeHeaders(values: HeaderValues): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    try {
      headers.append(name, value);
    } catch {
      throw new TypeError(`${name} has a character that a header cannot have, such as a line break`);
    }
  }
  return headers;
}

const toBytes = (body: unknown): Uint8Array<ArrayBuffer> =>
  (body instanceof Uint8Array
    ? body
    : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))) as Uint8Array<ArrayBuffer>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * `always`: a repetition changes nothing that the first request has not changed. `unless_done`: only after an answer
 * that says that nothing was done. `never`: a second redemption of a code revokes the token of the first one, whose
 * answer may have been lost (RFC 6749 section 4.1.2).
 */
export type Repeat = "always" | "unless_done" | "never";

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** As in the interface; `{name}` is filled in from the parameter of this name. */
  readonly path: string;
  /** The parameters that are sent as headers of their names. */
  readonly header?: "eidas" | "ccg_token" | readonly ["eidas", "access_token"];
  /** The parameters that are sent in the query. All that remain are the body of a POST or PUT. */
  readonly query?: readonly string[];
  readonly repeat: Repeat;
  /** A member that every answer of the service has; undefined if it has no body. */
  readonly has?: string;
  /** An answer that is no error is bytes. */
  readonly bytes?: true;
  /** A status from 400 on whose answer is a result, too, if it has that member. */
  readonly accept?: number;
  /** Of an operation whose answer is its headers: whether this is one. */
  readonly isAnswer?: (answer: RawAnswer) => boolean;
}

type Given = Readonly<Record<string, unknown>>;

/** The operation as errors name it. */
export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Throws `TypeError` for what cannot be sent. */
export function makeRequest(operation: Operation, parameters: Given): RawRequest {
  const { method, header = [], query = [] } = operation;
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
  const named = [header].flat().filter((name) => name in parameters);
  const headers = Object.fromEntries(named.map((name) => [name, toHeader(name, take(name))]));
  const hasBody = method === "POST" || method === "PUT";
  // a block's `scopes` would be left out, and the whole block lifted
  const [left] = Object.keys(rest).filter((name) => method === "DELETE" && rest[name] !== undefined);
  if (left !== undefined) throw new TypeError(`${left} is no parameter of ${nameOf(operation)}`);
  return {
    method,
    path: search.size > 0 ? `${path}?${search}` : path,
    headers,
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
function writeCertificates(this: Given, key: string, value: unknown): unknown {
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
