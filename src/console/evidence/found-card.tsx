/** What was found of one certificate: its verdicts, and what its PSP may do. */
import type { LedgerRecord } from "../../ledger/record.ts";
import { Mark } from "../mark.tsx";
import { describeDecisions, describeVerdicts } from "./record-words.ts";

export function FoundCard({ checked }: { checked: LedgerRecord["checks"][number] }) {
  return (
    <section class="card">
      <h2>
        What was found of a certificate{" "}
        {checked.psp !== null && (
          <>
            of <code>{checked.psp}</code>
          </>
        )}
      </h2>
      <dl class="answers">
        {describeVerdicts(checked).map(({ field, name, good, sentence }) => (
          <>
            <dt>
              <span>
                {name} <code class="muted">{field}</code>
              </span>
              <Mark state={good ? "yes" : "no"}>{good ? "Yes" : "No"}</Mark>
            </dt>
            <dd>{sentence}</dd>
          </>
        ))}
      </dl>
      <ul class="decisions">
        {describeDecisions(checked).map(({ allowed, sentence }) => (
          <li>
            <Mark state={allowed ? "yes" : "no"}>{allowed ? "Yes" : "No"}</Mark> {sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}
