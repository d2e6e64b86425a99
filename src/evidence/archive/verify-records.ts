/** Verifies an archive of chosen records (proven-records.ts) without the service that made it. */
import * as z from "zod";
import { hashRecord } from "../ledger/chain.ts";
import { type HeadCheck, type SignedEnd, verifyHead } from "../ledger/head.ts";
import type { LedgerRecord } from "../ledger/record.ts";
import { parseDocument } from "../ledger/record-documents.ts";
import { followPath } from "../ledger/record-tree.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import { DOCUMENTS, KEYS, notOfLines, PROOFS, README, RECORDS, readLines } from "./form.ts";
import { checkDocuments, isDated, type Replays, readArchivedKeys, replayAll } from "./verify-archive.ts";
import type { Files } from "./zip-file.ts";

export type RecordsVerdict =
  | {
      readonly ok: true;
      readonly records: readonly LedgerRecord[];
      /** What the records hang on, each once, in their order. */
      readonly heads: readonly (SignedEnd & { readonly kid: string })[];
      readonly documents: number;
      readonly replays: Replays;
    }
  | { readonly ok: false; readonly reason: string };

const proofLine = z.strictObject({ head: z.string(), path: z.array(z.string().regex(/^[0-9a-f]{64}$/)) });

/** Whether these are the files of such an archive. */
export const areProvenRecords = (files: Files): boolean => files.has(PROOFS);

/** `keys`: of the service, from elsewhere than the archive; null: its own, which prove only that it agrees with itself. */
export async function verifyRecords(files: Files, keys: readonly PublicSigningKey[] | null): Promise<RecordsVerdict> {
  const refuse = (reason: string): RecordsVerdict => ({ ok: false, reason });
  const [texts, proofs] = [readLines(files.get(RECORDS)), readLines(files.get(PROOFS))];
  if (!texts || !proofs) return refuse(notOfLines(texts ? PROOFS : RECORDS));
  if (texts.length === 0) return refuse(`${RECORDS} has no record`);
  if (proofs.length !== texts.length) return refuse(`${PROOFS} has not one line for each record`);
  const trusted = keys ?? readArchivedKeys(files.get(KEYS) ?? new Uint8Array());
  const heads = new Map<string, HeadCheck>();
  const records = new Map<number, LedgerRecord>();
  for (const [i, text] of texts.entries()) {
    const record = readRecord(text);
    if (!record)
      return refuse(`${RECORDS}: line ${i + 1} is no record: JSON with its number and its time was expected`);
    const { seq, fi } = record;
    if (records.has(seq)) return refuse(`${RECORDS} has record ${seq} twice`);
    const proof = proofLine.safeParse(parseDocument(proofs[i] ?? "")).data;
    if (!proof) return refuse(`${PROOFS}: line ${i + 1} is not a head and a way to its root`);
    const checked = heads.get(proof.head) ?? verifyHead(proof.head, trusted);
    if (!checked.ok) return refuse(`${PROOFS}: the head of record ${seq} ${checked.reason}`);
    heads.set(proof.head, checked);
    const { head } = checked;
    const [first = record] = records.values();
    if (head.fi !== fi || first.fi !== fi)
      return refuse(`record ${seq} is of ${fi}, its head of ${head.fi}, the first record of ${first.fi}`);
    const root = followPath(hashRecord(text), seq - head.first, head.seq - head.first + 1, proof.path);
    if (root !== head.root)
      return refuse(
        `record ${seq} is not in the tree that was signed at ${head.time}: it was altered, or its proof was`,
      );
    records.set(seq, record);
  }
  const all = [...records.values()];
  const documents = checkDocuments(files, all, KNOWN);
  if (!documents.ok) return documents;
  const replays = await replayAll(all, async (sha256) => files.get(DOCUMENTS + sha256) ?? null);
  const signed = [...heads.values()].flatMap((checked) => (checked.ok ? [{ ...checked.head, kid: checked.kid }] : []));
  return { ok: true, records: all, heads: signed, documents: documents.count, replays };
}

const KNOWN: ReadonlySet<string> = new Set([README, RECORDS, PROOFS, KEYS]);

function readRecord(text: string): LedgerRecord | null {
  const record = Object(parseDocument(text)) as Partial<LedgerRecord>;
  const isRecord = Number.isSafeInteger(record.seq) && typeof record.fi === "string" && Array.isArray(record.checks);
  return isRecord && isDated(record) ? (record as LedgerRecord) : null;
}
