/** Trust anchors with parsed certificates, cached in the isolate: few QTSPs issue most of the certificates. */
import { fromBase64 } from "../platform/encoding.ts";
import { heapBytes } from "../platform/memory/heap-bytes.ts";
import { Memory } from "../platform/memory/memory.ts";
import { MEMORY_SHARES } from "../platform/memory/memory-shares.ts";
import { callStore } from "../platform/store-error.ts";
import { type Certificate, parseCertificate } from "../x509/certificate.ts";
import { type AnchorReader, anchorsKey, type ListedAnchor } from "./anchors.ts";

export interface KnownAnchor {
  readonly listed: ListedAnchor;
  readonly certificate: Certificate;
}

/** Imported changes take effect within this time. KV's own cache allows no shorter one. */
const ANCHORS_LIFETIME_SECONDS = 30;
/** With names and extensions. Over the 1,013 certificates of seven lists: 6.8 on average, 10.2 at most. */
const HEAP_BYTES_PER_DER_BYTE = 16;

/** By KV key. Exported for the test that fills it. */
export const knownAnchors = new Memory<readonly KnownAnchor[]>(MEMORY_SHARES.anchors, (anchors) =>
  anchors.reduce(
    (bytes, { listed, certificate }) => bytes + heapBytes(listed) + HEAP_BYTES_PER_DER_BYTE * certificate.der.length,
    heapBytes([]),
  ),
);

/** The anchors with one of these subject names (`nameKey`): at most one round trip. `now`: milliseconds since 1970. Throws StoreError. */
export async function findAnchors(
  kv: AnchorReader,
  subjectNameKeys: readonly string[],
  now: number,
): Promise<KnownAnchor[]> {
  const keys = [...new Set(subjectNameKeys)].map(anchorsKey);
  const known = new Map(keys.map((key) => [key, knownAnchors.get(key, now)]));
  const missing = keys.filter((key) => known.get(key) === undefined);
  const read = missing.length > 0 ? await callStore("KV", () => kv.get(missing, "json")) : new Map<string, unknown>();
  for (const key of missing) {
    const anchors = ((read.get(key) ?? []) as ListedAnchor[]).map(readAnchor);
    knownAnchors.set(key, anchors, now + ANCHORS_LIFETIME_SECONDS * 1000, now);
    known.set(key, anchors);
  }
  return [...known.values()].flatMap((anchors) => anchors ?? []);
}

/** With its certificate parsed. Does not handle unreadable certificates: trust-import.ts stores only those that it could parse. */
export function readAnchor(listed: ListedAnchor): KnownAnchor {
  const der = fromBase64(listed.certificate);
  if (!der) throw new TypeError(`trust anchor ${listed.source} ${listed.serviceName}: not base64`);
  return { listed, certificate: parseCertificate(der) };
}
