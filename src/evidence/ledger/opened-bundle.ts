/** Reads a bundle, strictly: audits and replays do, no ordinary request. Its form is in document-bundle.ts. */
import { concatenate, sameBytes, toHex } from "../../platform/encoding.ts";
import {
  type Bundle,
  type BundledDocument,
  DIGEST_BYTES,
  digest,
  ENTRY_BYTES,
  GZIPPED,
  HEADER_BYTES,
  MAGIC,
  PLAIN,
  sumLengths,
} from "./document-bundle.ts";

/** Of the documents of a part: one may be larger than a part that is written. */
const MAX_READ_BYTES = 16 * 1024 * 1024;

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
  return left === 0 ? concatenate(read) : null;
}
