/** The arithmetic on paper (test/paper/), where a hand can compute it. */
import { expect, test } from "vitest";
import { leaveOut, makeCosts, times, totalDollars } from "../../paper/cost.ts";
import { simulate } from "../../paper/latency.ts";
import { BANKS, confirmationMs, distanceKm, LOCATIONS } from "../../paper/places.ts";
import { type Billed, COUNTED, type Counted, NO_BILL } from "../../worker/costs/billed.ts";

test("distances, and a write that is durable when the third nearest other hub has it: Frankfurt's is Paris", () => {
  const [frankfurt, paris] = ["Frankfurt", "Paris"].map((city) => LOCATIONS.find(({ name }) => name === city));
  if (!frankfurt || !paris) throw new Error("a city is missing");
  expect(distanceKm(frankfurt, paris)).toBeCloseTo(478, -1);
  expect(confirmationMs(frankfurt)).toBeCloseTo((2 * distanceKm(frankfurt, paris) * 1.5) / 200, 6);
  expect([LOCATIONS.length, new Set(LOCATIONS.map(({ name }) => name)).size, BANKS.length]).toEqual([100, 100, 10]);
});

test("a run is the same each time; read-ahead saves a round where the caller is not known, and changes nothing elsewhere", () => {
  const processor = { request: () => 1, start: 5, first: () => 20 };
  const samples = simulate(processor);
  expect(simulate(processor)).toEqual(samples);
  for (const { state, operation, ms } of samples) {
    const { edge, withoutReadAhead } = ms;
    if (state !== "cold") expect(withoutReadAhead).toBe(edge);
    else if (operation === "check") expect(withoutReadAhead).toBeGreaterThan(edge);
  }
});

test("a million checks, half of them warm, by hand", () => {
  const state = (billed: Partial<Billed>): Billed => ({ ...NO_BILL, logLines: 1, logBytes: 500, ...billed });
  const read = state({ kvKeysRead: 10, d1RowsRead: 3 });
  const later = { ...COUNTED.later, report: { ...NO_BILL, doRequests: 1, doRowsWritten: 2 } };
  const counted = { later, requests: { check: { warm: state({}), unread: read, cold: read } } } as unknown as Counted;
  const silent = leaveOut(counted, ["append", "head", "segment", "answer", "coldEvidence"]);
  const assumed = {
    requestsPerReport: 4,
    objectCallMs: 10,
    objectGb: 0.125,
    platformLogBytes: 1_000,
    evidenceMonths: 10,
  };
  const records = { recordsPerAppend: 2, recordsPerHead: 100, recordsPerSegment: 1_000, requestsPerNewAnswer: 50 };
  const { ofRequest } = makeCosts(silent, (_, met) => (met === "warm" ? 1 : 2), { ...assumed, ...records });
  const usage = times(1_000_000, ofRequest("check", { warm: 0.5, unread: 0.25, cold: 0.25 }));
  // every fourth request brings a report: one call and two rows
  expect(usage).toMatchObject({ cpuMs: 1_500_000, kvKeysRead: 5_000_000, doRequests: 250_000, doRowsWritten: 500_000 });
  // the line and its envelope, the platform's own of the Worker, and that of each report
  expect(usage.logGb).toBeCloseTo(1.5 + 1 + 0.25, 6);
  // 0.30 + 0.03 + 2.50 + 0.0015 + 0.0375 + 0.50 + 312.5 GB-s + 2.75 GB
  expect(totalDollars(usage)).toBeCloseTo(0.3 + 0.03 + 2.5 + 0.0015 + 0.0375 + 0.5 + 0.00390625 + 0.6875, 6);
});
