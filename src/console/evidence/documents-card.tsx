/** What a record rested on, each document to be downloaded. */
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import type { RecordDocument } from "../../evidence/ledger/record-documents.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { explainNoDocument } from "./done-words.ts";
import { EVIDENCE } from "./evidence-page.tsx";

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
        <section class="scroll" aria-label="Documents, one row each" tabindex={0}>
          <table>
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
          </table>
        </section>
      )}
    </section>
  );
}
