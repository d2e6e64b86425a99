/** /console/traffic: requests, refusals and times of an institution, from its ledger's own counters. */

import { nameDay } from "../../days.ts";
import { askLedger } from "../../ledger/ask-ledger.ts";
import { LATENCY_BOUNDS_MS } from "../../ledger/latencies.ts";
import type { Traffic } from "../../ledger/traffic.ts";
import { STORE_TIMEOUT_MS } from "../../store-error.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { EVIDENCE } from "../evidence/evidence-page.tsx";
import { explainOutcome } from "../evidence/record-words.ts";
import { show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import type { Reader } from "../reader.ts";
import { writeTime } from "../times.ts";
import { BarPicture } from "./bar-picture.tsx";
import { readSpan, SPANS, type Span } from "./span.ts";
import { type Summary, summarise } from "./summary.ts";

const TRAFFIC = "/console/traffic";

export const trafficPage: Page = {
  path: TRAFFIC,
  menu: "Traffic",
  for: "readers",
  get: aboutInstitution("Traffic", showTraffic),
};

const SPAN_WORDS = { hour: "Last hour", day: "Last day", month: "Last month" } as const;

async function showTraffic(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c, now } = visit;
  const span = readSpan(c.req.query("span"), now);
  const traffic: Traffic = await askLedger(
    c.env,
    fi.id,
    (ledger) => ledger.traffic(span.from, span.to),
    STORE_TIMEOUT_MS,
  );
  const summary = summarise(traffic, span);
  const children = (
    <>
      <ChosenName visit={visit} fi={fi} path={TRAFFIC} />
      <nav aria-label="Span" class="tabs">
        <ul>
          {SPANS.map((name) => (
            <li>
              <a href={fi.link(TRAFFIC, { span: name })} aria-current={name === span.name ? "true" : undefined}>
                {SPAN_WORDS[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p class="muted">Since {writeTime(span.from)}: it is counted by hours and days of UTC.</p>
      {summary.requests === 0 ? (
        <section class="card">
          <h2>No requests</h2>
          <p>Nothing that leaves a record was asked for in this time.</p>
        </section>
      ) : (
        <>
          <section class="card">
            <h2>
              {count(summary.requests)} requests, {count(summary.refused)} of them not ok
            </h2>
            <BarPicture bars={summary.bars} step={span.step} />
          </section>
          <Endpoints summary={summary} />
          <Outcomes summary={summary} fi={fi} span={span} />
        </>
      )}
      <Psps summary={summary} fi={fi} span={span} />
    </>
  );
  return await show(visit, { title: "Traffic", children });
}

const count = (number: number): string => number.toLocaleString("en");

/** The bucket's upper bound. */
const time = (ms: number): string =>
  Number.isFinite(ms) ? `≤ ${count(ms)} ms` : `> ${count(LATENCY_BOUNDS_MS.at(-1) ?? 0)} ms`;

function Endpoints({ summary: { endpoints } }: { summary: Summary }) {
  return (
    <section class="card">
      <h2>By endpoint</h2>
      <section class="scroll" aria-label="Endpoints, one row each" tabindex={0}>
        <table>
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
        </table>
      </section>
    </section>
  );
}

interface LinkedProps {
  readonly summary: Summary;
  readonly fi: Chosen;
  readonly span: Span;
}

/** The days of a span, as the page of records is asked for them. */
const daysOf = ({ from, to }: Span) => ({ from: nameDay(from), to: nameDay(to - 1) });

function Outcomes({ summary: { outcomes, requests }, fi, span }: LinkedProps) {
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

const MAX_PSPS = 20;

function Psps({ summary: { psps }, fi, span }: LinkedProps) {
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
