/** The histogram of latencies, what is read from it, and its picture. */
import { expect, test } from "vitest";
import { drawLatencies } from "../../load/latency-chart.ts";
import { addHistogram, countAll, makeHistogram, percentile, record } from "../../load/latency-histogram.ts";

const histogramOf = (...latencies: number[]) => {
  const histogram = makeHistogram();
  for (const latency of latencies) record(histogram, latency);
  return histogram;
};

test("a percentile is within 2 % of the latency at its place, and never below it", () => {
  const histogram = histogramOf(...Array.from({ length: 1_000 }, (_, i) => (i + 1) / 10));
  for (const [percent, exact] of [
    [50, 50],
    [95, 95],
    [99, 99],
    [99.9, 99.9],
    [100, 100],
  ] as const) {
    expect(percentile(histogram, percent)).toBeGreaterThanOrEqual(exact);
    expect(percentile(histogram, percent)).toBeLessThan(exact * 1.021);
  }
});

test("one slow request in a thousand is the p99.9's, not the p99's", () => {
  const histogram = histogramOf(...Array<number>(998).fill(1), 500, 500);
  expect(percentile(histogram, 99)).toBeLessThan(1.03);
  expect(percentile(histogram, 99.9)).toBe(500);
});

test("latencies beyond both ends are counted, and the longest is exact", () => {
  const histogram = histogramOf(0, 0.000_1, 1e9);
  expect(countAll(histogram)).toBe(3);
  expect(histogram.longest).toBe(1e9);
  expect(percentile(histogram, 1)).toBeLessThan(0.011);
  expect(percentile(histogram, 100)).toBeGreaterThan(90_000);
});

test("without requests there is no latency", () => {
  expect(percentile(makeHistogram(), 99)).toBe(0);
});

test("the sum of two counts both", () => {
  const sum = histogramOf(1, 2);
  addHistogram(sum, histogramOf(2, 300));
  expect(sum).toEqual(histogramOf(1, 2, 2, 300));
});

test("the picture has a bar for each latency that was met, and names the percentiles", () => {
  const svg = drawLatencies(histogramOf(1, 1, 100), 'a <title> & "more"');
  expect(svg).toContain("<title>a &lt;title> &amp;");
  const heights = [...svg.matchAll(/<rect x="[\d.]+" y="[\d.]+" width="[\d.]+" height="([\d.]+)"/g)].map(
    ([, height]) => height,
  );
  expect(heights.filter((height) => height !== "0.0")).toHaveLength(2);
  expect(svg).toMatch(/p50 1(\.0\d)?</);
  expect(svg).toContain("p99.9 100<");
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test("a picture of nothing is one, too", () => {
  expect(drawLatencies(makeHistogram(), "empty")).not.toMatch(/NaN|Infinity|undefined/);
});
