/** What a run of the bench keeps, and how two runs differ (test/bench/report.ts). */
import { expect, it } from "vitest";
import type { Group } from "../../bench/group.ts";
import type { Route } from "../../bench/load.ts";
import type { Measure, Measured } from "../../bench/measure.ts";
import type { Distribution } from "../../bench/paired.ts";
import { compareReports, type Report, reportGroup } from "../../bench/report.ts";

const route = (name: string): Route => ({ name, method: "GET", status: 200, url: "http://bench.invalid", calls: [] });
const [bare, whole, large] = [route("bare"), route("whole"), route("large")];
/** Each of that many microseconds; all take half of their time waiting. */
const turns = (...times: number[]): Measure[] =>
  times.map((microseconds) => {
    return { requestsPerSecond: 5e5 / microseconds, microseconds, cores: 0.5, p50: 1, p99: 2 };
  });
const group: Group = {
  title: "routes",
  steps: [[bare, whole, large]],
  comparisons: [
    { of: whole, to: bare, goal: { atMost: 1.2 } },
    { of: large, to: bare, goal: { atMost: 1.5 } },
  ],
  notes: [],
};
const measured: Measured = new Map([
  [bare, turns(100, 200, 50)],
  [whole, turns(110, 220, 55)],
  [large, turns(200, 400, 100)],
]);

it("tells how many times the processor time of the bare route each takes, round by round", () => {
  const { routes, comparisons } = reportGroup(group, measured);
  expect(routes.map(({ name, requestsPerSecond }) => [name, requestsPerSecond.median])).toEqual([
    ["bare", 5000],
    ["whole", 5e5 / 110],
    ["large", 2500],
  ]);
  const ratio = { median: 1.1, low: 1.1, high: 1.1 };
  expect(comparisons).toMatchObject([
    { of: "whole", to: "bare", verdict: "reached", ratio },
    { of: "large", to: "bare", verdict: "missed", ratio: { median: 2 } },
  ]);
});

const at = (median: number): Distribution => ({ median, low: median * 0.99, high: median * 1.01 });

function report(ratio: number, slower: number, microseconds: number): Report {
  const comparison = { of: "whole", to: "bare", verdict: null };
  return {
    ...{ date: "2026-11-22T08:00:00.000Z", version: "0.3.0", processor: "2 × any", load: [0, 0] },
    groups: [
      {
        title: "routes",
        comparisons: [
          { ...comparison, ratio: at(ratio), goal: { atMost: 1.2 } },
          { ...comparison, of: "large", ratio: at(slower), goal: { atMost: 1.5 } },
        ],
        routes: [{ name: "whole", requestsPerSecond: at(1), microseconds: at(microseconds), cores: 1, p50: 1, p99: 1 }],
      },
    ],
  };
}

it("says what changed beyond the noise, and in which direction", () => {
  const changes = compareReports(report(1.3, 1.4, 300), report(1.2, 1.1, 200));
  expect(changes.map(({ what, change }) => [what, change])).toEqual([
    ["whole: ratio", "better"],
    ["large: ratio", "better"],
    ["whole: µs", "better"],
  ]);
  const back = compareReports(report(1.2, 1.1, 200), report(1.3, 1.4, 300)).filter(({ change }) => change !== null);
  expect(back.map(({ change }) => change)).toEqual(["worse", "worse", "worse"]);
});

it("compares only what both runs measured", () => {
  const [first] = report(1.3, 1.4, 300).groups;
  const other = { ...report(1.3, 1.4, 300), groups: [{ ...first, title: "others" }] } as Report;
  expect(compareReports(other, report(1.2, 1.4, 200))).toEqual([]);
});
