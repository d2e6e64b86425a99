/** The options of a client, checked once: a mistake in them is a `TypeError` when the client is made, not at a call. */

/** `latest`, or the major version of the interface. A bank uses the same one everywhere. */
export type Version = "1" | "latest";

/** Sends a request: `fetch` itself, or what replaces it. Redirects must not be followed (`init.redirect` says so). */
export type Fetch = (url: string, init: RequestInit) => Response | Promise<Response>;

export interface RetryOptions {
  /** How often a request is repeated at most; 2 unless given, 0 for never. */
  readonly limit?: number;
  /** From 0 to 1, so that many clients do not come back at one instant. The engine's own chance unless given. */
  readonly random?: () => number;
}

export interface PspGateOptions<V extends Version = Version> {
  /** The address of the service, without `/v1`: `https://gate.bank.example`, or with a path before `/v1`. */
  readonly baseUrl: string;
  /** The API credentials of the institution, as its operator gave them. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The NCA reference of the institution that the requests are made for: `PSDFI-FINFSA-0001`. */
  readonly fiReferenceId: string;
  /** `"1"` unless given: exactly the interface's fields. With `"latest"` answers have more. */
  readonly version?: V;
  /** Milliseconds for a call with all its repetitions and the waits between them; 30,000 unless given. */
  readonly timeout?: number;
  /** How often a request is repeated, where that is safe; see the package's README. */
  readonly retry?: RetryOptions;
  /**
   * Unless given the global `fetch`, as it is when a request is sent. In a Worker with a service binding:
   * `(url, init) => env.GATE.fetch(url, init)`.
   */
  readonly fetch?: Fetch;
  /** Credentials would travel readable: plain `http` is refused unless this is true or the host is a loopback one. */
  readonly allowHttp?: boolean;
}

export interface Settings {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** The headers of every request. */
  readonly identity: Readonly<Record<string, string>>;
  readonly timeout: number;
  readonly fetch: Fetch;
}

const TIMEOUT_MS = 30_000;
/** What a timer holds; a longer one would end at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Throws `TypeError`. No message has a credential in it. */
export function readSettings(options: PspGateOptions): Settings {
  const { clientId, clientSecret, fiReferenceId, version = "1", timeout = TIMEOUT_MS } = options;
  for (const [name, value] of Object.entries({ clientId, clientSecret, fiReferenceId }))
    if (typeof value !== "string" || value === "" || /\p{Cc}/u.test(value))
      throw new TypeError(`${name} is empty, no string, or has a control character such as a line break`);
  // RFC 7617 section 2: the colon ends the user id
  if (clientId.includes(":")) throw new TypeError("clientId has a colon");
  if (version !== "1" && version !== "latest") throw new TypeError('version is neither "1" nor "latest"');
  return {
    baseUrl: readBaseUrl(options.baseUrl, options.allowHttp === true),
    identity: {
      Authorization: `Basic ${toBase64(new TextEncoder().encode(`${clientId}:${clientSecret}`))}`,
      fi_reference_id: fiReferenceId,
      version,
    },
    timeout: readTimeout(timeout),
    // read at each call, for tests and tracers that replace it; called without `this`, which workerd insists on
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}

/** Milliseconds. Throws `TypeError`. */
export function readTimeout(timeout: number): number {
  if (timeout > 0 && timeout <= MAX_TIMEOUT_MS) return timeout;
  throw new TypeError(`timeout is not a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}`);
}

function readBaseUrl(given: string, allowHttp: boolean): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError("baseUrl is not an address that begins with https://");
  if (url.username || url.password || url.search || url.hash)
    throw new TypeError("baseUrl has credentials, a query or a fragment: it is an address and a path only");
  if (url.protocol === "http:" && !allowHttp && !LOOPBACK.test(url.hostname))
    throw new TypeError("baseUrl begins with http://, so credentials would travel readable; see the option allowHttp");
  return (url.origin + url.pathname).replace(/\/+$/, "");
}
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Base64 (RFC 4648 section 4) of bytes. Not `Buffer`, which only Node has. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // one by one: a call with an argument for each byte of a chain could be too large
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
