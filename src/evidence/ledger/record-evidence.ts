/** What a record of a ledger rests on, as it is kept, and the signed heads that cover it: for all who may read it. */

import { askLedger } from "./ask-ledger.ts";
import type { ReadKept } from "./kept-reader.ts";
import { SEGMENT_RECORDS } from "./open-segment.ts";
import type { LedgerRecord } from "./record.ts";
import { listContents, listNamedDocuments, NAMING, type RecordDocument } from "./record-documents.ts";

/** All that the record rests on: what it names itself, and what these documents name. Throws what `read` throws. */
export async function listEvidence(read: ReadKept, record: LedgerRecord): Promise<RecordDocument[]> {
  const named = listNamedDocuments(record);
  const contents = await Promise.all(
    named
      .filter(({ kind }) => NAMING.has(kind))
      .map(async ({ kind, sha256 }) => listContents(kind, await read(sha256))),
  );
  return [...new Map([...named, ...contents.flat()].map((each) => [each.sha256, each])).values()];
}

export interface SignedHead {
  readonly seq: number;
  /** See head.ts. */
  readonly jws: string;
}

/** The signed heads from the one record to the first head that covers the other: what proves all between them. */
export async function findHeads(
  env: Pick<Env, "LEDGER">,
  fiId: number,
  oldest: number,
  newest: number,
): Promise<SignedHead[]> {
  // every closed segment ends in a head; the last append may make it larger
  const last = newest + 2 * SEGMENT_RECORDS;
  const heads = await askLedger(env, fiId, (ledger) => ledger.heads(oldest, last, newest));
  const signed = heads.flatMap(({ seq, jws }) => (jws === null ? [] : { seq, jws }));
  const covering = signed.findIndex(({ seq }) => seq >= newest);
  return signed.slice(0, covering < 0 ? signed.length : covering + 1);
}
