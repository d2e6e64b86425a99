/** The chart: for each bank, from the median to the 99th percentile, by design. SVG, in the colours of the reader's theme. */
import { ASSUMPTIONS, D1_HOMES, type D1Home } from "./assumptions.ts";
import { percentile } from "./percentile.ts";
import { BANK_CITIES } from "./places.ts";
import { OPERATIONS, type Operation } from "./rounds.ts";
import { DESIGNS, type Design, type Sample } from "./run.ts";

const SHOWN: readonly Operation[] = ["check", "redemption"];
const CHARTED: readonly Design[] = ["edge", "withoutReadAhead", "region"];
const HOMES = Object.keys(D1_HOMES) as D1Home[];
const [WIDTH, LEFT, TOP, ROW, LANE] = [920, 84, 92, 26, 6];
const PANEL_WIDTH = 390;
const PANEL_GAP = 34;
const PANEL_HEIGHT = BANK_CITIES.length * ROW;
const BLOCK = PANEL_HEIGHT + 74;
/** The axis's end, in milliseconds, and its lines. */
const AXIS_MS = 200;
const LINES_MS = [0, 50, 100, 150, 200];

const STYLE = `
  svg { font: 12px system-ui, sans-serif }
  .ground { fill: #fff } text { fill: #1f2328 } .quiet { fill: #59636e } .grid { stroke: #d1d9e0 }
  .edge { stroke: #0969da; fill: #0969da } .withoutReadAhead { stroke: #bc4c00; fill: #bc4c00 } .region { stroke: #59636e; fill: #59636e }
  .title { font-weight: 600; font-size: 14px }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #f0f6fc } .quiet { fill: #9198a1 } .grid { stroke: #3d444d }
    .edge { stroke: #4493f8; fill: #4493f8 } .withoutReadAhead { stroke: #db6d28; fill: #db6d28 } .region { stroke: #9198a1; fill: #9198a1 }
  }`;

const at = (ms: number): string => ((Math.min(ms, AXIS_MS) / AXIS_MS) * PANEL_WIDTH).toFixed(1);

/** A thin line from the median (dot) to the 99th percentile (bar); an arrow where that is beyond the axis. */
function lane(design: Design, values: readonly number[], y: number): string {
  const [median, high] = [percentile(values, 0.5), percentile(values, 0.99)];
  const end = high > AXIS_MS ? `M${at(high)} ${y - 3}l4 3l-4 3z` : `M${at(high)} ${y - 3}v6`;
  return `<g class="${design}"><circle cx="${at(median)}" cy="${y}" r="3" stroke="none"/><path d="M${at(median)} ${y}H${at(high)}${end}" stroke-width="1.5"/></g>`;
}

function panel(samples: readonly Sample[], home: D1Home, x: number, y: number, named: boolean): string {
  const grid = LINES_MS.map(
    (ms) =>
      `<path class="grid" d="M${at(ms)} 0V${PANEL_HEIGHT}"/><text class="quiet" x="${at(ms)}" y="${PANEL_HEIGHT + 16}" text-anchor="middle">${ms}</text>`,
  );
  const rows = BANK_CITIES.flatMap(({ name }, i) => {
    const own = samples.filter(({ bank }) => bank === name);
    const middle = i * ROW + ROW / 2;
    const lanes = CHARTED.map((design, n) =>
      lane(
        design,
        own.map(({ ms }) => ms[home][design]),
        middle + (n - 1) * LANE,
      ),
    );
    return named ? [`<text x="-8" y="${middle + 4}" text-anchor="end">${name}</text>`, ...lanes] : lanes;
  });
  return `<g transform="translate(${x} ${y})"><text class="quiet" y="-8">${home}</text>${grid.join("")}${rows.join("")}</g>`;
}

export function drawChart(samples: readonly Sample[]): string {
  const legend = CHARTED.map(
    (design, i) =>
      `<g transform="translate(${LEFT + i * 170} 44)"><circle class="${design}" cx="4" cy="-4" r="4"/><text x="14">${DESIGNS[design]}</text></g>`,
  );
  const panels = SHOWN.flatMap((operation, block) => {
    const own = samples.filter((sample) => sample.operation === operation);
    const y = TOP + block * BLOCK;
    const title = `<text class="title" x="${LEFT}" y="${y - 26}">${OPERATIONS[operation]}</text>`;
    return [title, ...HOMES.map((home, i) => panel(own, home, LEFT + i * (PANEL_WIDTH + PANEL_GAP), y, i === 0))];
  });
  const height = TOP + SHOWN.length * BLOCK;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="t">
<title id="t">Simulated milliseconds of a PSP check and a code redemption for banks in ten cities</title>
<style>${STYLE}</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
<text class="title" x="${LEFT}" y="22">Simulated, not measured: milliseconds until a bank has its answer, p50 (dot) to p99 (bar)</text>
${legend.join("\n")}
<text class="quiet" x="${LEFT + 530}" y="44">seed ${ASSUMPTIONS.seed}; ${ASSUMPTIONS.freshShare * 100} % of requests meet a new isolate</text>
${panels.join("\n")}
</svg>
`;
}
