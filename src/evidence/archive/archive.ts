/** Makes an archive of a part of one institution's ledger: all that is needed to verify it without the service. */
import type { ChainEnd } from "../ledger/chain.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import {
  BASIS_BY_HAND,
  DOCUMENTS,
  HEADS,
  KEYS,
  KEYS_BY_HAND,
  README,
  RECORDS,
  SIGNATURE_BY_HAND,
  writeKeys,
  writeLines,
} from "./form.ts";
import { describeMissing, MANIFEST, type Manifest, type MissingRecords, SIGNATURE, writeManifest } from "./manifest.ts";
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
  /** `signature`: see `writeSignature`. Throws {@link RangeError} if the files are too many or too large. */
  readonly close: (signature: string) => Buffer;
}

const utf8 = new TextEncoder();

export function fillArchive(contents: ArchiveContents): UnsignedArchive {
  const { about, missing = [], before, records, last, heads, keys, documents } = contents;
  const files = new Map<string, Uint8Array>([
    [README, utf8.encode(describeForm(about, missing))],
    [RECORDS, writeLines(records)],
    [HEADS, writeLines(heads)],
    [KEYS, writeKeys(keys)],
    ...[...documents].map(([sha256, bytes]) => [`${DOCUMENTS}${sha256}`, bytes] as const),
  ]);
  const first = { seq: before.seq + 1, prev: before.hash };
  const gaps = missing.length > 0 && { missing: [...missing] };
  const manifest = writeManifest({ ...about, first, last: { seq: last.seq, hash: last.hash }, ...gaps }, files);
  const close = (signature: string): Buffer =>
    writeZip(new Map([...files, [MANIFEST, utf8.encode(manifest)], [SIGNATURE, utf8.encode(signature)]]));
  return { manifest, close };
}

/** The README: its form, and how to check it by hand, for a reader who has only the archive. */
const describeForm = (
  { fi, release, made_at, from, to }: Pick<Manifest, "fi" | "release" | "made_at" | "from" | "to">,
  missing: readonly MissingRecords[],
): string =>
  `Ledger of ${fi}: records from ${from} to ${to} (with a minute around them, the one before, and on to a signed head)
Made by psp-gate ${release} at ${made_at}. Times are ISO 8601 in UTC, digests SHA-256 in lower-case hex.
${missing.length === 0 ? "" : `\nNot whole: the service could not give out these records. The chain is checked, and a head signed, up to each gap and from it on.\n${missing.map((gap) => `  ${describeMissing(gap)}\n`).join("")}`}
Files
  records.jsonl            the records, one a line, in their order
  heads.jsonl              signed ends of the chain, one compact JWS (RFC 7515, Ed25519) a line
  keys.json                the service's public keys (RFC 7517)
  documents/<SHA-256>      what the records rest on, each once
  manifest.json            what this archive has, with the SHA-256 of each file
  manifest-signature.json  the service's signed answer (RFC 9421) whose nonce is the SHA-256 of manifest.json

${KEYS_BY_HAND}
By hand
1. The files. Each line of this must be in manifest.json:
     find . -type f ! -name 'manifest*' -exec sha256sum {} +
   and the name of each document is its own SHA-256. That manifest.json is the service's is what the command above checks;
   the records are proven without it, by 2 and 3, and each document by the record that names it.
2. The chain. "prev" of a record is the SHA-256 of the line before it, without its line feed. From "prev" of the first one on,
   which is in manifest.json ("first"), this names each record that breaks it, and ends with the digest of the last line
   ("last"):
     H=PREV_OF_THE_FIRST; while IFS= read -r R; do case "$R" in *'"prev":"'$H'"'*) ;; *) echo "broken: $R" ;; esac
     H=$(printf %s "$R" | sha256sum | cut -c 1-64); done < records.jsonl; echo $H
3. The heads. A line of heads.jsonl is HEADER.PAYLOAD.SIGNATURE in base64url. The payload names a record ("seq") and the
   digest of its line ("hash"); the header names the key ("kid") of keys.json. One head must be of the last record.
     cut -d. -f2 heads.jsonl | tail -n 1 | tr -- '-_' '+/' | base64 -d 2>/dev/null
${SIGNATURE_BY_HAND}
4. ${BASIS_BY_HAND}
5. The answers. That each follows from its documents as of its time is what the command above runs again.
`;
