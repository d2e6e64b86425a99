/** Reads the answers of QTSPs from KV in one parallel round: every key can be computed from the certificate alone. */
import type { Instant } from "../platform/instant.ts";
import type { KeyValueStore } from "../platform/stores.ts";
import { callStore } from "../platform/stores.ts";
import type { Certificate } from "../x509/certificate.ts";
import { crlMemory } from "./answer-memory.ts";
import { CRLS, crlKey } from "./crl-slot.ts";
import { listCrlUrls, listOcspUrls } from "./distribution-points.ts";
import type { CachedRevocation, KeptMetadata } from "./kept-answers.ts";
import { ocspKey } from "./ocsp-slot.ts";
import { hasEnded, type VerifiedAnswer } from "./verified-answer.ts";

/** A path rarely has more than three certificates. Limits the reads that a long chain can cause. */
const MAX_CERTIFICATES_READ = 6;

/** One parallel round. Throws StoreError. */
export async function readRevocationCache(
  kv: Pick<KeyValueStore, "get">,
  certificates: readonly Certificate[],
  now: Instant,
): Promise<CachedRevocation> {
  const read = certificates.slice(0, MAX_CERTIFICATES_READ);
  return await readKept(kv, {
    ocsp: read.flatMap((certificate) => (listOcspUrls(certificate).length > 0 ? ocspKey(certificate) : [])),
    crls: read.flatMap((certificate) => listCrlUrls(certificate).map((url) => crlKey(url, certificate.issuer))),
    now,
  });
}

export async function readKept(
  kv: Pick<KeyValueStore, "get">,
  {
    ocsp = [],
    crls,
    now,
  }: { readonly ocsp?: readonly string[]; readonly crls: readonly string[]; readonly now: Instant },
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

export interface KeptCrl extends KeptMetadata {
  readonly key: string;
}

export interface KeptCrls {
  readonly loaded: number;
  readonly nextUpdate: string | null;
}

type CrlLister = Pick<KVNamespace, "list">;

/** Returns every stored CRL, including expired ones, which are kept so that an older CRL cannot be replayed. */
export async function listKeptCrls(kv: CrlLister): Promise<KeptCrl[]> {
  const kept: KeptCrl[] = [];
  for (let cursor: string | null = null, complete = false; !complete; ) {
    const page: KVNamespaceListResult<KeptMetadata> = await callStore("KV", () =>
      kv.list<KeptMetadata>({ prefix: CRLS, cursor }),
    );
    for (const { name, metadata } of page.keys) if (metadata) kept.push({ key: name, ...metadata });
    complete = page.list_complete;
    cursor = page.list_complete ? null : page.cursor;
  }
  return kept;
}

export async function summariseCrls(kv: CrlLister, now: Instant): Promise<KeptCrls> {
  const kept = (await listKeptCrls(kv)).filter((crl) => !hasEnded(crl, now));
  const ends = kept.flatMap(({ nextUpdate }) => nextUpdate ?? []);
  return { loaded: kept.length, nextUpdate: ends.length > 0 ? new Date(Math.min(...ends)).toISOString() : null };
}
