/**
 * CRLs that this isolate has parsed, with the keys that verified them (crl-signature.ts). For some seconds one is not
 * even read again from KV; after that, the bytes are read, and when they are the ones parsed before, so is the result.
 * Bounded in bytes: an isolate has 128 MB.
 */
import { Buffer } from "node:buffer";
import { type Crl, parseCrl } from "./crl.ts";

const MAX_REMEMBERED_BYTES = 24 * 1024 * 1024;
/** A CRL that was brought meanwhile shows within this time. KV caches no shorter. */
const UNREAD_SECONDS = 30;

const remembered = new Map<string, { der: Uint8Array; crl: Crl; readAt: number }>();

/** The bytes under this URL when they were read a moment ago. `now` in milliseconds since 1970. */
export function recallCrl(url: string, now: number): Uint8Array | null {
  const known = remembered.get(url);
  const age = known ? now - known.readAt : Number.NaN;
  return known && age >= 0 && age < UNREAD_SECONDS * 1000 ? known.der : null;
}

/** `parseCrl`, once for the same bytes under the same URL, which were read at `now`. Throws DerError. */
export function parseCrlOnce(url: string, der: Uint8Array, now: number): Crl {
  const known = remembered.get(url);
  // recalled bytes grow no younger by being used
  if (known?.der === der) return known.crl;
  if (known && Buffer.compare(known.der, der) === 0) {
    known.readAt = now;
    return known.crl;
  }
  const crl = parseCrl(der);
  remembered.delete(url);
  remembered.set(url, { der, crl, readAt: now });
  let bytes = 0;
  for (const [each, { der: held }] of [...remembered].reverse()) {
    bytes += held.length;
    if (bytes > MAX_REMEMBERED_BYTES) remembered.delete(each);
  }
  return crl;
}
