/**
 * CRLs that this isolate has parsed. The bytes come from KV or the network each time; when they are the ones parsed
 * before, so is the result, with the keys that verified it (crl-signature.ts). Bounded in bytes: an isolate has 128 MB.
 */
import { Buffer } from "node:buffer";
import { type Crl, parseCrl } from "./crl.ts";

const MAX_REMEMBERED_BYTES = 24 * 1024 * 1024;

const remembered = new Map<string, { der: Uint8Array; crl: Crl }>();

/** `parseCrl`, once for the same bytes under the same URL. Throws DerError. */
export function parseCrlOnce(url: string, der: Uint8Array): Crl {
  const known = remembered.get(url);
  if (known && Buffer.compare(known.der, der) === 0) return known.crl;
  const crl = parseCrl(der);
  remembered.delete(url);
  remembered.set(url, { der, crl });
  let bytes = 0;
  for (const [each, { der: held }] of [...remembered].reverse()) {
    bytes += held.length;
    if (bytes > MAX_REMEMBERED_BYTES) remembered.delete(each);
  }
  return crl;
}
