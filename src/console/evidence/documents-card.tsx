/** What a record rested on, each document to be downloaded. */
import type { RecordDocument } from "../../ledger/record-documents.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { EVIDENCE } from "./evidence-page.tsx";

export function DocumentsCard({ fi, id, documents }: { fi: Chosen; id: string; documents: readonly RecordDocument[] }) {
  return (
    <section class="card">
      <h2>What it rested on</h2>
      {documents.length === 0 ? (
        <p>
          On no document: the request was refused before a certificate was checked, its PSP had shown one earlier, or no
          PSP was asked.
        </p>
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
                    <a href={fi.link(`${EVIDENCE}/${id}/documents/${sha256}`)} download>
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
