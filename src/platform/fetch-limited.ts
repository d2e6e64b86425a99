/**
 * HTTP requests with limits on time, size and redirects. Private networks are allowed where the URL is of a certificate on
 * a path to a trusted anchor: Cloudflare has none behind it, and tests run their peers on loopback. Else see `publicOnly`.
 */
import { concatenate } from "./encoding.ts";

export interface LimitedRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body?: Uint8Array<ArrayBuffer>;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** Only hosts with a name on the public internet, also of redirects. The platform asks no host by its IP address. */
  readonly publicOnly?: boolean;
  /** For the whole exchange including the body, in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts the exchange early. */
  readonly signal?: AbortSignal;
}

/** `message` completes the sentence "The server ...". */
export type LimitedAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly headers: Headers }
  | { readonly ok: false; readonly message: string /** The server's, when it answered. */; readonly status?: number };

const MAX_REDIRECTS = 2;
const MAX_URL_LENGTH = 2048;

/** Fetches at most `maxBytes`. Never throws: a failure is a result with `ok: false`. */
export async function fetchLimited(request: LimitedRequest): Promise<LimitedAnswer> {
  const timeout = AbortSignal.timeout(request.timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    let url = request.url;
    for (let redirects = 0; ; redirects++) {
      const problem = findUrlProblem(url, request.publicOnly === true);
      if (problem) return { ok: false, message: problem };
      const response = await send(url, request, signal);
      const location = response.status >= 300 && response.status < 400 ? response.headers.get("Location") : null;
      if (location === null) return await readBody(response, request.maxBytes);
      await response.body?.cancel();
      if (redirects >= MAX_REDIRECTS) return { ok: false, message: `redirected more than ${MAX_REDIRECTS} times` };
      url = URL.parse(location, url)?.href ?? "";
    }
  } catch {
    // the errors of fetch differ between runtimes, so their texts are not passed on
    return { ok: false, message: signal.aborted ? "did not answer in time" : "could not be reached" };
  }
}

/**
 * A redirect keeps method and body, so that an OCSP request stays one (RFC 9110 section 15.4 allows this for all
 * redirects except 303).
 */
const send = (
  url: string,
  { method, body, contentType, headers }: LimitedRequest,
  signal: AbortSignal,
): Promise<Response> =>
  fetch(url, {
    method,
    signal,
    redirect: "manual",
    // a shared cache could return an older answer than the source has
    cache: "no-store",
    ...(body && { body }),
    headers: { ...headers, ...(contentType && { "Content-Type": contentType }) },
  });

/** Names for one's own machine and network (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const PRIVATE_NAME = /^[^.]+$|(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;
/** As the parser of URLs writes them: IPv4 as four numbers, IPv6 in brackets. */
const IP_ADDRESS = /^(?:[\d.]+|\[.*\])$/;

function findUrlProblem(text: string, publicOnly: boolean): string | null {
  const url = text.length <= MAX_URL_LENGTH ? URL.parse(text) : null;
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return "has no usable http address";
  if (url.username || url.password) return "has an address with credentials, which are not sent";
  // a name may end with the dot of the root
  const host = url.hostname.replace(/\.$/, "");
  const isPrivate = publicOnly && (IP_ADDRESS.test(host) || PRIVATE_NAME.test(host));
  return isPrivate ? "has no name on the public internet" : null;
}

async function readBody(response: Response, maxBytes: number): Promise<LimitedAnswer> {
  const tooLarge = { ok: false, message: `sent more than ${maxBytes} bytes` } as const;
  if (response.status !== 200 || !response.body) {
    await response.body?.cancel();
    return { ok: false, message: `answered with status ${response.status}`, status: response.status };
  }
  if (Number(response.headers.get("Content-Length") ?? 0) > maxBytes) {
    await response.body.cancel();
    return tooLarge;
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      await reader.cancel();
      return tooLarge;
    }
    chunks.push(value);
  }
  return { ok: true, bytes: concatenate(chunks), headers: response.headers };
}
