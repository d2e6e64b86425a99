/** What the stores hold on a certificate and its PSP: read in one parallel round, or for the leaf ahead of the rest. */

import { type PspIdentity, readPsp } from "../eidas/psd2.ts";
import { findRegister } from "../registers/known-registers.ts";
import type { RegisterReading } from "../registers/reading.ts";
import { type CachedRevocation, readRevocationCache } from "../revocation/revocation.ts";
import { reach } from "../store-error.ts";
import { findAnchors, type KnownAnchor } from "../trust/known-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { nameKey } from "../x509/names.ts";
import type { Chain } from "./psp-check.ts";

/** What the stores hold on a certificate's issuers and its revocation. */
interface Holdings {
  readonly anchors: readonly KnownAnchor[];
  readonly cached: CachedRevocation;
}

/** What the stores hold on a certificate and its PSP, not judged yet. */
export interface Readings extends Holdings {
  readonly psp: PspIdentity;
  readonly home: RegisterReading | null;
  readonly host: RegisterReading | null;
}

/** A reading for one certificate that was begun before it was known who asks. */
export interface ReadAhead {
  /** The certificate's fingerprint. */
  readonly leaf: string;
  readonly readings: Promise<Readings>;
}

/** Begins to read for a certificate alone, without its issuers. When nobody asks for the result, its failure is unseen. */
export function readAhead(kv: KVNamespace, leaf: Certificate, jurisdiction: string | null, now: number): ReadAhead {
  const readings = readStores(kv, { leaf, issuers: [] }, jurisdiction, now);
  readings.catch(() => {});
  return { leaf: leaf.fingerprint, readings };
}

/**
 * One parallel round of reads: every key is known from the certificates and the jurisdiction. What the isolate remembers
 * of the QTSP, its CRL and the PSP is not read again.
 */
export async function readStores(
  kv: KVNamespace,
  { leaf, issuers }: Chain,
  jurisdiction: string | null,
  now: number,
): Promise<Readings> {
  const psp = readPsp(leaf);
  const { authNumber, homeCountry } = psp;
  const register = (country: string | null) =>
    country !== null && authNumber !== null ? findRegister(kv, country, authNumber, now) : null;
  const [holdings, home, host] = await Promise.all([
    readHoldings(kv, [leaf, ...issuers], now),
    register(homeCountry),
    jurisdiction === homeCountry ? null : register(jurisdiction),
  ]);
  return { ...holdings, psp, home, host };
}

async function readHoldings(kv: KVNamespace, certificates: readonly Certificate[], now: number): Promise<Holdings> {
  const names = certificates.map(({ issuer }) => nameKey(issuer));
  const [anchors, cached] = await Promise.all([
    reach("KV", () => findAnchors(kv, names, now)),
    reach("KV", () => readRevocationCache(kv, certificates, now)),
  ]);
  return { anchors, cached };
}

/** What was begun for the leaf, with what the issuers need beside it. */
export async function completeReading(
  kv: KVNamespace,
  issuers: readonly Certificate[],
  ahead: ReadAhead,
  now: number,
): Promise<Readings> {
  const [begun, more] = await Promise.all([ahead.readings, issuers.length > 0 ? readHoldings(kv, issuers, now) : null]);
  if (!more) return begun;
  return {
    ...begun,
    // an issuer may bear the name of the leaf's own: its anchors are here already
    anchors: [...new Set([...begun.anchors, ...more.anchors])],
    cached: new Map([...begun.cached, ...more.cached]),
  };
}
