/**
 * `npm run paper [-- --bench FILE]`: on paper, what a bank waits for, and what a million checks and flows cost, with all that is
 * assumed. `--bench FILE` first takes the processor times that `npm run bench -- --json FILE` measured.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Report } from "../bench/measure.ts";
import { COUNTED } from "../worker/costs/billed.ts";
import { OPERATIONS, type Operation } from "../worker/costs/rounds.ts";
import {
  ASSUMED_OF_COST,
  dollars,
  leaveOut,
  METERS,
  makeCosts,
  PRICES,
  type Shares,
  times,
  totalDollars,
  type Usage,
} from "./cost.ts";
import { ASSUMED, DESIGNS, type Design, type Met, type ProcessorTimes, type Sample, simulate } from "./latency.ts";

const FILE = join(import.meta.dirname, "processor-times.json");
const MILLION = 1_000_000;

/** By the bench's names. An operation that it does not measure takes the time of the one that is most like it. */
const [BARE, SEEN, NEW] = ["bare: a JSON route", "seen certificate", "new certificate, revocation cached"] as const;
/** A bare check of a new certificate; and one that writes as much to R2, which locally is JavaScript in the same process. */
const [VERIFY, KEPT] = ["bare: parse, and the same two signatures", "bare: the same, and one object of R2"] as const;
type Measured = readonly [route: string, bare: string];
const ISSUE: Measured = ["code issue", "bare: one DO write"];
const REDEMPTION: Measured = ["redemption with token insert", "bare: one DO read and write, one D1 insert"];
const MEASURED: Record<Operation, Measured> = {
  ...{ check: [SEEN, BARE], checkAbroad: [SEEN, BARE], ccgToken: ["CCG token", BARE] },
  ...{ code: ISSUE, obieCode: ISSUE, redemption: REDEMPTION, obieRedemption: REDEMPTION },
  consent: ["consent create", "bare: one D1 insert"],
  consentInformation: ["consent read", "bare: one D1 read"],
  tokenInformation: ["token information", "bare: one D1 read"],
  tokenList: ["token list of 20", "bare: one D1 read of 20 rows"],
  introspection: ["introspection", "bare: one D1 read"],
};
const CHECKING: readonly Operation[] = ["check", "checkAbroad", "code", "redemption", "ccgToken", "introspection"];

const { values } = parseArgs({ options: { bench: { type: "string" }, help: { type: "boolean" } } });
if (values.help) {
  console.log("npm run paper [-- --bench FILE]: FILE is of npm run bench -- --json FILE; its times are kept");
  process.exit();
}
const kept = await readTimes(values.bench);

/**
 * Of one request, without the local stores: of the route, less what the bare route with the same stores takes above a bare one
 * without any. A certificate that the isolate does not remember costs what a new one costs above a seen one, less the local R2.
 */
function processorMs(operation: Operation, state: Met): number {
  const of = (name: string): number => (kept.microseconds[name] ?? Number.NaN) / 1000;
  const [route, bare] = MEASURED[operation];
  // times of 0.3.0, which wrote nothing to R2, have none of it
  const writing = KEPT in kept.microseconds ? of(KEPT) - of(VERIFY) : 0;
  const checked = state !== "warm" && CHECKING.includes(operation) ? of(NEW) - writing - of(SEEN) : 0;
  return of(route) - (of(bare) - of(BARE)) + checked;
}

async function readTimes(report: string | undefined) {
  const old = JSON.parse(await readFile(FILE, "utf8")) as {
    readonly microseconds: Readonly<Record<string, number>>;
    readonly start: {
      readonly milliseconds: number;
      readonly firstMilliseconds: { check: number; redemption: number };
    };
  };
  if (report === undefined) return old;
  const { groups, ...run } = JSON.parse(await readFile(report, "utf8")) as Report;
  const routes = new Map(
    groups.flatMap((group) => group.routes.map((route) => [route.name, route.microseconds.median])),
  );
  const used = [...new Set([...Object.values(MEASURED).flat(), NEW, BARE, VERIFY, KEPT])];
  const missing = used.filter((name) => !routes.has(name));
  if (missing.length > 0)
    throw new Error(`not measured: ${missing.join("; ")}. npm run bench -- --json FILE without --only`);
  const microseconds = Object.fromEntries(used.map((name) => [name, Math.round(routes.get(name) ?? 0)]));
  const taken = { run, microseconds, start: old.start };
  await writeFile(FILE, `${JSON.stringify(taken, null, 2)}\n`);
  return taken;
}

const processor: ProcessorTimes = {
  request: processorMs,
  start: kept.start.milliseconds,
  // what is not a check is taken as a redemption
  first: (operation) => kept.start.firstMilliseconds[/^check/.test(operation) ? "check" : "redemption"],
};
const samples = simulate(processor);
const of = (operation: Operation, among = samples) => among.filter((sample) => sample.operation === operation);

/** p50 / p99 by the nearest rank. */
function percentiles(own: readonly Sample[], design: Design): string {
  const sorted = own.map(({ ms }) => ms[design]).toSorted((a, b) => a - b);
  return [0.5, 0.99].map((share) => sorted[Math.ceil(share * sorted.length) - 1]?.toFixed(1)).join(" / ");
}
const row = (own: readonly Sample[]): Record<string, string> =>
  Object.fromEntries((Object.keys(DESIGNS) as Design[]).map((design) => [DESIGNS[design], percentiles(own, design)]));

console.log("Simulated, not measured. Milliseconds until a bank in one of ten cities has its answer, p50 / p99.");
const operations = Object.entries(OPERATIONS) as [Operation, string][];
console.table(Object.fromEntries(operations.map(([operation, name]) => [name, row(of(operation))])));

const met = (operation: Operation): Shares => {
  const own = of(operation);
  const share = (state: Met) => own.filter((sample) => sample.state === state).length / own.length;
  return { warm: share("warm"), unread: share("unread"), cold: share("cold") };
};
console.log("\nShares of the requests that met an isolate which knew caller and PSP, the caller only, neither");
console.table({ check: met("check"), code: met("code"), redemption: met("redemption") });

const own = makeCosts(COUNTED, processorMs);
const offline = leaveOut(COUNTED, ["append", "head", "segment", "accountTag", "answer", "coldEvidence"]);
const withoutLedger = makeCosts(offline, processorMs);
const none: Shares = { warm: 0, unread: 0, cold: 1 };
const ended = of("check").filter(({ regionState }) => regionState !== "warm").length / of("check").length;
printCosts("A million PSP checks", {
  "this service": own.ofRequest("check", met("check")),
  "without isolate memory": own.ofRequest("check", none),
  "result and caller in KV": own.ofCheckInKv(ended),
  "new certificates only": own.ofNewCertificate(),
  "without a ledger": withoutLedger.ofRequest("check", met("check")),
});
printCosts("A million code-to-token flows (code, redemption, and the end of what they leave)", {
  "this service": own.ofFlow(met("code"), met("redemption")),
  "without isolate memory": own.ofFlow(none, none),
  "without a ledger": withoutLedger.ofFlow(met("code"), met("redemption")),
});

function printCosts(title: string, designs: Record<string, Usage>): void {
  const cell = (meter: keyof Usage, units: number): string =>
    units === 0 ? "" : `$${dollars(meter, units).toFixed(2)} (${(units / MILLION).toFixed(2)} M)`;
  const line = (of: (usage: Usage) => string) =>
    Object.fromEntries(Object.entries(designs).map(([name, usage]) => [name, of(times(MILLION, usage))]));
  const rows = METERS.map((meter) => [PRICES[meter].unit, line((usage) => cell(meter, usage[meter]))]);
  console.log(`\n${title}: dollars beyond what the plan includes`);
  console.table(Object.fromEntries([...rows, ["total", line((usage) => `$${totalDollars(usage).toFixed(2)}`)]]));
}

console.log("\nPrices of 2026-11-22; the plan costs $5 a month");
console.table(PRICES);
console.log("Measured processor times, with HTTP's work:", JSON.stringify(kept));
console.log("Counted in workerd: test/worker/costs/. Assumed, as test/paper/ tells:", {
  ...ASSUMED,
  ...ASSUMED_OF_COST,
});
console.log(
  "Not modelled: lost packets, congestion, outages, TLS handshakes, queues; bytes stored in D1 and KV, the refresh.",
);
