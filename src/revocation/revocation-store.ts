/**
 * Answers of QTSPs in KV, as they were received: OCSP answers by certificate, CRLs by URL. They are evidence, judged
 * anew whenever they are read, and KV drops them when they end. Every key is known from the certificate alone, so one
 * parallel round reads all that a check needs.
 */
import { createHash } from "node:crypto";
import type { KeyValueStore } from "../key-value-store.ts";
import type { Certificate } from "../x509/certificate.ts";
import { DerError } from "../x509/der.ts";
import { parseCrl } from "./crl.ts";
import { recallCrl } from "./crl-memory.ts";
import { readCrlUrls, readOcspUrls } from "./distribution-points.ts";
import { validUntil } from "./freshness.ts";

export const ocspKey = ({ fingerprint }: Certificate): string => `revocation/ocsp/${fingerprint}`;
export const CRLS = "revocation/crl/";
export const crlKey = (url: string): string => `${CRLS}${createHash("sha256").update(url).digest("hex")}`;

/** Raw answers by KV key, read in one round. */
export type CachedRevocation = ReadonlyMap<string, Uint8Array>;

/** A verified answer to be kept until it ends. */
export interface RevocationWrite {
  readonly key: string;
  readonly der: Uint8Array;
  readonly span: { readonly thisUpdate: number; readonly nextUpdate: number | null };
  /** Where a CRL came from, and a newer one will be fetched ahead of its end (refresh/crls.ts). */
  readonly crlUrl?: string;
}

/** What KV's listing tells of a kept answer without reading it. */
export interface KeptMetadata {
  readonly thisUpdate: number;
  readonly nextUpdate: number | null;
  /** Absent for an OCSP answer, and for a CRL whose URL is too long to be kept here. */
  readonly crlUrl?: string;
}

/** KV keeps at most 1,024 bytes of metadata. */
const MAX_KEPT_URL_LENGTH = 800;

/** KV keeps nothing for a shorter time. */
const MIN_KV_TTL_SECONDS = 60;
/** A path is rarely longer than three; this bounds the reads that a chain of many certificates causes. */
const MAX_CERTIFICATES_READ = 6;

/** What is kept about these certificates: one parallel round of KV, without the CRLs that were read a moment ago. */
export async function readRevocationCache(
  kv: Pick<KeyValueStore, "get">,
  certificates: readonly Certificate[],
  now: number,
): Promise<CachedRevocation> {
  const kept = new Map<string, Uint8Array>();
  const missing = new Set<string>();
  for (const certificate of certificates.slice(0, MAX_CERTIFICATES_READ)) {
    if (listOcspUrls(certificate).length > 0) missing.add(ocspKey(certificate));
    for (const url of listCrlUrls(certificate)) {
      const der = recallCrl(url, now);
      if (der) kept.set(crlKey(url), der);
      else missing.add(crlKey(url));
    }
  }
  await Promise.all(
    Array.from(missing, async (key) => {
      const value = await kv.get(key, "arrayBuffer");
      if (value) kept.set(key, new Uint8Array(value));
    }),
  );
  return kept;
}

/** Keeps an answer until it ends; one that ends at once is not kept. */
export async function writeRevocation(
  kv: Pick<KeyValueStore, "put">,
  { key, der, span, crlUrl }: RevocationWrite,
  now: number,
): Promise<void> {
  const expirationTtl = Math.ceil((validUntil(span) - now) / 1000);
  if (expirationTtl < MIN_KV_TTL_SECONDS) return;
  const metadata: KeptMetadata = { ...span, ...(crlUrl && crlUrl.length <= MAX_KEPT_URL_LENGTH && { crlUrl }) };
  await kv.put(key, der, { expirationTtl, metadata });
}

export type CrlImport =
  | { readonly ok: true; readonly entries: number; readonly thisUpdate: number; readonly nextUpdate: number }
  | { readonly ok: false; readonly message: string };

/**
 * For the operator: keeps a CRL as if it had been fetched from `url`. It must be readable and current; whether its
 * issuer signed it is judged when a certificate is checked against it.
 */
export async function importCrl(
  kv: Pick<KeyValueStore, "put">,
  { url, der, now }: { url: string; der: Uint8Array; now: number },
): Promise<CrlImport> {
  try {
    const { scan, thisUpdate, nextUpdate } = parseCrl(der);
    if (nextUpdate === null || nextUpdate <= now) return { ok: false, message: "the CRL has ended, or says no end" };
    await writeRevocation(kv, { key: crlKey(url), der, span: { thisUpdate, nextUpdate }, crlUrl: url }, now);
    return { ok: true, entries: scan.count, thisUpdate, nextUpdate };
  } catch (error) {
    if (error instanceof DerError) return { ok: false, message: `not a CRL: ${error.message}` };
    throw error;
  }
}

/** `readCrlUrls`; a malformed extension names no URL. */
export function listCrlUrls(certificate: Certificate): string[] {
  try {
    return readCrlUrls(certificate);
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

/** `readOcspUrls`; a malformed extension names no responder. */
export function listOcspUrls(certificate: Certificate): string[] {
  try {
    return readOcspUrls(certificate);
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}
