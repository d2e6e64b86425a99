/** Trust anchors with their certificates read, remembered by the isolate: one QTSP issued many of the certificates asked about. */
import { fromBase64 } from "../encoding.ts";
import { Memory } from "../memory.ts";
import { type Certificate, parseCertificate } from "../x509/certificate.ts";
import { type AnchorReader, anchorsKey, type ListedAnchor } from "./trust.ts";

export interface KnownAnchor {
  readonly listed: ListedAnchor;
  readonly certificate: Certificate;
}

/** What an import changed shows within this time. KV caches no shorter. */
const REMEMBERED_SECONDS = 30;
const REMEMBERED_NAMES = 1_000;

const remembered = new Memory<readonly KnownAnchor[]>(REMEMBERED_NAMES);

/** The anchors that bear one of these names (`nameKey`): at most one round trip. `now` in milliseconds since 1970. */
export async function findAnchors(
  kv: AnchorReader,
  subjectNameKeys: readonly string[],
  now: number,
): Promise<KnownAnchor[]> {
  const keys = [...new Set(subjectNameKeys)].map(anchorsKey);
  const known = new Map(keys.map((key) => [key, remembered.get(key, now)]));
  const missing = keys.filter((key) => known.get(key) === undefined);
  const read = missing.length > 0 ? await kv.get(missing, "json") : new Map<string, unknown>();
  for (const key of missing) {
    const anchors = ((read.get(key) ?? []) as ListedAnchor[]).map(readAnchor);
    remembered.set(key, anchors, now + REMEMBERED_SECONDS * 1000);
    known.set(key, anchors);
  }
  return [...known.values()].flatMap((anchors) => anchors ?? []);
}

/** The store holds only what was read as a certificate when it was imported (trust-import.ts). */
function readAnchor(listed: ListedAnchor): KnownAnchor {
  const der = fromBase64(listed.certificate);
  if (!der) throw new TypeError(`trust anchor ${listed.source} ${listed.serviceName}: not base64`);
  return { listed, certificate: parseCertificate(der) };
}
