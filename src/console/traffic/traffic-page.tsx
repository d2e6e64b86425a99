/** /console/traffic: requests, refusals and times of an institution, from its ledger's own counters. */
import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import type { Traffic } from "../../evidence/ledger/traffic.ts";
import { STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { show } from "../frame.tsx";
import type { Page, Visit } from "../page.ts";
import type { Reader } from "../reader.ts";
import { writeTime } from "../times.ts";
import { BarPicture } from "./bar-picture.tsx";
import { CountedCard } from "./counted-card.tsx";
import { EndpointsCard } from "./endpoints-card.tsx";
import { OutcomesCard } from "./outcomes-card.tsx";
import { PspsCard } from "./psps-card.tsx";
import { readSpan, SPANS } from "./span.ts";
import { count, summarise } from "./summary.ts";

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
      <p class="muted">
        Since {writeTime(span.from)}, by hours and days of UTC. <a href="#counted">Which requests are counted</a>
      </p>
      {summary.requests === 0 ? (
        <section class="card">
          <h2>No requests</h2>
          <p>
            {c.env.LEDGER_RECORDS === "off"
              ? "The service keeps no records at present, so nothing is counted."
              : "Nothing that leaves a record was asked for in this time."}
          </p>
        </section>
      ) : (
        <>
          <section class="card">
            <h2>
              {count(summary.requests)} requests with a record, {count(summary.refused)} of them not ok
            </h2>
            <BarPicture bars={summary.bars} step={span.step} />
          </section>
          <EndpointsCard summary={summary} />
          <OutcomesCard summary={summary} fi={fi} span={span} />
        </>
      )}
      <PspsCard summary={summary} fi={fi} span={span} />
      <CountedCard env={c.env} />
    </>
  );
  return await show(visit, { title: "Traffic", children });
}
