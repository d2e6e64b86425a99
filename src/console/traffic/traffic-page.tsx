/** /console/traffic: requests, refusals and times of an institution, from its ledger's own counters. */

import { askLedger } from "../../evidence/ledger/ask-ledger.ts";
import type { TrafficCount } from "../../evidence/ledger/traffic.ts";
import type { Instant } from "../../platform/instant.ts";
import { STORE_TIMEOUT_MS } from "../../platform/stores.ts";
import { aboutInstitution, type Chosen, ChosenName } from "../chosen-institution.tsx";
import { Time } from "../elements.tsx";
import { show } from "../frame.tsx";
import { AsFile, readFormat, sendList } from "../list-file.tsx";
import type { Page, Reader, Visit } from "../page.ts";
import { OPERATE, READ } from "../roles.ts";
import { writeDay, writeTime } from "../wording.ts";
import { CountedCard, EndpointsCard, OutcomesCard } from "./cards.tsx";
import type { Bar, Span } from "./summary.ts";
import { count, readSpan, SPANS, summarise } from "./summary.ts";
import { requestList } from "./traffic-lists.ts";

const TRAFFIC = "/console/traffic";

export const trafficPage: Page = {
  path: TRAFFIC,
  menu: "Traffic",
  // a bank's people find it from the evidence
  inMenuOf: OPERATE,
  roles: READ,
  get: aboutInstitution("Traffic", showTraffic),
};

const SPAN_WORDS = { hour: "Last hour", day: "Last day", month: "Last month" } as const;

async function showTraffic(visit: Visit<Reader>, fi: Chosen): Promise<Response> {
  const { c, now } = visit;
  const span = readSpan(c.req.query("span"), now);
  const counts: TrafficCount[] = await askLedger(
    c.env,
    fi.id,
    (ledger) => ledger.counts(span.from, span.to),
    STORE_TIMEOUT_MS,
  );
  const format = readFormat(c.req.query());
  if (format) return await sendList(visit, fi, requestList(counts), format);
  const summary = summarise(counts, span);
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
        Since <Time at={span.from} />, by hours and days of UTC. <a href="#counted">Which requests are counted</a>
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
              {count(summary.requests)} requests with a record, {count(summary.refused)} of them refused or not ok
            </h2>
            <BarPicture bars={summary.bars} step={span.step} />
          </section>
          <AsFile link={(as) => fi.link(TRAFFIC, { span: span.name, ...as })} what="counts" />
          <EndpointsCard summary={summary} />
          <OutcomesCard summary={summary} fi={fi} span={span} />
        </>
      )}
      <CountedCard env={c.env} />
    </>
  );
  return await show(visit, { title: "Traffic", children });
}

const HEIGHT = 96;
const [BAR, GAP] = [20, 6];

const nameOf = (start: Instant, step: Span["step"]): string => (step === "day" ? writeDay(start) : writeTime(start));

function BarPicture({ bars, step }: { bars: readonly Bar[]; step: Span["step"] }) {
  const most = bars.reduce((max, { requests }) => Math.max(max, requests), 1);
  const busiest = bars.find(({ requests }) => requests === most);
  const width = bars.length * (BAR + GAP);
  const heightOf = (requests: number) => (requests / most) * HEIGHT;
  const label = `Requests by ${step}: at most ${most.toLocaleString("en")}, ${step === "day" ? "on" : "from"} ${nameOf(busiest?.start ?? 0, step)} on`;
  const [first, last] = [bars[0], bars.at(-1)];
  return (
    <>
      <svg class="bars" viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        {bars.map(({ requests, refused }, i) => (
          <>
            <rect
              x={i * (BAR + GAP)}
              y={HEIGHT - heightOf(requests)}
              width={BAR}
              height={heightOf(requests)}
              class="all"
            />
            <rect
              x={i * (BAR + GAP)}
              y={HEIGHT - heightOf(refused)}
              width={BAR}
              height={heightOf(refused)}
              class="no"
            />
          </>
        ))}
      </svg>
      {first && last && (
        <p class="muted small ends">
          <span>{nameOf(first.start, step)}</span>
          <span>below, in red: refused or not ok</span>
          <span>{nameOf(last.start, step)}</span>
        </p>
      )}
    </>
  );
}
