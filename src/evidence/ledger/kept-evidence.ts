/**
 * Reads what a record is based on from R2: in the bundle of its answer, in those of its certificates, which hold the first
 * answer of each, or as a document that many checks are based on.
 */
import { callStore } from "../../platform/stores.ts";
import { type Bundle, bundleKey, decodeBundle, documentKey, nameBundle, partKey } from "./document-bundle.ts";
import type { EvidenceEnv } from "./kept-documents.ts";
import type { LedgerRecord } from "./record.ts";
import { listNamedDocuments, type ReadKept } from "./record-documents.ts";

/** Milliseconds for which a check may be answered again after it was made, and far more. */
const BEFORE_MS = 86_400_000;

/** `altered` if a part of it is not what was written, or is gone. Null if it is not there. */
type OpenedBundle = Bundle["documents"] | "altered" | null;

/** In the place of a document that an altered bundle may have had: it has no document's SHA-256. */
const ALTERED = new Uint8Array();

/**
 * Reads documents of one record, and keeps what it opened until it is dropped. A document is null if it is not kept, as
 * without R2. Documents lie under the year in which they were kept: of a record of a year's first moments it may be the
 * previous one. Throws StoreError.
 */
export function openEvidence({ EVIDENCE }: EvidenceEnv, record: LedgerRecord): ReadKept {
  if (!EVIDENCE) return async () => null;
  const at = Date.parse(record.time);
  const times = documentKey("", at) === documentKey("", at - BEFORE_MS) ? [at] : [at, at - BEFORE_MS];
  const opened = new Map<string, Promise<OpenedBundle>>();
  const open = (key: string): Promise<OpenedBundle> => {
    const known = opened.get(key) ?? openBundle(EVIDENCE, key);
    opened.set(key, known);
    return known;
  };
  const answer = nameBundle(listNamedDocuments(record).map(({ sha256 }) => sha256));
  const certificates = [...new Set(record.checks.map(({ certificate }) => certificate))];
  return async (sha256) => {
    let altered = false;
    const find = async (names: readonly string[]): Promise<Uint8Array | null> => {
      for (const key of names.flatMap((name) => times.map((time) => bundleKey(name, time)))) {
        const bundle = await open(key);
        const found = bundle === "altered" ? null : bundle?.get(sha256);
        altered ||= bundle === "altered";
        if (found) return found;
      }
      return null;
    };
    const own = certificates.includes(sha256) ? [sha256] : [];
    const found = await find([answer, ...own]);
    if (found) return found;
    for (const time of times) {
      const alone = await getObject(EVIDENCE, documentKey(sha256, time));
      if (alone) return alone;
    }
    return (await find(certificates)) ?? (altered ? ALTERED : null);
  };
}

async function openBundle(bucket: R2Bucket, key: string): Promise<OpenedBundle> {
  const first = await readPart(bucket, key);
  if (first === null || first === "altered") return first;
  const documents = new Map(first.documents);
  for (let part = 1; part < first.parts; part++) {
    const bundle = await readPart(bucket, partKey(key, part));
    // the first part was written last
    if (bundle === null || bundle === "altered" || bundle.parts !== first.parts) return "altered";
    for (const [sha256, bytes] of bundle.documents) documents.set(sha256, bytes);
  }
  return documents;
}

async function readPart(bucket: R2Bucket, key: string): Promise<Bundle | "altered" | null> {
  const bytes = await getObject(bucket, key);
  return bytes && ((await decodeBundle(bytes)) ?? "altered");
}

async function getObject(bucket: R2Bucket, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const found = await callStore("R2", () => bucket.get(key));
  return found && new Uint8Array(await callStore("R2", () => found.arrayBuffer()));
}
