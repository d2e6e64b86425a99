/**
 * Issuers' certificates between checks: in the isolate those that were fetched or kept, by where they were found, and in KV
 * those of chains that were verified up to a trust anchor, so that another isolate has them. None is trusted for being
 * kept: each check verifies it again, as if it had been sent.
 */
import { sameBytes, toHex } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { heapBytes, memoryKey, memoryOf } from "../platform/memory.ts";
import { hashText } from "../platform/node-crypto.ts";
import type { KeyValueStore } from "../platform/stores.ts";
import { callStore } from "../platform/stores.ts";
import type { Certificate } from "../x509/certificate.ts";
import { readCertificateBag } from "../x509/certificate-bag.ts";
import { readPathExtensions } from "../x509/extensions.ts";
import { nameKey } from "../x509/name.ts";

type Kept = readonly Uint8Array[];

const ISSUERS = "issuers/";
/** Of the array's object. */
const BYTES_OBJECT = 128;
const weigh = (kept: Kept): number => heapBytes([]) + kept.reduce((sum, der) => sum + BYTES_OBJECT + der.length, 0);

/** DER by KV key, or by the digest of a URL. */
const knownIssuers = memoryOf<Kept>("issuers", weigh);

/** What a URL has is fetched again after this time, should it not have led to an anchor. */
const FETCHED_LIFETIME_MS = 10 * 60_000;
/** What KV has is read again after this time. */
const KEPT_LIFETIME_MS = 86_400_000;
const SHORTEST_TTL_SECONDS = 60;

/** The KV key of a certificate's issuer: a digest of the issuer's name and key identifier, as the certificate has them. */
export function issuerKey(child: Certificate): string {
  const reading = readPathExtensions(child);
  const identifier = reading.ok ? reading.extensions.authorityKeyIdentifier?.keyIdentifier : null;
  return `${ISSUERS}${hashText("sha256", `${nameKey(child.issuer)} ${identifier ? toHex(identifier) : ""}`)}`;
}

/** The kept issuers of a certificate, from the isolate or from KV. */
export async function readKeptIssuers(
  kv: Pick<KeyValueStore, "get">,
  child: Certificate,
  now: Instant,
): Promise<Certificate[]> {
  const key = issuerKey(child);
  const known = knownIssuers.get(key, now);
  if (known) return known.flatMap(readCertificateBag);
  const value = await callStore("KV", () => kv.get(key, "arrayBuffer"));
  if (!value) return [];
  const kept = new Uint8Array(value);
  knownIssuers.set(key, [kept], now + KEPT_LIFETIME_MS, now);
  return readCertificateBag(kept);
}

/** What was fetched from a URL within the last minutes; null if nothing was. */
export const recallFetched = (url: string, now: Instant): Certificate[] | null =>
  knownIssuers.get(memoryKey(url), now)?.flatMap(readCertificateBag) ?? null;

export const rememberFetched = (url: string, certificates: readonly Certificate[], now: Instant): void =>
  // copies: a certificate is a view of all that was fetched
  knownIssuers.set(
    memoryKey(url),
    certificates.map(({ der }) => der.slice()),
    now + FETCHED_LIFETIME_MS,
    now,
  );

/**
 * Keeps the issuers between the leaf and the anchor of a path that was verified, once in an isolate. A failure is logged
 * only.
 */
export async function keepIssuers(
  kv: Pick<KeyValueStore, "get" | "put">,
  path: readonly Certificate[],
  now: Instant,
): Promise<void> {
  for (const [i, issuer] of path.slice(1, -1).entries()) {
    const child = path[i];
    if (!child) continue;
    const key = issuerKey(child);
    if (knownIssuers.get(key, now)?.some((der) => sameBytes(der, issuer.der))) continue;
    knownIssuers.set(key, [issuer.der.slice()], now + KEPT_LIFETIME_MS, now);
    await putIssuer(kv, key, issuer, now).catch((error: unknown) => {
      knownIssuers.delete(key);
      console.error(JSON.stringify({ event: "issuer_not_kept", error: String(error) }));
    });
  }
}

async function putIssuer(
  kv: Pick<KeyValueStore, "get" | "put">,
  key: string,
  { der, notAfter }: Certificate,
  now: Instant,
): Promise<void> {
  const expirationTtl = Math.floor((notAfter - now) / 1000);
  if (expirationTtl < SHORTEST_TTL_SECONDS) return;
  const kept = await callStore("KV", () => kv.get(key, "arrayBuffer"));
  if (kept && sameBytes(new Uint8Array(kept), der)) return;
  await callStore("KV", () => kv.put(key, der, { expirationTtl }));
}
