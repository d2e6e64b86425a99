/** Reads all stored data on a certificate and its PSP in one parallel round, or for the leaf alone in advance. */

import { type PspIdentity, readPsp } from "../eidas/psd2.ts";
import type { Instant } from "../platform/instant.ts";
import { findRegister, type RegisterReading } from "../registers/lookup.ts";
import type { CachedRevocation } from "../revocation/kept-answers.ts";
import { readRevocationCache } from "../revocation/revocation-store.ts";
import { findAnchors, type KnownAnchor } from "../trust/anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { nameKey } from "../x509/name.ts";
import type { Chain } from "./check-budget.ts";

/** Stored data on a certificate's issuers and its revocation. */
interface Holdings {
  readonly anchors: readonly KnownAnchor[];
  readonly cached: CachedRevocation;
}

export interface Readings extends Holdings {
  readonly psp: PspIdentity;
  readonly home: RegisterReading | null;
  readonly host: RegisterReading | null;
}

/** A reading for one certificate that was started before the caller was authenticated. */
export interface ReadAhead {
  readonly leaf: string;
  readonly readings: Promise<Readings>;
}

/** Starts reading for a certificate without its issuers. If the result is never awaited, a failure is ignored. */
export function readAhead(kv: KVNamespace, leaf: Certificate, jurisdiction: string | null, now: Instant): ReadAhead {
  const readings = readStores(kv, { leaf, issuers: [] }, jurisdiction, now);
  readings.catch(() => {});
  return { leaf: leaf.fingerprint, readings };
}

/**
 * One parallel round of reads: all keys follow from the certificates and the jurisdiction. Data on the QTSP, its CRL and
 * the PSP that is cached in the isolate is not read again.
 */
export async function readStores(
  kv: KVNamespace,
  { leaf, issuers }: Chain,
  jurisdiction: string | null,
  now: Instant,
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

/** The anchors above these certificates, and what is kept of their revocation: one round of reads. */
export async function readHoldings(
  kv: KVNamespace,
  certificates: readonly Certificate[],
  now: Instant,
): Promise<Holdings> {
  const names = certificates.map(({ issuer }) => nameKey(issuer));
  const [anchors, cached] = await Promise.all([
    findAnchors(kv, names, now),
    readRevocationCache(kv, certificates, now),
  ]);
  return { anchors, cached };
}

/** Adds the data for the issuers to a reading that was started for the leaf. */
export async function completeReading(
  kv: KVNamespace,
  issuers: readonly Certificate[],
  ahead: ReadAhead,
  now: Instant,
): Promise<Readings> {
  const [begun, more] = await Promise.all([ahead.readings, issuers.length > 0 ? readHoldings(kv, issuers, now) : null]);
  if (!more) return begun;
  return {
    ...begun,
    // an issuer may have the same issuer name as the leaf, so its anchors may already be present
    anchors: [...new Set([...begun.anchors, ...more.anchors])],
    cached: new Map([...begun.cached, ...more.cached]),
  };
}
