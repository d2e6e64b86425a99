/** What was found of one certificate: its verdicts, and what its PSP may do. */
import type { LedgerRecord } from "../../evidence/ledger/record.ts";
import { Mark } from "../mark.tsx";
import { writeDates } from "../times.ts";
import { describeDecisions, describeVerdicts, type KeptReasons } from "./record-words.ts";

interface FoundProps {
  readonly checked: LedgerRecord["checks"][number];
  /** Of the kept answer; none of several checks. */
  readonly reasons: KeptReasons;
}

export function FoundCard({ checked, reasons }: FoundProps) {
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
            <dd>
              {sentence}
              {!good && <AsAnswered reasons={reasons.ofVerdict(field)} />}
            </dd>
          </>
        ))}
      </dl>
      <ul class="decisions">
        {describeDecisions(checked).map(({ scope, allowed, sentence }) => (
          <li>
            <Mark state={allowed ? "yes" : "no"}>{allowed ? "Yes" : "No"}</Mark> {sentence}
            {!allowed && <AsAnswered reasons={reasons.ofScope(scope)} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why not, where the no is. */
const AsAnswered = ({ reasons }: { reasons: readonly string[] }) => (
  <>
    {reasons.map((reason) => (
      <>
        <br />
        As it was answered: {writeDates(reason)}.
      </>
    ))}
  </>
);
