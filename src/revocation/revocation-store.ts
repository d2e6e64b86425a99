/**
 * Answers of QTSPs in KV, as they were received: OCSP responses by certificate, CRLs by URL and issuer. Only verified
 * ones are put there (kept-answers.ts), and they are judged again whenever they are read. Every key is known from the
 * certificate alone, so that one parallel round reads all that a check needs.
 */
import type { KeyValueStore } from "../key-value-store.ts";
import type { Certificate } from "../x509/certificate.ts";
import { crlMemory } from "./answer-memory.ts";
import { crlKey } from "./crl-slot.ts";
import { listCrlUrls, listOcspUrls } from "./distribution-points.ts";
import { ocspKey } from "./ocsp-slot.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

/** By KV key, read in one round: a value of KV, or what the isolate remembers of one that it read a moment ago. */
export type CachedRevocation = ReadonlyMap<string, Uint8Array | readonly VerifiedAnswer[]>;

/** A path is rarely longer than three; this bounds the reads that a chain of many certificates causes. */
const MAX_CERTIFICATES_READ = 6;

/** What is kept about these certificates: one parallel round of KV, without the CRLs that were read a moment ago. */
export async function readRevocationCache(
  kv: Pick<KeyValueStore, "get">,
  certificates: readonly Certificate[],
  now: number,
): Promise<CachedRevocation> {
  const kept = new Map<string, Uint8Array | readonly VerifiedAnswer[]>();
  const missing = new Set<string>();
  for (const certificate of certificates.slice(0, MAX_CERTIFICATES_READ)) {
    if (listOcspUrls(certificate).length > 0) missing.add(ocspKey(certificate));
    for (const url of listCrlUrls(certificate)) {
      const key = crlKey(url, certificate.issuer);
      const recalled = crlMemory.recall(key, now);
      if (recalled) kept.set(key, recalled);
      else missing.add(key);
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
