/**
 * Chosen records of a ledger, each with its proof, as one ZIP file for an auditor. Nothing of the records around them is in
 * it: a record hangs by its way through a tree (ledger/record-tree.ts) on a signed head, and its documents hang on it by their
 * SHA-256. So nothing else is signed. That no other record belongs to them it cannot show: `evidence export` does.
 */
import type { LedgerRecord } from "../ledger/record.ts";
import { listEvidence, listNamedDocuments, type ReadKept, readDocument } from "../ledger/record-documents.ts";
import type { RecordProof } from "../ledger/record-proofs.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import {
  BASIS_BY_HAND,
  DOCUMENTS,
  KEYS,
  KEYS_BY_HAND,
  PROOFS,
  README,
  RECORDS,
  SIGNATURE_BY_HAND,
  writeKeys,
  writeLines,
} from "./form.ts";
import { ZipWriter } from "./zip-file.ts";

export interface ProvenRecord {
  /** The record as it is stored. */
  readonly text: string;
  readonly proof: RecordProof;
}

export interface ProvenRecords {
  readonly about: { readonly fi: string; readonly release: string; readonly made_at: string };
  readonly records: AsyncIterable<ProvenRecord>;
  /** What is to be said beside, in sentences; read when all records have come. */
  readonly notes: readonly string[];
  readonly keys: readonly PublicSigningKey[];
  /** What a record is based on. */
  readonly open: (record: LedgerRecord) => ReadKept;
}

/** The archive, part by part: of the documents one is held at a time. Throws what reading throws. */
export async function* writeRecords({
  about,
  records,
  notes,
  keys,
  open,
}: ProvenRecords): AsyncGenerator<Uint8Array, void> {
  const zip = new ZipWriter();
  const isWritten = ({ sha256 }: { readonly sha256: string }) => zip.has(DOCUMENTS + sha256);
  const [texts, proofs]: [string[], string[]] = [[], []];
  for await (const { text, proof } of records) {
    texts.push(text);
    proofs.push(JSON.stringify(proof));
    const record = JSON.parse(text) as LedgerRecord;
    // what they name was read with them
    if (listNamedDocuments(record).every(isWritten)) continue;
    const read = open(record);
    for (const { kind, sha256 } of await listEvidence(read, record)) {
      const document = isWritten({ sha256 }) ? null : await readDocument(read, kind, sha256);
      if (document?.ok) yield* zip.add(DOCUMENTS + sha256, document.bytes);
    }
  }
  yield* zip.add(RECORDS, writeLines(texts));
  yield* zip.add(PROOFS, writeLines(proofs));
  yield* zip.add(KEYS, writeKeys(keys));
  yield* zip.add(README, new TextEncoder().encode(describeForm(about, texts.length, notes)));
  yield zip.close();
}

const describeForm = (
  { fi, release, made_at }: ProvenRecords["about"],
  records: number,
  notes: readonly string[],
): string =>
  `Records of the ledger of ${fi}, ${records} in number, each proven by itself
Made by psp-gate ${release} at ${made_at}. Times are ISO 8601 in UTC, digests SHA-256 in lower-case hex.
${notes.map((note) => `\n${note}\n`).join("")}
Nothing of the records around them is in here. That no other record belongs to them is not shown: an archive of
evidence export shows that.

Files
  records.jsonl            the records, one a line
  proofs.jsonl             a line for each record, in the same order: a signed end of the chain ("head", a compact JWS of
                           RFC 7515, Ed25519), and the record's way to the root of the tree that it signs ("path")
  keys.json                the service's public keys (RFC 7517)
  documents/<SHA-256>      what the records rest on, each once

${KEYS_BY_HAND}
By hand
1. The record. Its way to the root, by the rule of RFC 9162 section 2.1, with N for the number of its line. The second line
   that is printed must be the "root" in the first one:
     N=1; R=$(sed -n \${N}p records.jsonl); P=$(sed -n \${N}p proofs.jsonl)
     field() { printf %s "$1" | sed -n "s/.*\\"$2\\":\\"*\\([^\\",}]*\\).*/\\1/p"; }; sha() { xxd -r -p | sha256sum | cut -c 1-64; }
     HEAD=$(field "$P" head | cut -d. -f2 | tr -- '-_' '+/' | base64 -d 2>/dev/null); echo "$HEAD"
     FIRST=$(field "$HEAD" first); I=$(($(field "$R" seq) - FIRST)); W=$(($(field "$HEAD" seq) - FIRST + 1))
     H=$(printf %s "$R" | sha256sum | cut -c 1-64); H=$(printf 00$H | sha)
     set -- $(printf %s "$P" | sed 's/.*"path"://' | tr -d '"[]}' | tr , ' ')
     while [ $W -gt 1 ]; do if [ $((I ^ 1)) -lt $W ]; then
     if [ $((I % 2)) = 0 ]; then H=$(printf 01$H$1 | sha); else H=$(printf 01$1$H | sha); fi; shift
     fi; I=$((I / 2)); W=$(((W + 1) / 2)); done; echo $H
2. The head. The header names the key ("kid") of keys.json. Its signature:
     field "$P" head > heads.jsonl
${SIGNATURE_BY_HAND}
3. ${BASIS_BY_HAND}
4. The answers. That each follows from its documents as of its time is what the command above runs again.
`;
