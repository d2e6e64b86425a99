/** Costs, where a hand can compute them. */
import { expect, test } from "vitest";
import type { Billed, Counted } from "../../cost/billed.ts";
import { readCounted } from "../../cost/billed.ts";
import { dollars, METERS, PRICES, totalDollars } from "../../cost/prices.ts";
import { type CostAssumptions, type Measured, ofCheckInKv, ofFlow, ofRequest, times } from "../../cost/usage.ts";

const NOTHING: Billed = {
  d1RowsRead: 0,
  d1RowsWritten: 0,
  kvKeysRead: 0,
  doRequests: 0,
  doRowsRead: 0,
  doRowsWritten: 0,
  logLines: 0,
  logBytes: 0,
};
const states = (warm: Partial<Billed>, cold: Partial<Billed>) => ({
  warm: { ...NOTHING, ...warm },
  unread: { ...NOTHING, ...cold },
  cold: { ...NOTHING, ...cold },
});
const COUNTED = {
  requests: {
    check: states({ logLines: 1, logBytes: 500 }, { logLines: 1, logBytes: 500, kvKeysRead: 10, d1RowsRead: 3 }),
    code: states({ doRequests: 1, doRowsWritten: 2 }, { doRequests: 1, doRowsWritten: 2 }),
    redemption: states({ d1RowsWritten: 7, doRequests: 1 }, { d1RowsWritten: 7, doRequests: 1 }),
  },
  later: {
    report: { ...NOTHING, doRequests: 1, doRowsWritten: 2 },
    codeAlarm: { ...NOTHING, doRequests: 1, doRowsWritten: 1 },
    tokenEnd: { ...NOTHING, d1RowsWritten: 1 },
    permissionEnd: { ...NOTHING, d1RowsWritten: 1 },
  },
} as unknown as Counted;
const MEASURED: Measured = { counted: COUNTED, processorMs: (_, state) => (state === "warm" ? 1 : 2) };
const ASSUMED: CostAssumptions = { requestsPerReport: 4, objectCallMs: 10, objectGb: 0.125, platformLogBytes: 1_000 };

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
