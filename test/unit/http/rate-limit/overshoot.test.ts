/**
 * By how much isolates that have not heard of each other yet let more than the limit through: the table of docs/measurements.md,
 * measured by the service's own rule on a virtual clock.
 */
import { describe, expect, test } from "vitest";
import { mostInWindow, type Scenario, simulate } from "./simulation.ts";

const LIMIT = 15_000;
const ROUND_TRIP_MS = 100;
/** An isolate reports once a second, and at once when it let through more than a hundredth of the limit since. */
const INTERVAL_MS = 1000;
const SHARE = LIMIT / 100;

/**
 * The source asks without end, from cold isolates on. Left out is what comes while all of it is refused: from three
 * seconds after the limit is reached, when every isolate has heard of that, until the first requests leave the window.
 */
function phasesOf(requestsPerSecond: number): Scenario["phases"] {
  const length = Math.min(20_000, (LIMIT / requestsPerSecond) * 1000 + 3_000);
  return [
    [0, length],
    [299_000, 300_000 + length],
    [600_000, 600_000 + length],
  ];
}

type Source = Pick<Scenario, "isolates" | "requestsPerSecond" | "platformLimiter"> & Partial<Pick<Scenario, "phases">>;
const overshoot = (source: Source): number =>
  mostInWindow(
    simulate({ limit: LIMIT, roundTripMs: ROUND_TRIP_MS, phases: phasesOf(source.requestsPerSecond), ...source }),
  ) - LIMIT;

describe.each([
  { platformLimiter: false, requestsPerSecond: 1_000, measured: [0, 990, 1_089] },
  { platformLimiter: false, requestsPerSecond: 10_000, measured: [0, 1_821, 10_890] },
  { platformLimiter: false, requestsPerSecond: 100_000, measured: [0, 17_991, 24_750] },
  { platformLimiter: true, requestsPerSecond: 1_000, measured: [0, 990, 1_089] },
  { platformLimiter: true, requestsPerSecond: 10_000, measured: [0, 1_821, 10_890] },
  { platformLimiter: true, requestsPerSecond: 100_000, measured: [0, 1_500, 16_273] },
])("$requestsPerSecond requests a second, platform limiter: $platformLimiter", ({ measured, ...source }) => {
  test.each([1, 10, 100].map((isolates, i) => [isolates, measured[i]]))("%i isolates: %i over", (isolates, over) => {
    expect(overshoot({ ...source, isolates: isolates ?? 0 })).toBe(over);
  });
});

test("the overshoot is at most what each isolate lets through before its report is answered", () => {
  for (const isolates of [1, 2, 5, 30, 100])
    for (const requestsPerSecond of [300, 3_000, 30_000]) {
      const perMs = requestsPerSecond / isolates / 1000;
      // a report is under way, then the one that begins when it is answered
      const unheard = Math.min(perMs * (INTERVAL_MS + ROUND_TRIP_MS), SHARE + 2 * perMs * ROUND_TRIP_MS);
      const bound = (isolates - 1) * Math.ceil(unheard + 1);
      expect(overshoot({ isolates, requestsPerSecond, platformLimiter: false })).toBeLessThanOrEqual(bound);
    }
});

test("a single isolate lets exactly the limit through, whatever the source's rate", () => {
  for (const requestsPerSecond of [70, 333, 5_000])
    expect(overshoot({ isolates: 1, requestsPerSecond, platformLimiter: false, phases: [[0, 620_000]] })).toBe(0);
});
