/**
 * Reads what a record rests on from R2: in the bundle of its answer, in those of its certificates, which hold the first
 * answer of each, or as a document of its own. Version 0.5.0 kept each document by itself.
 */
import { callStore } from "../../platform/stores.ts";
import type { Bundle } from "./document-bundle.ts";
import type { EvidenceEnv } from "./kept-documents.ts";
import type { ReadKept } from "./kept-reader.ts";
import { bundleKey, documentKey, nameBundle, partKey } from "./known-documents.ts";
import { decodeBundle } from "./opened-bundle.ts";
import type { LedgerRecord } from "./record.ts";
import { listNamedDocuments } from "./record-documents.ts";

/** Milliseconds for which a check may be answered again after it was made, and far more. */
const BEFORE_MS = 86_400_000;

/** Documents by SHA-256; `altered` if a part of it is not what was written, or is gone. Null if it is not there. */
type OpenedBundle = ReadonlyMap<string, Uint8Array> | "altered" | null;

/** In the place of a document that cannot be told from the others of an altered bundle: it has no document's SHA-256. */
const ALTERED = new Uint8Array();

/**
 * Reads documents of one record, and keeps what it opened until it is dropped. A document is null if it is not kept, as
 * without R2. Documents lie under the year in which they were kept: of a record of a year's first moments it may be the
 * one before. Throws StoreError.
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
  const find = async (sha256: string, name: string): Promise<Uint8Array | null> => {
    for (const time of times) {
      const bundle = await open(bundleKey(name, time));
      const found = bundle === "altered" ? ALTERED : bundle?.get(sha256);
      if (found) return found;
    }
    return null;
  };
  return async (sha256) => {
    const own = certificates.includes(sha256) ? [sha256] : [];
    let altered = false;
    for (const name of [answer, ...own]) {
      const found = await find(sha256, name);
      if (found && found !== ALTERED) return found;
      altered ||= found !== null;
    }
    for (const time of times) {
      const found = await getObject(EVIDENCE, documentKey(sha256, time));
      if (found) return found;
    }
    for (const name of certificates) {
      const found = await find(sha256, name);
      if (found && found !== ALTERED) return found;
      altered ||= found !== null;
    }
    return altered ? ALTERED : null;
  };
}

async function openBundle(bucket: R2Bucket, key: string): Promise<OpenedBundle> {
  const first = await readPart(bucket, key);
  if (first === null || first === "altered") return first;
  const documents = new Map<string, Uint8Array>();
  for (let part = 0; part < first.parts; part++) {
    const bundle = part === 0 ? first : await readPart(bucket, partKey(key, part));
    // the first part was written last
    if (bundle === null || bundle === "altered" || bundle.parts !== first.parts) return "altered";
    for (const { sha256, bytes } of bundle.documents) documents.set(sha256, bytes);
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
