/**
 * Takes back what a proxy has done to a signed answer on its way: it was compressed (RFC 9110 section 8.4). RFC 9530 takes the
 * digest over the coded content, ours is over what the service sent. Read by `evidence verify` alone.
 */
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import type { Field } from "./saved-exchange.ts";

/** No answer of the service is as large: a few bytes must not become gigabytes. */
const MAX_BYTES = 64 * 1024 ** 2;
const LIMIT = { maxOutputLength: MAX_BYTES };

const DECODERS: Readonly<Record<string, (content: Uint8Array) => Uint8Array>> = {
  gzip: (content) => gunzipSync(content, LIMIT),
  deflate: (content) => inflateSync(content, LIMIT),
  br: (content) => brotliDecompressSync(content, LIMIT),
  zstd: (content) => zstdDecompressSync(content, LIMIT),
  identity: (content) => content,
};

/** As the header names them, in the order in which they were applied. */
export const listCodings = (headers: readonly Field[]): string[] =>
  headers
    .filter(({ name }) => name === "content-encoding")
    .flatMap(({ value }) => value.split(","))
    .map((coding) => coding.trim().toLowerCase().replace(/^x-/, ""))
    .filter((coding) => coding !== "");

type Decoded = { readonly ok: true; readonly content: Uint8Array } | { readonly ok: false; readonly reason: string };

export function decodeContent(content: Uint8Array, codings: readonly string[]): Decoded {
  let decoded = content;
  for (const coding of codings.toReversed()) {
    const decode = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (!decode) return { ok: false, reason: `its Content-Encoding ${coding} is not known here` };
    try {
      decoded = decode(decoded);
    } catch (error) {
      return { ok: false, reason: `it is not in its Content-Encoding ${coding} (${(error as Error).message})` };
    }
  }
  return { ok: true, content: decoded };
}
