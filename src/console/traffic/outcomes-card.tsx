/** How often each error code was answered, with a link to the records. */
import type { Chosen } from "../chosen-institution.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { explainOutcome } from "../evidence/record-words.ts";
import { daysOf, type Span } from "./span.ts";
import { count, type Summary, whoseIs } from "./summary.ts";

export interface LinkedProps {
  readonly summary: Summary;
  readonly fi: Chosen;
  readonly span: Span;
}

const WHOSE = {
  caller: "the bank's own system",
  psp: "the PSP",
  qtsp: "the PSP's QTSP",
  bank: "the bank: no mistake",
  service: "this service",
  unknown: "–",
} as const;

export function OutcomesCard({ summary: { outcomes, requests }, fi, span }: LinkedProps) {
  return (
    <section class="card">
      <h2>What was not ok, by error code</h2>
      {outcomes.length === 0 ? (
        <p>Nothing: every answer was ok.</p>
      ) : (
        <section class="scroll" aria-label="Error codes, one row each" tabindex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Code</th>
                <th scope="col">What it means</th>
                <th scope="col">Who can end it</th>
                <th scope="col" class="number">
                  Requests
                </th>
                <th scope="col" class="number">
                  Of all
                </th>
              </tr>
            </thead>
            <tbody>
              {outcomes.map(({ outcome, requests: number }) => (
                <tr>
                  <th scope="row">
                    <a href={fi.link(EVIDENCE, { outcome, ...daysOf(span) })}>{outcome}</a>
                  </th>
                  <td class="text">{explainOutcome(outcome)}</td>
                  <td>{WHOSE[whoseIs(outcome) ?? "unknown"]}</td>
                  <td class="number">{count(number)}</td>
                  <td class="number">{((100 * number) / requests).toFixed(1)} %</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
