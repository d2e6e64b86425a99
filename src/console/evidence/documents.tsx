/** What a record rested on, each document to be downloaded. */

import { findRecordText } from "../../evidence/ledger/ask-ledger.ts";
import { type Damage, describeGap, nameGap } from "../../evidence/ledger/damage.ts";
import { openEvidence } from "../../evidence/ledger/kept-evidence.ts";
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { RecordDocument } from "../../evidence/ledger/record-documents.ts";
import { ALTERED, listEvidence, readDocument } from "../../evidence/ledger/record-documents.ts";
import { isRecordId } from "../../grants/record-order.ts";
import { aboutInstitution, type Chosen } from "../chosen-institution.tsx";
import { RowTable } from "../elements.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { PageProblem, pageNotFound } from "../page.ts";
import { READ } from "../roles.ts";
import { EVIDENCE } from "./evidence-page.tsx";
import { sendProof } from "./proven-archive.ts";
import { explainNoDocument } from "./record-sentence.ts";

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
        <RowTable label="Documents" heads={["Document", "SHA-256"]}>
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
  get: aboutInstitution("Evidence", async (visit, fi) => sendProof(visit, fi, await findRecord(visit, fi))),
};

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
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename="${named.sha256}.${EXTENSIONS[named.kind] ?? "json"}"`,
  });
}

/** What is not here is JSON. */
const EXTENSIONS: Readonly<Record<string, string>> = { certificate: "cer", "OCSP answer": "ors", CRL: "crl" };

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
