/**
 * Where in R2 lies what records of the ledger are based on, and in what form. By the UTC year of the record, so that what is
 * older than its retention can go by the year:
 *
 * - `evidence/<year>/<SHA-256>`: a document that many checks are based on;
 * - `evidence/<year>/bundles/<name>`: a bundle of what one answer alone is based on, named by {@link nameBundle};
 * - `evidence/<year>/bundles/<SHA-256 of a certificate>`: that certificate, and the documents of its first answer.
 *
 * A bundle is two JSON lines, gzipped if they are long: the documents, and the SHA-256 of the first line. So one call of R2,
 * which costs more than some kilobytes, writes all of an answer.
 */
import { concatenate, fromBase64, toBase64 } from "../../platform/encoding.ts";
import type { Instant } from "../../platform/instant.ts";
import { hashBytes, hashText } from "../../platform/node-crypto.ts";

/** The key of a document of a record. `time`: of the record. */
export const documentKey = (sha256: string, time: Instant): string =>
  `evidence/${new Date(time).getUTCFullYear()}/${sha256}`;

/** The key of a bundle of this name. `time` as for {@link documentKey}. */
export const bundleKey = (name: string, time: Instant): string => documentKey(`bundles/${name}`, time);

/** The key of a part of a bundle, from 0 on. */
export const partKey = (key: string, part: number): string => (part === 0 ? key : `${key}.${part}`);

/**
 * The name of an answer's bundle. `named`: all that its record names, in its order (`listNamedDocuments`): an equal answer
 * that is based on something else is another bundle.
 */
export const nameBundle = (named: readonly string[]): string =>
  named.length === 1 ? (named[0] ?? "") : hashText("sha256", named.join(" "));

export interface Bundle {
  /** Over how many objects the documents of an answer are divided: from 1 on. Each of them is a bundle. */
  readonly parts: number;
  /** By SHA-256 in lower-case hex. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
}

/** What is smaller is written as it is: compressing it would take a new check a tenth more processor time. */
const GZIPPED_FROM_CHARACTERS = 64 * 1024;
const GZIP = 0x1f;
/** Of the documents of a part: an isolate holds a part twice while it writes it. One document may be larger. */
export const MAX_PART_BYTES = 4 * 1024 * 1024;
/** Of a bundle that is read. */
const MAX_TEXT_BYTES = 24 * 1024 * 1024;

export async function encodeBundle({ parts, documents }: Bundle): Promise<Uint8Array<ArrayBuffer>> {
  const inBase64 = Object.fromEntries([...documents].map(([sha256, bytes]) => [sha256, toBase64(bytes)]));
  const line = JSON.stringify({ parts, documents: inBase64 });
  const text = `${line}\n${JSON.stringify(hashText("sha256", line))}\n`;
  return text.length < GZIPPED_FROM_CHARACTERS
    ? new Uint8Array(new TextEncoder().encode(text))
    : await transform(text, new CompressionStream("gzip"));
}

/** Null for anything that {@link encodeBundle} did not write, or whose documents are not what it says. */
export async function decodeBundle(bytes: Uint8Array<ArrayBuffer>): Promise<Bundle | null> {
  const text = await readText(bytes);
  const line = text?.slice(0, text.indexOf("\n"));
  if (line === undefined || text !== `${line}\n${JSON.stringify(hashText("sha256", line))}\n`) return null;
  const { parts, documents } = Object(parseLine(line)) as {
    readonly parts?: unknown;
    readonly documents?: unknown;
  };
  if (typeof parts !== "number" || !Number.isInteger(parts) || parts < 1) return null;
  const read = new Map<string, Uint8Array>();
  for (const [sha256, base64] of Object.entries(Object(documents))) {
    const document = typeof base64 === "string" ? fromBase64(base64) : null;
    if (!document || hashBytes("sha256", document) !== sha256) return null;
    read.set(sha256, document);
  }
  return { parts, documents: read };
}

/** Null for what is no JSON: a digest fits any line. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** Null if it is no gzip, or more than a bundle is. */
async function readText(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  if (bytes[0] !== GZIP) return new TextDecoder().decode(bytes);
  const chunks: Uint8Array[] = [];
  let left = MAX_TEXT_BYTES;
  try {
    for await (const chunk of new Response(bytes).body?.pipeThrough(new DecompressionStream("gzip")) ?? []) {
      left -= chunk.length;
      if (left < 0) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return new TextDecoder().decode(concatenate(chunks));
}

/** The whole of what a stream makes of the content. Rejects with what the stream throws. */
export async function transform(
  content: string | Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Response(content).body?.pipeThrough(stream);
  return new Uint8Array(await new Response(piped ?? null).arrayBuffer());
}
