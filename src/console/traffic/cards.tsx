/** How often each error code was answered, with a link to the records. */

import { LATENCY_BOUNDS_MS } from "../../evidence/ledger/traffic.ts";
import { type EndpointSettings, listEndpoints } from "../../http/endpoints.ts";
import { leavesRecord } from "../../http/middleware/ledger.ts";
import { OPERATION } from "../../routes/endpoints.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { RowTable } from "../elements.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { explainOutcome } from "../evidence/record-words.ts";
import { count, daysOf, type Span, type Summary, whoseIs } from "./summary.ts";

export interface LinkedProps {
  readonly summary: Summary;
  readonly fi: Chosen;
  readonly span: Span;
}

/** Who can end an error. */
export const WHOSE = {
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
      <h2>What was not ok, by reason</h2>
      {outcomes.length === 0 ? (
        <p>Nothing: every answer was ok.</p>
      ) : (
        <RowTable label="Error codes">
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
        </RowTable>
      )}
    </section>
  );
}

/** The bucket's upper bound. */
const time = (ms: number): string =>
  Number.isFinite(ms) ? `≤ ${count(ms)} ms` : `> ${count(LATENCY_BOUNDS_MS.at(-1) ?? 0)} ms`;

export function EndpointsCard({ summary: { endpoints } }: { summary: Summary }) {
  return (
    <section class="card">
      <h2>By endpoint</h2>
      <RowTable label="Endpoints">
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            {["Requests", "Not ok", "p50", "p95"].map((head) => (
              <th scope="col" class="number">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {endpoints.map(({ endpoint, requests, refused, p50, p95 }) => (
            <tr>
              <th scope="row">
                <code>{endpoint}</code>
              </th>
              <td class="number">{count(requests)}</td>
              <td class="number">{count(refused)}</td>
              <td class="number">{time(p50)}</td>
              <td class="number">{time(p95)}</td>
            </tr>
          ))}
        </tbody>
      </RowTable>
    </section>
  );
}

/** From the table of endpoints, so that one that begins to leave records is no longer listed. */
export function CountedCard({ env }: { env: EndpointSettings }) {
  const all = [...listEndpoints(env), ...OPERATION];
  const leftOut = all.filter((endpoint) => !leavesRecord(endpoint));
  return (
    <section class="card" aria-labelledby="counted">
      <h2 id="counted">Which requests are counted</h2>
      <p>
        Each request that left a record: checks of PSPs, and what gives or ends codes, tokens and consents. Not counted
        is a request that was refused before it was known whose it was: for its credentials, its address, or too many
        requests in five minutes. Nor are the pages of this console, but for those of its forms that leave a record.
      </p>
      <details>
        <summary>{leftOut.length} endpoints leave no record, and are not counted</summary>
        <ul>
          {leftOut.map(({ method, path }) => (
            <li>
              <code>
                {method} {path}
              </code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
