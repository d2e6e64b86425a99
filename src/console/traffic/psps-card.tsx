/** The PSPs that were refused most, and why, with links to the records. */
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { writeDay } from "../times.ts";
import type { LinkedProps } from "./outcomes-card.tsx";
import { daysOf } from "./span.ts";
import { count, type NotThePsp } from "./summary.ts";

const MAX_PSPS = 20;

/** What is left out, by whose it is. */
const LEFT_OUT: Readonly<Record<NotThePsp, string>> = {
  caller: "by mistakes of the bank's own system",
  bank: "by the bank's own blocks",
  service: "by faults of this service",
};

export function PspsCard({ summary: { psps, notTheirs }, fi, span }: LinkedProps) {
  const days = daysOf(span);
  const leftOut = notTheirs.map(({ whose, requests }) => `${count(requests)} ${LEFT_OUT[whose]}`);
  const shown = psps.slice(0, MAX_PSPS);
  return (
    <section class="card">
      <h2>PSPs that were refused most</h2>
      <p class="muted">
        By whole days: {days.from === days.to ? writeDay(days.from) : `${writeDay(days.from)} to ${writeDay(days.to)}`}.
        Counted is what the PSP, or the QTSP that issued its certificate, can mend. Each reason leads to the records,
        which say why.
      </p>
      {leftOut.length > 0 && <p class="muted">Left out: {leftOut.join(", ")}.</p>}
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
