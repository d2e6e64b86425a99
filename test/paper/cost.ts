/**
 * What a number of requests costs at the platform's published prices on the Workers Paid plan, from counted operations and
 * measured processor times. Prices are of 2026-11-22, from the sources of the platform's documentation
 * (github.com/cloudflare/cloudflare-docs, which is what developers.cloudflare.com shows). Dollars, without tax. Pure.
 */
import { type Billed, type Counted, NO_BILL } from "../worker/costs/billed.ts";
import type { Operation } from "../worker/costs/rounds.ts";
import type { Met } from "./latency.ts";

export const ASSUMED_OF_COST = {
  /** A bank's isolate reports the bank's address to its object once a second: requests of a bank for each such report. */
  requestsPerReport: 5 / 3,
  /** A call of a Durable Object, until it can hibernate; then its duration is free. */
  objectCallMs: 10,
  objectGb: 0.128,
  /** At that rate most records travel alone: the recorder gathers them for 50 ms. Heads are signed each minute of activity. */
  recordsPerAppend: 1,
  recordsPerHead: 100,
  recordsPerSegment: 4_096,
  /** Revocation answers change each hour or so, registers each day: so often an answer is based on something new. */
  requestsPerNewAnswer: 100,
  /** EVIDENCE_RETENTION_DAYS. */
  evidenceMonths: 84,
  /** The platform's own log of each call of a Worker or an object, and what it adds to each line. */
  platformLogBytes: 1_000,
} as const;
export type AssumedOfCost = { readonly [Name in keyof typeof ASSUMED_OF_COST]: number };

const [MILLION, BILLION] = [1_000_000, 1_000_000_000];
/** Dollars for so many units, units in the plan each month, and the page below developers.cloudflare.com that says so. */
const price = (unit: string, dollars: number, per: number, included: number, page: string) => ({
  ...{ unit, dollars, per, included, source: `https://developers.cloudflare.com/${page}/` },
});
export const PRICES = {
  requests: price("Worker requests", 0.3, MILLION, 10 * MILLION, "workers/platform/pricing"),
  cpuMs: price("ms of processor time", 0.02, MILLION, 30 * MILLION, "workers/platform/pricing"),
  d1RowsRead: price("rows read in D1", 0.001, MILLION, 25 * BILLION, "d1/platform/pricing"),
  d1RowsWritten: price("rows written in D1", 1, MILLION, 50 * MILLION, "d1/platform/pricing"),
  kvKeysRead: price("keys read from KV", 0.5, MILLION, 10 * MILLION, "kv/platform/pricing"),
  kvKeysWritten: price("keys written to KV", 5, MILLION, MILLION, "kv/platform/pricing"),
  doRequests: price("Durable Object requests", 0.15, MILLION, MILLION, "durable-objects/platform/pricing"),
  doGbSeconds: price("GB-s of Durable Objects", 12.5, MILLION, 400_000, "durable-objects/platform/pricing"),
  doRowsRead: price("rows read in objects", 0.001, MILLION, 25 * BILLION, "durable-objects/platform/pricing"),
  doRowsWritten: price("rows written in objects", 1, MILLION, 50 * MILLION, "durable-objects/platform/pricing"),
  r2ClassA: price("writing calls of R2", 4.5, MILLION, MILLION, "r2/pricing"),
  r2ClassB: price("reading calls of R2", 0.36, MILLION, 10 * MILLION, "r2/pricing"),
  r2GbMonths: price("GB-months in R2", 0.015, 1, 10, "r2/pricing"),
  /** From 2026-12-01; until then $0.60 per million log events beyond 20 million. Seven days are kept. */
  logGb: price("GB of logs", 0.25, 1, 50, "observability/pricing"),
} as const;

export type Meter = keyof typeof PRICES;
export const METERS = Object.keys(PRICES) as Meter[];
export type Usage = Record<Meter, number>;

/** Beyond what the plan includes. */
export const dollars = (meter: Meter, units: number): number => (units / PRICES[meter].per) * PRICES[meter].dollars;
export const totalDollars = (usage: Usage): number =>
  METERS.reduce((sum, meter) => sum + dollars(meter, usage[meter]), 0);

const use = (of: (meter: Meter) => number): Usage => Object.fromEntries(METERS.map((one) => [one, of(one)])) as Usage;
const add = (...usages: readonly Usage[]): Usage => use((meter) => usages.reduce((sum, one) => sum + one[meter], 0));
export const times = (count: number, usage: Usage): Usage => use((meter) => count * usage[meter]);

/** Shares of the requests that meet an isolate in these states; together 1. */
export type Shares = Record<Met, number>;

/** `counted`: of what the platform bills. `processorMs`: of a request. */
export const makeCosts = (
  { requests, later }: Counted,
  processorMs: (operation: Operation, state: Met) => number,
  assumed: AssumedOfCost = ASSUMED_OF_COST,
) => {
  /** Of the stores and the log. The platform logs each call of an object, too. */
  const ofBilled = ({ logLines, logBytes, r2Bytes, ...billed }: Billed): Usage => ({
    ...use(() => 0),
    ...billed,
    r2GbMonths: (r2Bytes / 1e9) * assumed.evidenceMonths,
    doGbSeconds: (billed.doRequests * assumed.objectCallMs * assumed.objectGb) / 1000,
    logGb: (logBytes + (logLines + billed.doRequests) * assumed.platformLogBytes) / 1e9,
  });
  const ofLater = (what: keyof Counted["later"], share = 1): Usage => times(share, ofBilled(later[what]));
  /** One request of an operation that is recorded, until its record lies in R2, with its part of the reports of source addresses. */
  const ofRequest = (operation: Operation, shares: Shares, newAnswers = 1 / assumed.requestsPerNewAnswer): Usage => {
    const states = Object.entries(shares) as [Met, number][];
    const cpuMs = states.reduce((sum, [state, share]) => sum + share * processorMs(operation, state), 0);
    return add(
      { ...use(() => 0), requests: 1, cpuMs, logGb: assumed.platformLogBytes / 1e9 },
      ...states.map(([state, share]) => times(share, ofBilled(requests[operation][state]))),
      ofLater("report", 1 / assumed.requestsPerReport),
      ofLater("append", 1 / assumed.recordsPerAppend),
      ofLater("head", 1 / assumed.recordsPerHead),
      ofLater("segment", 1 / assumed.recordsPerSegment),
      ofLater("coldEvidence", shares.cold),
      ofLater("answer", newAnswers),
    );
  };
  return {
    ofRequest,
    /** A check of a certificate that was never seen: also what it is based on is written. */
    ofNewCertificate: (): Usage => add(ofRequest("check", { warm: 0, unread: 1, cold: 0 }, 0), ofLater("certificate")),
    /** A code and its token, until nothing of them is kept. */
    ofFlow: (code: Shares, redemption: Shares): Usage =>
      add(
        ofRequest("code", code),
        ofRequest("redemption", redemption),
        ...(["codeAlarm", "tokenEnd", "permissionEnd", "accountTag"] as const).map((what) => ofLater(what)),
      ),
    /**
     * The check if its result lay in KV instead of the isolate's memory, as would the caller's credentials: two keys are read
     * for each; where the result has ended, all that a check reads, and the result is written.
     */
    ofCheckInKv: (ended: number): Usage => {
      const known = ofRequest("check", { warm: 1 - ended, unread: ended, cold: 0 });
      return { ...known, kvKeysRead: known.kvKeysRead + 2, kvKeysWritten: ended };
    },
  };
};

/** As if these were never needed: `LEDGER_RECORDS = "off"`. */
export const leaveOut = (counted: Counted, names: readonly (keyof Counted["later"])[]): Counted => ({
  ...counted,
  later: { ...counted.later, ...Object.fromEntries(names.map((name) => [name, NO_BILL])) },
});
