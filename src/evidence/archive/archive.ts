/** Makes an archive of a part of one institution's ledger: all that is needed to verify it without the service. */
import type { ChainEnd } from "../ledger/record.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import {
  DOCUMENTS,
  HEADS,
  KEYS,
  MANIFEST,
  type Manifest,
  type MissingRecords,
  README,
  RECORDS,
  SIGNATURE,
  writeManifest,
} from "./manifest.ts";
import { describeForm } from "./readme.ts";
import { writeZip } from "./zip-file.ts";

export interface ArchiveContents {
  readonly about: Pick<Manifest, "fi" | "release" | "made_at" | "from" | "to">;
  /** What could not be given out. */
  readonly missing?: readonly MissingRecords[];
  /** The end of the chain before the first record. */
  readonly before: ChainEnd;
  /** The texts of the records as they were stored, in their order; one at least. */
  readonly records: readonly string[];
  readonly last: ChainEnd;
  /** Compact JWS, in their order. */
  readonly heads: readonly string[];
  readonly keys: readonly PublicSigningKey[];
  /** By SHA-256 in lower-case hex. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
}

export interface UnsignedArchive {
  /** The text that is to be signed. */
  readonly manifest: string;
  /** `signature`: the text of manifest-signature.ts. Throws {@link RangeError} if the files are too many or too large. */
  readonly close: (signature: string) => Buffer;
}

const utf8 = new TextEncoder();
const lines = (texts: readonly string[]): Uint8Array => utf8.encode(texts.map((text) => `${text}\n`).join(""));

export function fillArchive(contents: ArchiveContents): UnsignedArchive {
  const { about, missing = [], before, records, last, heads, keys, documents } = contents;
  const files = new Map<string, Uint8Array>([
    [README, utf8.encode(describeForm(about, missing))],
    [RECORDS, lines(records)],
    [HEADS, lines(heads)],
    [KEYS, utf8.encode(JSON.stringify({ keys }, null, 1))],
    ...[...documents].map(([sha256, bytes]) => [`${DOCUMENTS}${sha256}`, bytes] as const),
  ]);
  const first = { seq: before.seq + 1, prev: before.hash };
  const gaps = missing.length > 0 && { missing: [...missing] };
  const manifest = writeManifest({ ...about, first, last: { seq: last.seq, hash: last.hash }, ...gaps }, files);
  const close = (signature: string): Buffer =>
    writeZip(new Map([...files, [MANIFEST, utf8.encode(manifest)], [SIGNATURE, utf8.encode(signature)]]));
  return { manifest, close };
}
