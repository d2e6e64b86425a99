/**
 * `npm run cost`: on paper, what a million PSP checks and a million code-to-token flows cost at the platform's published
 * prices, from counted operations and measured processor times, beside other designs.
 */
import { ASSUMPTIONS } from "../simulate/assumptions.ts";
import { readInputs } from "../simulate/inputs.ts";
import { processorMs, readProcessorTimes } from "../simulate/processor-times.ts";
import type { Operation } from "../simulate/rounds.ts";
import { simulate } from "../simulate/run.ts";
import { shares } from "../simulate/tables.ts";
import { readCounted } from "./billed.ts";
import { dollars, METERS, PLAN_DOLLARS_PER_MONTH, PRICES, PRICES_READ_ON, totalDollars, type Usage } from "./prices.ts";
import {
  COST_ASSUMPTIONS,
  leaveOut,
  type Measured,
  ofCheckInKv,
  ofFlow,
  ofNewCertificate,
  ofRequest,
  type Shares,
  times,
} from "./usage.ts";

if (process.argv.includes("--help")) {
  console.log(`npm run cost

Prints what a million PSP checks and a million code-to-token flows cost at the platform's published prices, beside other
designs. It counts operations by test/worker/billed-operations.test.ts, and takes processor times from what
npm run simulate -- --bench FILE kept. It measures nothing and has no options.`);
  process.exit();
}

const MILLION = 1_000_000;
/** Until the platform has hibernated an object that nobody calls. */
const HIBERNATION_SECONDS = 10;
const LOG_EVENT_DOLLARS = 0.6 / MILLION;

const processorTimes = await readProcessorTimes();
const measured: Measured = {
  counted: await readCounted(),
  processorMs: (operation, state) => processorMs(processorTimes, operation, state),
};
const withoutLedger = leaveOut(measured, ["append", "head", "segment", "accountTag", "answer", "coldEvidence"]);
const samples = simulate(ASSUMPTIONS, await readInputs(processorTimes));
const met = (operation: Operation): Shares => shares(samples, operation);
const none: Shares = { warm: 0, unread: 0, cold: 1 };
const ended = samples.filter(({ operation, regionState }) => operation === "check" && regionState !== "warm").length;
const checks = samples.filter(({ operation }) => operation === "check").length;

print("A million PSP checks", {
  "this service": ofRequest("check", met("check"), measured, COST_ASSUMPTIONS),
  "without isolate memory": ofRequest("check", none, measured, COST_ASSUMPTIONS),
  "result and caller in KV": ofCheckInKv(ended / checks, measured, COST_ASSUMPTIONS),
  "seen certificates only": ofRequest("check", { warm: 1, unread: 0, cold: 0 }, measured, COST_ASSUMPTIONS),
  "new certificates only": ofNewCertificate(measured, COST_ASSUMPTIONS),
  "without a ledger": ofRequest("check", met("check"), withoutLedger, COST_ASSUMPTIONS),
});
print("A million code-to-token flows (code, redemption, and the end of what they leave)", {
  "this service": ofFlow([met("code"), met("redemption")], measured, COST_ASSUMPTIONS),
  "without isolate memory": ofFlow([none, none], measured, COST_ASSUMPTIONS),
  "without a ledger": ofFlow([met("code"), met("redemption")], withoutLedger, COST_ASSUMPTIONS),
});

console.log(
  `\nPrices of ${PRICES_READ_ON}, dollars; the plan costs ${PLAN_DOLLARS_PER_MONTH} a month and includes, apart from the above:`,
);
console.table(
  Object.fromEntries(
    METERS.map((meter) => {
      const { unit, dollars, per, included, source } = PRICES[meter];
      return [
        unit,
        { price: `$${dollars} per ${per.toLocaleString("en")}`, included: included.toLocaleString("en"), source },
      ];
    }),
  ),
);
const idle = HIBERNATION_SECONDS * COST_ASSUMPTIONS.objectGb * MILLION;
console.log(
  `Until 2026-11-30 logs cost $0.60 per million events beyond 20 million: $${(2 * MILLION * LOG_EVENT_DOLLARS).toFixed(2)} for the Worker's two of a million requests.`,
);
console.log(
  `An object that is idle is free by the platform's documentation. If its ${HIBERNATION_SECONDS} seconds until it hibernates were billed, a million codes would cost $${dollars("doGbSeconds", 2 * idle).toFixed(2)} more (issued, redeemed).`,
);
console.log(
  "\nCounted in workerd: test/cost/counted.json. Measured, with HTTP's work, which the platform does not bill:",
);
console.log(JSON.stringify(processorTimes));
console.log("Assumed:");
console.log(JSON.stringify({ ...COST_ASSUMPTIONS, endedInKv: ended / checks }));
console.table({ check: met("check"), code: met("code"), redemption: met("redemption") });
console.log(
  "The states are those of npm run simulate. Not counted: bytes stored in D1 and KV, fetches of revocation data, the minutely refresh.",
);

function print(title: string, designs: Record<string, Usage>): void {
  console.log(`\n${title}: dollars beyond what the plan includes`);
  const rows = METERS.map((meter) => [
    PRICES[meter].unit,
    Object.fromEntries(
      Object.entries(designs).map(([name, usage]) => [name, cell(meter, times(MILLION, usage)[meter])]),
    ),
  ]);
  const total = Object.entries(designs).map(([name, usage]) => [
    name,
    `$${totalDollars(times(MILLION, usage)).toFixed(2)}`,
  ]);
  console.table(Object.fromEntries([...rows, ["total", Object.fromEntries(total)]]));
  for (const [name, usage] of Object.entries(designs))
    console.log(`The plan includes each month, ${name}: ${allowance(usage)}`);
}

/** How many of them the plan includes each month, and which allowance ends first. */
function allowance(usage: Usage): string {
  const [first] = METERS.filter((meter) => usage[meter] > 0)
    .map((meter) => ({ meter, count: PRICES[meter].included / usage[meter] }))
    .toSorted((a, b) => a.count - b.count);
  return first
    ? `${(first.count / MILLION).toFixed(2)} million, until no more ${PRICES[first.meter].unit} are included`
    : "";
}

function cell(meter: keyof Usage, units: number): string {
  const quantity = units >= 1000 ? `${(units / MILLION).toFixed(2)} M` : units.toFixed(1);
  return units === 0 ? "" : `$${dollars(meter, units).toFixed(2)} (${quantity})`;
}
