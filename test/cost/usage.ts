/** What a number of requests uses of each meter: counted operations, measured processor time, and some assumptions. Pure. */
import type { Operation, State } from "../simulate/rounds.ts";
import { type Billed, type Counted, NO_BILL } from "./billed.ts";
import { METERS, type Usage } from "./prices.ts";

export const COST_ASSUMPTIONS = {
  /** A bank's isolate reports the bank's address to its object once a second: requests of a bank for each such report. */
  requestsPerReport: 5 / 3,
  /** A call of a Durable Object, until it can hibernate; then its duration is free. */
  objectCallMs: 10,
  objectGb: 0.128,
  /** At that rate most records travel alone: the recorder gathers them for 50 ms. */
  recordsPerAppend: 1,
  /** Heads are signed each minute of activity. */
  recordsPerHead: 100,
  recordsPerSegment: 4_096,
  /** Revocation answers change each hour or so, registers each day: so often an answer is based on something new. */
  requestsPerNewAnswer: 100,
  /** EVIDENCE_RETENTION_DAYS. */
  evidenceMonths: 84,
  /** The platform's own log of each call of a Worker or an object, and what it adds to each line. */
  platformLogBytes: 1_000,
} as const;

export type CostAssumptions = { readonly [Name in keyof typeof COST_ASSUMPTIONS]: number };

/** Shares of the requests that meet an isolate in these states; together 1. */
export type Shares = Record<Exclude<State, "withoutReadAhead">, number>;

export interface Measured {
  readonly counted: Counted;
  readonly processorMs: (operation: Operation, state: State) => number;
}

const nothing = (): Usage => Object.fromEntries(METERS.map((meter) => [meter, 0])) as Usage;

const add = (...usages: readonly Usage[]): Usage =>
  Object.fromEntries(METERS.map((meter) => [meter, usages.reduce((sum, one) => sum + one[meter], 0)])) as Usage;

export const times = (count: number, usage: Usage): Usage =>
  Object.fromEntries(METERS.map((meter) => [meter, count * usage[meter]])) as Usage;

/** Of the stores and the log. The platform logs each call of an object, too. */
function ofBilled(billed: Billed, assumptions: CostAssumptions): Usage {
  const { d1RowsRead, d1RowsWritten, kvKeysRead, doRequests, doRowsRead, doRowsWritten, logLines, logBytes } = billed;
  const { r2ClassA, r2ClassB, r2Bytes } = billed;
  return {
    ...nothing(),
    d1RowsRead,
    d1RowsWritten,
    kvKeysRead,
    doRequests,
    doRowsRead,
    doRowsWritten,
    r2ClassA,
    r2ClassB,
    r2GbMonths: (r2Bytes / 1e9) * assumptions.evidenceMonths,
    doGbSeconds: (doRequests * assumptions.objectCallMs * assumptions.objectGb) / 1000,
    logGb: (logBytes + (logLines + doRequests) * assumptions.platformLogBytes) / 1e9,
  };
}

/** One request of an operation that is recorded, with its part of the reports of source addresses. */
export function ofRequest(
  operation: Operation,
  shares: Shares,
  { counted, processorMs }: Measured,
  assumptions: CostAssumptions,
): Usage {
  const states = Object.entries(shares) as [keyof Shares, number][];
  const stores = states.map(([state, share]) =>
    times(share, ofBilled(counted.requests[operation][state], assumptions)),
  );
  const cpuMs = states.reduce((sum, [state, share]) => sum + share * processorMs(operation, state), 0);
  const own = { ...nothing(), requests: 1, cpuMs, logGb: assumptions.platformLogBytes / 1e9 };
  return add(
    own,
    ...stores,
    times(1 / assumptions.requestsPerReport, ofLater("report", counted, assumptions)),
    ofRecord(counted, assumptions),
    times(shares.cold, ofLater("coldEvidence", counted, assumptions)),
    times(1 / assumptions.requestsPerNewAnswer, ofLater("answer", counted, assumptions)),
  );
}

/** A record of a ledger, until it lies in R2. */
const ofRecord = (counted: Counted, assumptions: CostAssumptions): Usage =>
  add(
    times(1 / assumptions.recordsPerAppend, ofLater("append", counted, assumptions)),
    times(1 / assumptions.recordsPerHead, ofLater("head", counted, assumptions)),
    times(1 / assumptions.recordsPerSegment, ofLater("segment", counted, assumptions)),
  );

/** A check of a certificate that was never seen: also what it is based on is written. */
export const ofNewCertificate = (measured: Measured, assumptions: CostAssumptions): Usage =>
  add(
    ofRequest("check", { warm: 0, unread: 1, cold: 0 }, measured, { ...assumptions, requestsPerNewAnswer: Infinity }),
    ofLater("certificate", measured.counted, assumptions),
  );

/** As if these were never needed: `LEDGER_RECORDS = "off"`. */
export const leaveOut = ({ counted, ...rest }: Measured, names: readonly (keyof Counted["later"])[]): Measured => ({
  ...rest,
  counted: {
    ...counted,
    later: { ...counted.later, ...Object.fromEntries(names.map((name) => [name, NO_BILL])) },
  },
});

const ofLater = (what: keyof Counted["later"], counted: Counted, assumptions: CostAssumptions): Usage =>
  ofBilled(counted.later[what], assumptions);

/** A code and its token, until nothing of them is kept. */
export const ofFlow = (
  [code, redemption]: readonly [Shares, Shares],
  measured: Measured,
  assumptions: CostAssumptions,
): Usage =>
  add(
    ofRequest("code", code, measured, assumptions),
    ofRequest("redemption", redemption, measured, assumptions),
    ...(["codeAlarm", "tokenEnd", "permissionEnd", "accountTag"] as const).map((what) =>
      ofLater(what, measured.counted, assumptions),
    ),
  );

/**
 * The check if its result lay in KV instead of the isolate's memory, as would the caller's credentials: two keys are read
 * for each; where the result has ended, all that a check reads, and the result is written.
 */
export function ofCheckInKv(ended: number, measured: Measured, assumptions: CostAssumptions): Usage {
  const known = ofRequest("check", { warm: 1 - ended, unread: ended, cold: 0 }, measured, assumptions);
  return { ...known, kvKeysRead: known.kvKeysRead + 2, kvKeysWritten: ended };
}
