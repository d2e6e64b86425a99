/** Fetches a file if it has changed since the last fetch, by its validators (RFC 9110 section 13.1) or its hash. */

import { fetchLimited } from "../platform/fetch-limited.ts";
import { createHash } from "../platform/node-crypto.ts";

/** Identifies the version of a file that was fetched. ETag and Last-Modified are the server's, the hash is our own. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  /** SHA-256, hex. */
  readonly sha256?: string | undefined;
}

export type ConditionalAnswer =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer>; readonly validators: Validators }
  | { readonly ok: true; readonly bytes: null }
  | { readonly ok: false; readonly message: string };

const NOT_MODIFIED = 304;

/** `bytes` is null if the file has not changed. Does not throw: every failure is a result. */
export async function getIfChanged(
  url: string,
  known: Validators,
  { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number },
): Promise<ConditionalAnswer> {
  const headers = {
    ...(known.etag && { "If-None-Match": known.etag }),
    ...(known.lastModified && { "If-Modified-Since": known.lastModified }),
  };
  const fetched = await fetchLimited({ url, method: "GET", headers, maxBytes, timeoutMs });
  const isConditional = Object.keys(headers).length > 0;
  if (!fetched.ok && fetched.status === NOT_MODIFIED && isConditional) return { ok: true, bytes: null };
  if (!fetched.ok) return { ok: false, message: `${url} ${fetched.message}` };
  const sha256 = createHash("sha256").update(fetched.bytes).digest("hex");
  if (sha256 === known.sha256) return { ok: true, bytes: null };
  const etag = fetched.headers.get("ETag") ?? undefined;
  const lastModified = fetched.headers.get("Last-Modified") ?? undefined;
  return { ok: true, bytes: fetched.bytes, validators: { etag, lastModified, sha256 } };
}
