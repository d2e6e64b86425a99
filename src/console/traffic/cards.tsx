/** How often each error code was answered, with a link to the records. */

import type { Child } from "hono/jsx";
import { LATENCY_BOUNDS_MS } from "../../evidence/ledger/traffic.ts";
import { type EndpointSettings, listEndpoints } from "../../http/endpoints.ts";
import { leavesRecord } from "../../http/middleware/ledger.ts";
import { OPERATION } from "../../routes/endpoints.ts";
import type { Chosen } from "../chosen-institution.tsx";
import { Code, ForPrograms, RowTable } from "../elements.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { explainOutcome, nameAsked } from "../evidence/record-words.ts";
import { count, daysOf, type Span, type Summary, whoseIs } from "./summary.ts";

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
} as const;

/** Null of what is no error. */
export function describeWhose(outcome: string): string | null {
  const whose = whoseIs(outcome);
  return whose && `Who can end it: ${WHOSE[whose]}`;
}

export function OutcomesCard({ summary: { outcomes, requests }, fi, span }: LinkedProps) {
  const link = (outcome: string) => fi.link(EVIDENCE, { outcome, ...daysOf(span) });
  return (
    <section class="card">
      <h2>What was not ok, by reason</h2>
      {outcomes.length === 0 ? (
        <p>Nothing: every answer was ok.</p>
      ) : (
        <Reasons outcomes={outcomes} link={link} all={requests} />
      )}
    </section>
  );
}

interface ReasonsProps {
  readonly outcomes: readonly { readonly outcome: string; readonly requests: number }[];
  /** To the records of an outcome. */
  readonly link: (outcome: string) => string;
  /** Requests, of which each row has a share. */
  readonly all?: number;
}

export const Reasons = ({ outcomes, link, all }: ReasonsProps) => (
  <NumberTable
    label="Why"
    heads={["Requests", ...(all === undefined ? [] : ["Of all"])]}
    rows={outcomes.map(({ outcome, requests }) => [
      <>
        <a href={link(outcome)}>{explainOutcome(outcome)}</a> <Code>{outcome}</Code>
        <br />
        <span class="file muted">{describeWhose(outcome)}</span>
      </>,
      ...[count(requests), ...(all === undefined ? [] : [`${((100 * requests) / all).toFixed(1)} %`])],
    ])}
  />
);

/** The bucket's upper bound. */
const time = (ms: number): string =>
  Number.isFinite(ms) ? `≤ ${count(ms)} ms` : `> ${count(LATENCY_BOUNDS_MS.at(-1) ?? 0)} ms`;

export function EndpointsCard({ summary: { endpoints } }: { summary: Summary }) {
  const asked = [...Map.groupBy(endpoints, ({ endpoint }) => nameAsked(endpoint))];
  const sum = (numbers: number[]) => count(numbers.reduce((a, b) => a + b, 0));
  return (
    <section class="card">
      <h2>By what was asked for</h2>
      <NumberTable
        label="What was asked for"
        heads={["Requests", "Not ok"]}
        rows={asked.map(([name, group]) => [
          name,
          ...[sum(group.map(({ requests }) => requests)), sum(group.map(({ refused }) => refused))],
        ])}
      />
      <ForPrograms title="By endpoint, with times">
        <NumberTable
          label="Endpoint"
          heads={["Requests", "Not ok", "p50", "p95"]}
          rows={endpoints.map(({ endpoint, requests, refused, p50, p95 }) => [
            <code>{endpoint}</code>,
            ...[count(requests), count(refused), time(p50), time(p95)],
          ])}
        />
      </ForPrograms>
    </section>
  );
}

interface NumberTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Child[])[];
}

const NumberTable = ({ label, heads, rows }: NumberTableProps) => (
  <RowTable label={label} heads={[label, ...heads]} numbers={heads}>
    {rows.map(([name, ...numbers]) => (
      <tr>
        <th scope="row" class="text">
          {name}
        </th>
        {numbers.map((number) => (
          <td class="number">{number}</td>
        ))}
      </tr>
    ))}
  </RowTable>
);

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
