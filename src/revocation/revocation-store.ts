/** Reads the answers of QTSPs from KV in one parallel round: every key can be computed from the certificate alone. */
import type { KeyValueStore } from "../platform/key-value-store.ts";
import { callStore } from "../platform/store-error.ts";
import type { Certificate } from "../x509/certificate.ts";
import { crlMemory } from "./answer-memory.ts";
import { crlKey } from "./crl-slot.ts";
import { listCrlUrls, listOcspUrls } from "./distribution-points.ts";
import { ocspKey } from "./ocsp-slot.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

/** By KV key: a value from KV, or the isolate's memory of a value read within the last 30 seconds. */
export type CachedRevocation = ReadonlyMap<string, Uint8Array | readonly VerifiedAnswer[]>;

/** A path rarely has more than three certificates. Limits the reads that a long chain can cause. */
const MAX_CERTIFICATES_READ = 6;

/** One parallel round. Throws StoreError. */
export async function readRevocationCache(
  kv: Pick<KeyValueStore, "get">,
  certificates: readonly Certificate[],
  now: number,
): Promise<CachedRevocation> {
  const read = certificates.slice(0, MAX_CERTIFICATES_READ);
  return await readKept(kv, {
    ocsp: read.flatMap((certificate) => (listOcspUrls(certificate).length > 0 ? ocspKey(certificate) : [])),
    crls: read.flatMap((certificate) => listCrlUrls(certificate).map((url) => crlKey(url, certificate.issuer))),
    now,
  });
}

/** As {@link readRevocationCache}, of these keys. */
export async function readKept(
  kv: Pick<KeyValueStore, "get">,
  {
    ocsp = [],
    crls,
    now,
  }: { readonly ocsp?: readonly string[]; readonly crls: readonly string[]; readonly now: number },
): Promise<CachedRevocation> {
  const kept = new Map<string, Uint8Array | readonly VerifiedAnswer[]>();
  const missing = new Set(ocsp);
  for (const key of crls) {
    const recalled = crlMemory.recall(key, now);
    if (recalled) kept.set(key, recalled);
    else missing.add(key);
  }
  await Promise.all(
    Array.from(missing, async (key) => {
      const value = await callStore("KV", () => kv.get(key, "arrayBuffer"));
      if (value) kept.set(key, new Uint8Array(value));
    }),
  );
  return kept;
}
