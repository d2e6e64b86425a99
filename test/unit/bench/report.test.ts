/** What a run of the bench keeps, and how two runs differ (test/bench/report.ts). */
import { expect, it } from "vitest";
import type { Group } from "../../bench/group.ts";
import type { Route } from "../../bench/load.ts";
import type { Measure, Measured } from "../../bench/measure.ts";
import type { Distribution } from "../../bench/paired.ts";
import { compareReports, type Report, reportGroup } from "../../bench/report.ts";

const route = (name: string): Route => ({ name, method: "GET", status: 200, url: "http://bench.invalid", calls: [] });
const [bare, whole, large] = [route("bare"), route("whole"), route("large")];
const turns = (...rates: number[]): Measure[] =>
  rates.map((requestsPerSecond) => {
    return { requestsPerSecond, microseconds: 1e6 / requestsPerSecond, cores: 1, p50: 1, p99: 2 };
  });
const group: Group = {
  title: "routes",
  steps: [[bare, whole, large]],
  comparisons: [
    { of: whole, to: bare, goal: { atLeast: 0.85 } },
    { of: large, to: bare, goal: { atMost: 1.5 } },
  ],
  notes: [],
};
const measured: Measured = new Map([
  [bare, turns(1000, 500, 2000)],
  [whole, turns(900, 450, 1800)],
  [large, turns(500, 250, 1000)],
]);

it("tells ratios of requests and of processor time, each in the direction of its goal", () => {
  const { routes, comparisons } = reportGroup(group, measured);
  expect(routes.map(({ name, requestsPerSecond }) => [name, requestsPerSecond.median])).toEqual([
    ["bare", 1000],
    ["whole", 900],
    ["large", 500],
  ]);
  const [fast, slow] = comparisons;
  expect(fast).toMatchObject({ of: "whole", to: "bare", verdict: "reached", ratio: { median: 0.9 } });
  expect(fast?.processorRatio.median).toBeCloseTo(0.9);
  expect(slow).toMatchObject({ of: "large", verdict: "missed", ratio: { median: 2 }, processorRatio: { median: 2 } });
});

const at = (median: number): Distribution => ({ median, low: median * 0.99, high: median * 1.01 });

function report(ratio: number, slower: number, microseconds: number): Report {
  const comparison = { of: "whole", to: "bare", processorRatio: at(0.5), verdict: null };
  return {
    ...{ date: "2026-11-22T08:00:00.000Z", version: "0.3.0", processor: "2 × any", load: [0, 0] },
    groups: [
      {
        title: "routes",
        comparisons: [
          { ...comparison, ratio: at(ratio), goal: { atLeast: 0.85 } },
          { ...comparison, of: "large", ratio: at(slower), goal: { atMost: 1.5 } },
        ],
        routes: [{ name: "whole", requestsPerSecond: at(1), microseconds: at(microseconds), cores: 1, p50: 1, p99: 1 }],
      },
    ],
  };
}

it("says what changed beyond the noise, and in which direction", () => {
  const changes = compareReports(report(0.7, 1.4, 300), report(0.8, 1.1, 200));
  expect(changes.map(({ what, change }) => [what, change])).toEqual([
    ["whole: ratio", "better"],
    ["whole: processor ratio", null],
    ["large: ratio", "better"],
    ["large: processor ratio", null],
    ["whole: µs", "better"],
  ]);
  const back = compareReports(report(0.8, 1.1, 200), report(0.7, 1.4, 300)).filter(({ change }) => change !== null);
  expect(back.map(({ change }) => change)).toEqual(["worse", "worse", "worse"]);
});

it("compares only what both runs measured", () => {
  const [first] = report(0.7, 1.4, 300).groups;
  const other = { ...report(0.7, 1.4, 300), groups: [{ ...first, title: "others" }] } as Report;
  expect(compareReports(other, report(0.8, 1.4, 200))).toEqual([]);
});
