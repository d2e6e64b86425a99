/**
 * A bundle: what one answer alone rests on, as one object of R2, where a call costs more than some kilobytes. Its form:
 *
 *     "PGB" form(1) parts(2) count(2)  count x { SHA-256(32) length(4) }  bytes  SHA-256(32) of all before
 *
 * Numbers are big-endian. Form 1 has the documents' bytes one after another, form 2 has these gzipped. `parts` says over
 * how many objects the documents of an answer are divided; each of them is a bundle.
 */
import { concatenate } from "../../platform/encoding.ts";
import { createHash } from "../../platform/node-crypto.ts";
import { transform } from "./compression.ts";

export interface BundledDocument {
  /** In lower-case hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface Bundle {
  /** From 1 on. */
  readonly parts: number;
  readonly documents: readonly BundledDocument[];
}

/** For opened-bundle.ts, as what follows. */
export const MAGIC = Uint8Array.of(0x50, 0x47, 0x42);
export const PLAIN = 1;
export const GZIPPED = 2;
export const HEADER_BYTES = 8;
export const DIGEST_BYTES = 32;
export const ENTRY_BYTES = DIGEST_BYTES + 4;
/** What is smaller is written as it is: compressing it would take a new check a tenth more processor time. */
const GZIPPED_FROM_BYTES = 64 * 1024;
/** Of the documents of a part: an isolate holds a part twice while it writes it. One document may be larger. */
export const MAX_PART_BYTES = 4 * 1024 * 1024;

export const digest = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

export const sumLengths = (documents: readonly { readonly length: number }[]): number =>
  documents.reduce((sum, { length }) => sum + length, 0);

export async function encodeBundle({ parts, documents }: Bundle): Promise<Uint8Array<ArrayBuffer>> {
  const joined = concatenate(documents.map(({ bytes }) => bytes));
  const isPlain = joined.length < GZIPPED_FROM_BYTES;
  const table = new Uint8Array(HEADER_BYTES + documents.length * ENTRY_BYTES);
  const view = new DataView(table.buffer);
  table.set(MAGIC);
  view.setUint8(3, isPlain ? PLAIN : GZIPPED);
  view.setUint16(4, parts);
  view.setUint16(6, documents.length);
  for (const [i, { sha256, bytes }] of documents.entries()) {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    table.set(Buffer.from(sha256, "hex"), at);
    view.setUint32(at + DIGEST_BYTES, bytes.length);
  }
  const body = isPlain ? joined : await transform(joined, new CompressionStream("gzip"));
  const bundle = concatenate([table, body, new Uint8Array(DIGEST_BYTES)]);
  const end = bundle.length - DIGEST_BYTES;
  bundle.set(digest(bundle.subarray(0, end)), end);
  return bundle;
}
