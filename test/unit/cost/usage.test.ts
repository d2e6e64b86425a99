/** Costs, where a hand can compute them. */
import { expect, test } from "vitest";
import { type Billed, type Counted, NO_BILL, readCounted } from "../../cost/billed.ts";
import { dollars, METERS, PRICES, totalDollars } from "../../cost/prices.ts";
import {
  type CostAssumptions,
  leaveOut,
  type Measured,
  ofCheckInKv,
  ofFlow,
  ofNewCertificate,
  ofRequest,
  times,
} from "../../cost/usage.ts";

const states = (warm: Partial<Billed>, cold: Partial<Billed>) => ({
  warm: { ...NO_BILL, ...warm },
  unread: { ...NO_BILL, ...cold },
  cold: { ...NO_BILL, ...cold },
});
const COUNTED = {
  requests: {
    check: states({ logLines: 1, logBytes: 500 }, { logLines: 1, logBytes: 500, kvKeysRead: 10, d1RowsRead: 3 }),
    code: states({ doRequests: 1, doRowsWritten: 2 }, { doRequests: 1, doRowsWritten: 2 }),
    redemption: states({ d1RowsWritten: 7, doRequests: 1 }, { d1RowsWritten: 7, doRequests: 1 }),
  },
  later: {
    report: { ...NO_BILL, doRequests: 1, doRowsWritten: 2 },
    codeAlarm: { ...NO_BILL, doRequests: 1, doRowsWritten: 1 },
    tokenEnd: { ...NO_BILL, d1RowsWritten: 1 },
    permissionEnd: { ...NO_BILL, d1RowsWritten: 1 },
    ...{ append: NO_BILL, head: NO_BILL, segment: NO_BILL, accountTag: NO_BILL },
    ...{ certificate: NO_BILL, answer: NO_BILL, coldEvidence: NO_BILL },
  },
} as unknown as Counted;
const MEASURED: Measured = { counted: COUNTED, processorMs: (_, state) => (state === "warm" ? 1 : 2) };
const ASSUMED: CostAssumptions = {
  ...{ requestsPerReport: 4, objectCallMs: 10, objectGb: 0.125, platformLogBytes: 1_000 },
  ...{
    recordsPerAppend: 2,
    recordsPerHead: 100,
    recordsPerSegment: 1_000,
    requestsPerNewAnswer: 50,
    evidenceMonths: 10,
  },
};

test("a million checks, half of them warm", () => {
  const usage = times(1_000_000, ofRequest("check", { warm: 0.5, unread: 0.25, cold: 0.25 }, MEASURED, ASSUMED));
  expect(usage).toMatchObject({
    requests: 1_000_000,
    cpuMs: 1_500_000,
    kvKeysRead: 5_000_000,
    d1RowsRead: 1_500_000,
    // every fourth request brings a report: one call and two rows
    doRequests: 250_000,
    doRowsWritten: 500_000,
    d1RowsWritten: 0,
  });
  expect(usage.doGbSeconds).toBeCloseTo(250_000 * 0.01 * 0.125, 6);
  // the line and its envelope, the platform's own of the Worker, and that of each report
  expect(usage.logGb).toBeCloseTo(1.5 + 1 + 0.25, 6);
  // 0.30 + 0.03 + 2.50 + 0.0015 + 0.0375 + 0.50 + 312.5 GB-s + 2.75 GB
  expect(totalDollars(usage)).toBeCloseTo(0.3 + 0.03 + 2.5 + 0.0015 + 0.0375 + 0.5 + 0.00390625 + 0.6875, 6);
});

test("a flow is a code, its redemption, and the end of what they leave", () => {
  const warm = { warm: 1, unread: 0, cold: 0 };
  expect(ofFlow([warm, warm], MEASURED, ASSUMED)).toMatchObject({
    requests: 2,
    cpuMs: 2,
    // two calls, the alarm, and two reports of four
    doRequests: 3.5,
    doRowsWritten: 2 + 1 + 2 * 0.5,
    d1RowsWritten: 9,
  });
});

test("a record is appended with others, signed each minute, moved to R2; what is new for an answer is written", () => {
  const later = {
    ...COUNTED.later,
    append: { ...NO_BILL, doRequests: 1, doRowsWritten: 3 },
    head: { ...NO_BILL, doRequests: 1, doRowsWritten: 5 },
    segment: { ...NO_BILL, r2ClassA: 2, r2Bytes: 100_000, doRowsWritten: 10 },
    answer: { ...NO_BILL, r2ClassA: 1, r2ClassB: 1, r2Bytes: 5_000 },
    certificate: { ...NO_BILL, r2ClassA: 2, r2ClassB: 2, r2Bytes: 8_000 },
    coldEvidence: { ...NO_BILL, r2ClassB: 6 },
  };
  const measured = { ...MEASURED, counted: { ...COUNTED, later } };
  const shares = { warm: 0.5, unread: 0.25, cold: 0.25 };
  const usage = times(1_000_000, ofRequest("check", shares, measured, ASSUMED));
  // beside those of the reports
  expect(usage.doRequests).toBeCloseTo(250_000 + 500_000 + 10_000, 3);
  expect(usage.doRowsWritten).toBeCloseTo(500_000 + 1_500_000 + 50_000 + 10_000, 3);
  expect(usage.r2ClassA).toBeCloseTo(2_000 + 20_000, 3);
  expect(usage.r2ClassB).toBeCloseTo(20_000 + 1_500_000, 3);
  // 100 MB of segments and 100 MB of answers, for ten months
  expect(usage.r2GbMonths).toBeCloseTo(2, 6);
  const fresh = times(1_000_000, ofNewCertificate(measured, ASSUMED));
  expect([fresh.r2ClassA, fresh.r2ClassB].map(Math.round)).toEqual([2_002_000, 2_000_000]);
  const without = leaveOut(measured, ["append", "head", "segment", "answer", "coldEvidence"]);
  expect(ofRequest("check", shares, without, ASSUMED)).toEqual(ofRequest("check", shares, MEASURED, ASSUMED));
});

test("a check in KV reads two keys, and all of them and writes one where its result has ended", () => {
  const usage = ofCheckInKv(0.1, MEASURED, ASSUMED);
  expect(usage.kvKeysRead).toBeCloseTo(2 + 0.1 * 10, 9);
  expect(usage).toMatchObject({ kvKeysWritten: 0.1, requests: 1 });
});

test("each meter has a price, an allowance and a page of the platform's documentation", () => {
  for (const meter of METERS) {
    expect(dollars(meter, PRICES[meter].per)).toBe(PRICES[meter].dollars);
    expect(PRICES[meter].included).toBeGreaterThan(0);
    expect(PRICES[meter].source).toMatch(/^https:\/\/developers\.cloudflare\.com\/[\w/-]+\/pricing\/(#workers)?$/);
  }
});

test("what was counted: a seen certificate asks no store, a redemption writes", async () => {
  const { requests } = await readCounted();
  expect(requests.check.warm).toMatchObject({ d1RowsRead: 0, kvKeysRead: 0, doRequests: 0, logLines: 1 });
  expect(requests.redemption.warm.d1RowsWritten).toBeGreaterThan(0);
});
