/** One request and its answer, as they are: nothing is repeated, and no status is an error. */
import type { Settings } from "./settings.ts";

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
