/** Records as an archive that proves each by itself (evidence/archive/proven-records.ts): one record's, or those of a search. */

import { type ProvenRecord, writeRecords } from "../../evidence/archive/proven-records.ts";
import { askLedger, type LedgerEnv } from "../../evidence/ledger/ask-ledger.ts";
import { describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import { openEvidence } from "../../evidence/ledger/kept-evidence.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { RecordQuery } from "../../evidence/ledger/record-query.ts";
import { readSigningKeys } from "../../evidence/signatures/signing-keys.ts";
import { VERSION } from "../../platform/version.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { addressOf, MAX_PARTS, sendFile } from "../list-file.tsx";
import { PageProblem, type Reader, type Visit } from "../page.ts";

/** One record. Throws {@link PageProblem} if it cannot be proven, StoreError. */
export async function sendProof(
  visit: Visit<Reader>,
  fi: Chosen,
  { record, text }: Readonly<{ record: LedgerRecord; text: string }>,
): Promise<Response> {
  const { env } = visit.c;
  const [proof] = await proveAll(env, fi.id, [record.seq]);
  if (!proof)
    throw new PageProblem({
      status: 409,
      code: "record_not_signed",
      heading: "There is no proof",
      text: readSigningKeys(env).signer
        ? `No signed head has the record: ${UNSIGNED}`
        : "The service has no signing key. Its operator makes one by the command signing-key rotate.",
    });
  return await sendRecords(
    visit,
    fi,
    `proof-${record.id}`,
    (async function* () {
      yield { text, proof };
    })(),
  );
}

const UNSIGNED =
  "there was no signing key when that part of the ledger was closed. The operator's command evidence export proves it, with the records around it.";

/** Records of an archive; its README has the address of the rest. */
export const ARCHIVE_RECORDS = 5_000;
/** What is read at once. */
const PART_RECORDS = 250;

/** What the search finds. */
export function sendArchive(visit: Visit<Reader>, fi: Chosen, query: Omit<RecordQuery, "limit">): Promise<Response> {
  const notes: string[] = [];
  return sendRecords(visit, fi, "evidence", findProven(visit, fi, query, notes), notes);
}

async function* findProven(
  visit: Visit<Reader>,
  fi: Chosen,
  query: Omit<RecordQuery, "limit">,
  notes: string[],
): AsyncGenerator<ProvenRecord, void> {
  const { env, req } = visit.c;
  let [before, left, unproven] = [query.before, ARCHIVE_RECORDS, 0];
  for (let parts = 0; ; parts++) {
    if (left === 0 || parts === MAX_PARTS) {
      notes.push(
        `They are not all that the search finds. The rest begins at ${addressOf(visit, { ...req.query(), before: String(before) })}`,
      );
      break;
    }
    const asked = { ...query, before, limit: Math.min(left, PART_RECORDS) };
    const { texts, gaps, next } = await askLedger(env, fi.id, (ledger) => ledger.list(asked));
    notes.push(...gaps.map((gap) => `Cannot be read: ${describeGap(nameGap(gap))}`));
    const proofs = await proveAll(
      env,
      fi.id,
      texts.map((text) => (JSON.parse(text) as LedgerRecord).seq),
    );
    for (const [i, text] of texts.entries()) {
      const proof = proofs[i];
      if (proof) yield { text, proof };
      else unproven++;
    }
    [before, left] = [next, left - texts.length];
    if (next === null) break;
  }
  if (unproven > 0) notes.push(`${unproven} records are left out: ${UNSIGNED}`);
}

const proveAll = (env: LedgerEnv, fiId: number, seqs: readonly number[]) =>
  askLedger(env, fiId, (ledger) => ledger.prove(seqs));

async function sendRecords(
  visit: Visit<Reader>,
  fi: Chosen,
  name: string,
  records: AsyncGenerator<ProvenRecord, void>,
  notes: readonly string[] = [],
): Promise<Response> {
  const { env } = visit.c;
  const about = { fi: fi.fiReferenceId, release: VERSION, made_at: new Date(visit.now).toISOString() };
  const keys = readSigningKeys(env).published;
  const parts = writeRecords({ about, records, notes, keys, open: (record) => openEvidence(env, record) });
  return await sendFile(visit, fi, { name, extension: "zip", type: "application/zip", parts });
}
