/** Whole runs: repeatable, and right where a hand can compute them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ASSUMPTIONS } from "../../simulate/assumptions.ts";
import { drawChart } from "../../simulate/chart.ts";
import { roundTripMs } from "../../simulate/distance.ts";
import { readInputs } from "../../simulate/inputs.ts";
import { percentile } from "../../simulate/percentile.ts";
import { edgeLocation } from "../../simulate/places.ts";
import { readProcessorTimes } from "../../simulate/processor-times.ts";
import { ROUNDS } from "../../simulate/rounds.ts";
import { type Inputs, simulate } from "../../simulate/run.ts";

const FEW = { ...ASSUMPTIONS, requestsPerBank: 300 };
const INPUTS: Inputs = {
  processorMs: () => 0,
  startMs: 0,
  firstMs: () => 0,
  writing: new Set(["redemption", "obieRedemption"]),
};
/** Light alone: no luck, no work, no new isolates. */
const QUIET = {
  ...FEW,
  freshShare: 0,
  detourShare: 0,
  jitterShare: 0,
  hopMs: 0,
  kvCachedMs: 0,
  kvStoreMs: 0,
  statementMs: 0,
  newObjectMs: 0,
  regionReadMs: 0,
  regionWriteMs: 0,
};

test("a run is the same for the same seed, and another for another", () => {
  const run = (seed: number) => JSON.stringify(simulate({ ...FEW, seed }, INPUTS));
  expect(run(1)).toBe(run(1));
  expect(run(1)).not.toBe(run(2));
});

test("without anything but light, a warm redemption in Helsinki goes to its code in Stockholm, then to D1, and both confirm", () => {
  const samples = simulate(QUIET, INPUTS).filter(({ bank }) => bank === "Helsinki");
  const warm = samples.filter(({ operation, state }) => operation === "redemption" && state === "warm");
  const way = (from: string, to: string) => roundTripMs(edgeLocation(from), edgeLocation(to));
  // Stockholm's third nearest hub is Amsterdam, Amsterdam's is Paris
  const expected =
    way("Helsinki", "Stockholm") +
    way("Stockholm", "Amsterdam") +
    way("Helsinki", "Amsterdam") +
    way("Amsterdam", "Paris");
  expect(warm.length).toBeGreaterThan(0);
  for (const { ms } of warm) {
    expect(ms["D1 in Western Europe"].edge).toBeCloseTo(expected, 6);
    expect(ms["D1 in Western Europe"].region).toBeCloseTo(way("Helsinki", "Frankfurt"), 6);
  }
  const seen = samples.filter(({ operation, state }) => operation === "check" && state === "warm");
  expect(seen.length).toBeGreaterThan(0);
  for (const { ms } of seen) expect(ms["D1 in Eastern Europe"].edge).toBe(0);
});

test("read-ahead saves a round where the caller is not known, in each single request, and changes nothing elsewhere", () => {
  let saved = 0;
  for (const { state, operation, ms } of simulate(FEW, INPUTS))
    for (const { edge, withoutReadAhead } of Object.values(ms)) {
      const { cold, withoutReadAhead: more } = ROUNDS[operation];
      if (state !== "cold") expect(withoutReadAhead).toBe(edge);
      else if (more.length > cold.length) {
        expect(withoutReadAhead).toBeGreaterThan(edge);
        saved++;
      }
    }
  expect(saved).toBeGreaterThan(0);
});

test("a caller in the location's cache spares the way to D1 where an isolate knows neither, and nothing elsewhere", () => {
  let spared = 0;
  for (const { state, ms } of simulate({ ...QUIET, freshShare: 0.5 }, INPUTS))
    for (const { edge, callerNearby } of Object.values(ms)) {
      if (state !== "cold") expect(callerNearby).toBe(edge);
      expect(callerNearby).toBeLessThanOrEqual(edge);
      if (callerNearby < edge) spared++;
    }
  expect(spared).toBeGreaterThan(0);
});

test("new isolates cost their start and their first request, and what they do not remember", () => {
  const median = (freshShare: number) => {
    const samples = simulate({ ...FEW, freshShare }, { ...INPUTS, startMs: 20, firstMs: () => 30 });
    const checks = samples.filter(({ operation }) => operation === "check");
    return percentile(
      checks.map(({ ms }) => ms["D1 in Western Europe"].edge),
      0.5,
    );
  };
  expect(median(1)).toBeGreaterThan(median(0) + 50);
});

test("the chart that docs/measurements.md shows is what npm run simulate makes", async () => {
  const inputs = await readInputs(await readProcessorTimes());
  const shown = await readFile(join(import.meta.dirname, "../../simulate/latency.svg"), "utf8");
  const made = drawChart(simulate(ASSUMPTIONS, inputs));
  expect(made === shown, "test/simulate/latency.svg is another chart: run npm run simulate and commit it").toBe(true);
});
