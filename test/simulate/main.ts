/**
 * `npm run simulate [-- --seed N] [--fresh SHARE] [--operation NAME] [--json FILE] [--bench FILE]...`: on paper, what a bank
 * waits for. Lays the counted rounds over distances, with measured processor times, beside the same service as one
 * region's server, without read-ahead, and with callers in the location's cache. Writes the chart `latency.svg` when nothing else is asked.
 * `--bench FILE` first takes the processor times that `npm run bench -- --json FILE` measured.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ASSUMPTIONS, D1_HOMES, type D1Home, KV_CENTRAL, MIX } from "./assumptions.ts";
import { drawChart } from "./chart.ts";
import { readInputs } from "./inputs.ts";
import { keepReports, readProcessorTimes } from "./processor-times.ts";
import { OPERATIONS, type Operation } from "./rounds.ts";
import { simulate } from "./run.ts";
import { byBank, byOperation, shares } from "./tables.ts";

const HELP = `npm run simulate -- [options]

Prints what a bank waits for, computed from counted rounds, distances and measured processor times. Without options it
writes the chart latency.svg, too.

  --bench FILE      first take the processor times that npm run bench -- --json FILE measured; may be repeated
  --seed N          of the random numbers (${ASSUMPTIONS.seed})
  --fresh SHARE     of requests that meet a new isolate, from 0 to 1 (${ASSUMPTIONS.freshShare})
  --operation NAME  only ${Object.keys(OPERATIONS).join(", ")}
  --json FILE       write the samples there`;
const CHART = join(import.meta.dirname, "latency.svg");
const OTHER_FRESH_SHARES = [0.01, 0.1, 0.5];

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(ASSUMPTIONS.seed) },
    fresh: { type: "string", default: String(ASSUMPTIONS.freshShare) },
    operation: { type: "string" },
    json: { type: "string" },
    bench: { type: "string", multiple: true },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const [seed, freshShare] = [Number(values.seed), Number(values.fresh)];
if (!Number.isInteger(seed)) throw new Error(`--seed ${values.seed}: a whole number is expected`);
if (!(freshShare >= 0 && freshShare <= 1)) throw new Error(`--fresh ${values.fresh}: a share from 0 to 1 is expected`);
const names = Object.keys(OPERATIONS) as Operation[];
const asked = names.find((name) => name === values.operation);
if (values.operation !== undefined && !asked)
  throw new Error(`--operation ${values.operation}: there are ${names.join(", ")}`);

const times = values.bench === undefined ? await readProcessorTimes() : await keepReports(values.bench);
const inputs = await readInputs(times);
const assumptions = { ...ASSUMPTIONS, seed, freshShare };
const samples = simulate(assumptions, inputs);
if (values.json !== undefined) await writeFile(values.json, JSON.stringify({ assumptions, times, samples }));

console.log("Simulated, not measured. Milliseconds until the bank has its answer, p50 / p99.");
for (const operation of asked ? [asked] : (["check", "redemption", "tokenInformation"] as const))
  for (const home of Object.keys(D1_HOMES) as D1Home[]) {
    console.log(`\n${OPERATIONS[operation]}, ${home} (${D1_HOMES[home]})`);
    console.table(byBank(samples, operation, home));
  }
console.log("\nAll banks");
console.table(byOperation(samples));

console.log("\nPSP check of all banks, by the share of requests that meet a new isolate");
console.table(
  Object.fromEntries(
    OTHER_FRESH_SHARES.map((share) => {
      const other = share === freshShare ? samples : simulate({ ...assumptions, freshShare: share }, inputs);
      return [`${share * 100} %`, byOperation(other)[OPERATIONS.check]];
    }),
  ),
);
console.log("\nShare of the requests that met an isolate which knew caller and PSP, the caller only, neither");
const rounded = (share: number) => Number(share.toFixed(2));
console.table(
  Object.fromEntries(
    names.map((name) => {
      const { warm, unread, cold } = shares(samples, name);
      return [OPERATIONS[name], { warm: rounded(warm), unread: rounded(unread), cold: rounded(cold) }];
    }),
  ),
);

console.log(
  "\nMeasured: the rounds (test/worker/costs/round-trip-table.test.ts), and the processor times of workerd (less its local stores):",
);
console.log(JSON.stringify(times));
console.log(
  "\nAssumed: light in fibre at 200,000 km/s on ways 1.5 times the great circle; connections of banks are open;",
);
console.log(
  `KV's central stores in ${KV_CENTRAL.join(" and ")}; a code's object at the hub nearest to where it was issued;`,
);
console.log(`of a bank's requests, redemptions aside: ${JSON.stringify(MIX)}; and (test/simulate/assumptions.ts)`);
console.table(assumptions);
console.log("Not modelled: lost packets, congestion, outages, TLS handshakes, queues at a store or an isolate.");
if (seed === ASSUMPTIONS.seed && freshShare === ASSUMPTIONS.freshShare) {
  await writeFile(CHART, drawChart(samples));
  console.log(`\nChart: ${CHART}`);
}
