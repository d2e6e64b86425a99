/** How a record is proved: its signed head, its answer made again, its text. */
import { hashRecord } from "../../evidence/ledger/chain.ts";
import { type Chosen, ChosenField } from "../chosen-institution.tsx";
import { FormToken } from "../frame.tsx";
import type { Visit } from "../page.ts";
import type { Reader } from "../reader.ts";
import { EVIDENCE } from "./evidence-page.tsx";
import type { FoundRecord } from "./found-record.ts";

interface ProofProps {
  readonly visit: Visit<Reader>;
  readonly fi: Chosen;
  readonly found: FoundRecord;
  /** The first head that signs it; null: none yet. */
  readonly covering: { readonly seq: number } | null;
}

export function ProofCard({ visit, fi, found: { record, text }, covering }: ProofProps) {
  const { id, seq } = record;
  return (
    <section class="card">
      <h2>Prove it</h2>
      <p>
        It is record {seq} of the institution's ledger.{" "}
        {covering
          ? `The signed head of record ${covering.seq} covers it: whoever has that head can show if it was altered since.`
          : "No signed head covers it yet: downloading its proof signs one."}
      </p>
      <div class="row">
        <form method="post" action={visit.href(`${EVIDENCE}/${id}`)}>
          <FormToken visit={visit} />
          <ChosenField fi={fi} />
          <button type="submit">Make the answer again</button>
        </form>
        <a class="button second" href={fi.link(`${EVIDENCE}/${id}/proof`)}>
          Download the proof
        </a>
      </div>
      <p class="muted small">
        The proof is checked without this service: <code>npm run admin -- evidence verify FILE --keys KEYS</code>. It
        holds the records up to the head, too: of the institution's other requests.
      </p>
      <details>
        <summary>The record as it is stored</summary>
        <p class="muted small">
          SHA-256 <code>{hashRecord(text)}</code>
        </p>
        <pre tabindex={0}>{text}</pre>
      </details>
    </section>
  );
}
