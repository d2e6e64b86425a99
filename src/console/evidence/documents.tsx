/** What a record rested on, each document to be downloaded. */

import { writeProof } from "../../evidence/archive/record-proof.ts";
import { askLedger, findHeads, findRecordText, type LedgerEnv } from "../../evidence/ledger/ask-ledger.ts";
import { type Damage, describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import { openEvidence } from "../../evidence/ledger/kept-evidence.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { RecordDocument } from "../../evidence/ledger/record-documents.ts";
import { ALTERED, listEvidence, type ReadKept, readDocument } from "../../evidence/ledger/record-documents.ts";
import type { RecordPage } from "../../evidence/ledger/record-search.ts";
import { readSigningKeys } from "../../evidence/signatures/signing-keys.ts";
import { isRecordId } from "../../grants/record-order.ts";
import type { Instant } from "../../platform/instant.ts";
import { STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import { aboutInstitution, type Chosen } from "../chosen-institution.tsx";
import { RowTable } from "../elements.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { PageProblem, pageNotFound } from "../page.ts";
import { READ } from "../roles.ts";
import { EVIDENCE } from "./evidence-page.tsx";
import { explainNoDocument } from "./record-words.ts";

interface DocumentsProps {
  readonly fi: Chosen;
  readonly record: LedgerRecord;
  readonly documents: readonly RecordDocument[];
}

export function DocumentsCard({ fi, record, documents }: DocumentsProps) {
  return (
    <section class="card">
      <h2>What it rested on</h2>
      {documents.length === 0 ? (
        <p>{explainNoDocument(record)}</p>
      ) : (
        <RowTable label="Documents">
          <thead>
            <tr>
              <th scope="col">Document</th>
              <th scope="col">SHA-256</th>
            </tr>
          </thead>
          <tbody>
            {documents.map(({ kind, sha256 }) => (
              <tr>
                <th scope="row">
                  <a href={fi.link(`${EVIDENCE}/${record.id}/documents/${sha256}`)} download>
                    {kind} <span class="out">{sha256.slice(0, 8)}</span>
                  </a>
                </th>
                <td>
                  <code>{sha256}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </RowTable>
      )}
    </section>
  );
}

export const documentPage: Page = {
  path: `${EVIDENCE}/{id}/documents/{sha256}`,
  menu: null,
  roles: READ,
  get: aboutInstitution("Evidence", sendDocument),
};

export const proofPage: Page = {
  path: `${EVIDENCE}/{id}/proof`,
  menu: null,
  roles: READ,
  get: aboutInstitution("Evidence", sendProof),
};

const attached = (type: string, name: string): Record<string, string> => ({
  "Content-Type": type,
  "Content-Disposition": `attachment; filename="${name}"`,
});

async function sendDocument(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c, params } = visit;
  const { record } = await findRecord(visit, fi);
  const read = openEvidence(c.env, record);
  const named = (await listEvidence(read, record)).find(({ sha256 }) => sha256 === params["sha256"]);
  if (!named) throw pageNotFound();
  const kept = await readDocument(read, named.kind, named.sha256);
  if (!kept.ok)
    throw new PageProblem({
      status: 404,
      code: "document_not_found",
      heading: "The document is not kept",
      text:
        kept.missing.reason === "altered"
          ? ALTERED
          : "The record names it by its SHA-256. It was not written, or was deleted since.",
    });
  return c.body(kept.bytes as Uint8Array<ArrayBuffer>, 200, {
    ...attached("application/octet-stream", `${named.sha256}.${EXTENSIONS[named.kind] ?? "json"}`),
  });
}

/** What is not here is JSON. */
const EXTENSIONS: Readonly<Record<string, string>> = { certificate: "cer", "OCSP answer": "ors", CRL: "crl" };

/** All documents of a proof, in bytes: what is beyond can be downloaded by itself, and the proof says that it is missing. */
const MAX_DOCUMENTS_BYTES = 16 * 1024 ** 2;

/** After the record, up to its head: a segment at most, where there was a signing key when it was closed. */
const MAX_RECORDS = 20_000;

async function sendProof(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c } = visit;
  const { record, text } = await findRecord(visit, fi);
  // signs the end of the chain, if no head covers it yet
  await askLedger(c.env, fi.id, (ledger) => ledger.head(), STORE_TIMEOUT_MS);
  const head = (await findHeads(c.env, fi.id, record.seq, record.seq)).at(-1);
  if (!head || head.seq < record.seq)
    throw new PageProblem({
      status: 409,
      code: "record_not_signed",
      heading: "There is no proof yet",
      text: "No signed head covers this record: the service has no signing key. Its operator makes one by the command signing-key rotate.",
    });
  if (head.seq - record.seq > MAX_RECORDS)
    throw new PageProblem({
      status: 409,
      code: "proof_too_large",
      heading: "The proof is too large",
      text: `The first signed head after this record is ${head.seq - record.seq} records later, and a proof holds all of them. The operator's command evidence export writes them.`,
    });
  const after = await readRecords(c.env, fi.id, record.seq + 1, head.seq);
  const read = openEvidence(c.env, record);
  const documents = await readDocuments(read, await listEvidence(read, record));
  const keys = readSigningKeys(c.env).published;
  const proof = writeProof({ record: text, after, head: head.jws, keys, documents });
  return c.body(proof, 200, attached("application/json", `proof-${record.id}.json`));
}

/** By their numbers, both inclusive. */
async function readRecords(env: LedgerEnv, fiId: number, first: number, last: number): Promise<string[]> {
  const texts: string[] = [];
  for (let from: number | null = first; from !== null && from <= last; ) {
    const start: Instant = from;
    const page: RecordPage = await askLedger(env, fiId, (ledger) => ledger.range(start, last));
    const [damage] = page.gaps;
    if (damage) throw damagedRecords("A proof holds the records up to the next signed head", damage);
    texts.push(...page.texts);
    from = page.next;
  }
  return texts;
}

async function readDocuments(
  read: ReadKept,
  named: readonly RecordDocument[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const documents = new Map<string, Uint8Array>();
  let left = MAX_DOCUMENTS_BYTES;
  for (const { sha256 } of named) {
    const bytes = await read(sha256);
    if (!bytes || bytes.length > left) continue;
    left -= bytes.length;
    documents.set(sha256, bytes);
  }
  return documents;
}

/** `what`: what cannot be shown. */
const damagedRecords = (what: string, damage: Damage): PageProblem =>
  new PageProblem({
    status: 500,
    code: "records_damaged",
    heading: "Records are damaged",
    text: `${what}: ${describeGap(nameGap(damage))}. It does not pass by itself: the operator's command doctor names the file, which is to be put back from a copy.`,
  });

export interface FoundRecord {
  /** As it is stored. */
  readonly text: string;
  readonly record: LedgerRecord;
}

/** Of this institution's ledger. Throws PageProblem if it has none of this id, StoreError. */
export async function findRecord({ c, params }: Pick<Visit, "c" | "params">, fi: Chosen): Promise<FoundRecord> {
  const id = params["id"] ?? "";
  const found = isRecordId(id) ? await findRecordText(c.env, fi.id, id) : null;
  if (found === null) throw pageNotFound();
  if (typeof found !== "string") throw damagedRecords("The record may be among those that cannot be read", found);
  return { text: found, record: JSON.parse(found) as LedgerRecord };
}
