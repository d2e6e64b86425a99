/** A bank's backend: sends requests to the service in the name of an FI. The demo and the tests use it. */

/** The API credentials of an FI, and its reference. */
export interface Credentials {
  readonly clientId: string;
  readonly secret: string;
  readonly fiReferenceId: string;
}

/** An undefined header is not sent. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

export interface Call {
  readonly headers?: HeaderValues;
  /** A string or bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; the text if it is not JSON, such as a proxy's error page; undefined if there is none. */
  readonly body: unknown;
}

export type Bank = (method: string, path: string, call?: Call) => Promise<Answer>;

/** The headers that identify the FI, and the version of the interface. */
export const identify = ({ clientId, secret, fiReferenceId }: Credentials) => ({
  Authorization: `Basic ${btoa(`${clientId}:${secret}`)}`,
  fi_reference_id: fiReferenceId,
  version: "1",
});

/**
 * A bank that calls the service at `baseUrl` by `send`: `fetch`, or a Worker in the same process. The headers of a call
 * replace those of `identity`.
 */
export function makeBank(
  send: (request: Request) => Response | Promise<Response>,
  baseUrl: string,
  identity: HeaderValues,
): Bank {
  return async (method, path, { headers = {}, body } = {}) => {
    const all = { ...identity, ...(body !== undefined && { "Content-Type": "application/json" }), ...headers };
    const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
    const request = new Request(baseUrl + path, {
      method,
      headers: given,
      redirect: "manual",
      // as bytes: a string would add a content type
      ...(body !== undefined && { body: toBytes(body) as Uint8Array<ArrayBuffer> }),
    });
    const response = await send(request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : parse(text) };
  };
}

const toBytes = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
