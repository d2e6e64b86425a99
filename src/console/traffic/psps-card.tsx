/** The PSPs that were refused most, and why, with links to the records. */
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import type { LinkedProps } from "./outcomes-card.tsx";
import { daysOf } from "./span.ts";
import { count } from "./summary.ts";

const MAX_PSPS = 20;

export function PspsCard({ summary: { psps }, fi, span }: LinkedProps) {
  const days = daysOf(span);
  const shown = psps.slice(0, MAX_PSPS);
  return (
    <section class="card">
      <h2>PSPs that were refused most</h2>
      <p class="muted">
        By whole days: {days.from === days.to ? days.from : `${days.from} to ${days.to}`}. Each reason leads to the
        records, which say why.
      </p>
      {shown.length === 0 ? (
        <p>None was refused.</p>
      ) : (
        <section class="scroll" aria-label="PSPs, one row each" tabindex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">PSP</th>
                <th scope="col" class="number">
                  Refused
                </th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ psp, requests, reasons }) => (
                <tr>
                  <th scope="row" class="text">
                    {psp === null ? (
                      "Certificates that nobody vouches for"
                    ) : (
                      <a href={fi.link(EVIDENCE, { psp, ...days })}>{psp}</a>
                    )}
                  </th>
                  <td class="number">{count(requests)}</td>
                  <td class="text">
                    {reasons.map(({ outcome, requests: number }, i) => (
                      <>
                        {i > 0 && ", "}
                        <a href={fi.link(EVIDENCE, { ...(psp !== null && { psp }), outcome, ...days })}>
                          {outcome}
                          <span class="out"> of {psp ?? "certificates that nobody vouches for"}</span>
                        </a>{" "}
                        {count(number)}
                      </>
                    ))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {psps.length > MAX_PSPS && <p class="muted">{count(psps.length - MAX_PSPS)} more were refused less often.</p>}
    </section>
  );
}
