/**
 * A bundle: what one answer alone rests on, as one object of R2, where a call costs more than some kilobytes. Its form:
 *
 *     "PGB" form(1) parts(2) count(2)  count x { SHA-256(32) length(4) }  bytes  SHA-256(32) of all before
 *
 * Numbers are big-endian. Form 1 has the documents' bytes one after another, form 2 has these gzipped. `parts` says over
 * how many objects the documents of an answer are divided; each of them is a bundle.
 */
import { sameBytes, toHex } from "../encoding.ts";
import { createHash } from "../node-crypto.ts";
import { transform } from "./segment.ts";

interface BundledDocument {
  /** In lower-case hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

export interface Bundle {
  /** From 1 on. */
  readonly parts: number;
  readonly documents: readonly BundledDocument[];
}

const MAGIC = Uint8Array.of(0x50, 0x47, 0x42);
const PLAIN = 1;
const GZIPPED = 2;
const HEADER_BYTES = 8;
const DIGEST_BYTES = 32;
const ENTRY_BYTES = DIGEST_BYTES + 4;
/** What is smaller is written as it is: compressing it would take a new check a tenth more processor time. */
const GZIPPED_FROM_BYTES = 64 * 1024;
/** Of the documents of a part: an isolate holds a part twice while it writes it. One document may be larger. */
export const MAX_PART_BYTES = 4 * 1024 * 1024;
/** Of the documents of a part that is read. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

const digest = (bytes: Uint8Array): Uint8Array => createHash("sha256").update(bytes).digest();

const sumLengths = (documents: readonly { readonly length: number }[]): number =>
  documents.reduce((sum, { length }) => sum + length, 0);

export async function encodeBundle({ parts, documents }: Bundle): Promise<Uint8Array<ArrayBuffer>> {
  const joined = join(documents.map(({ bytes }) => bytes));
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
  const bundle = join([table, body, new Uint8Array(DIGEST_BYTES)]);
  const end = bundle.length - DIGEST_BYTES;
  bundle.set(digest(bundle.subarray(0, end)), end);
  return bundle;
}

/** Null for anything that {@link encodeBundle} did not write, byte for byte, or whose documents are not what it says. */
export async function decodeBundle(bytes: Uint8Array<ArrayBuffer>): Promise<Bundle | null> {
  const end = bytes.length - DIGEST_BYTES;
  if (end < HEADER_BYTES || !sameBytes(digest(bytes.subarray(0, end)), bytes.subarray(end))) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  const [form, parts, count] = [view.getUint8(3), view.getUint16(4), view.getUint16(6)];
  const table = HEADER_BYTES + count * ENTRY_BYTES;
  if (!sameBytes(bytes.subarray(0, 3), MAGIC) || parts === 0 || table > end) return null;
  const listed = Array.from({ length: count }, (_, i) => {
    const at = HEADER_BYTES + i * ENTRY_BYTES;
    return {
      sha256: toHex(bytes.subarray(at, at + DIGEST_BYTES)),
      length: view.getUint32(at + DIGEST_BYTES),
    };
  });
  const length = sumLengths(listed);
  const body = length > MAX_READ_BYTES ? null : await readBody(form, bytes.subarray(table, end), length);
  if (!body) return null;
  const documents: BundledDocument[] = [];
  let at = 0;
  for (const { sha256, length } of listed) {
    const document = body.subarray(at, at + length);
    if (toHex(digest(document)) !== sha256) return null;
    documents.push({ sha256, bytes: document });
    at += length;
  }
  return { parts, documents };
}

/** Exactly `length` bytes; null if the body has another number of them. */
async function readBody(
  form: number,
  body: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (form === PLAIN) return body.length === length ? body : null;
  if (form !== GZIPPED) return null;
  const stream = new Response(body).body?.pipeThrough(new DecompressionStream("gzip"));
  const read: Uint8Array[] = [];
  let left = length;
  try {
    for await (const chunk of stream ?? []) {
      left -= chunk.length;
      // no more is expanded than was announced
      if (left < 0) return null;
      read.push(chunk);
    }
  } catch {
    // is no gzip
    return null;
  }
  return left === 0 ? join(read) : null;
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(sumLengths(parts));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
