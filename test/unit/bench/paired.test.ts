/** Medians, spreads and verdicts of the bench (test/bench/paired.ts). */
import { describe, expect, it } from "vitest";
import { differs, distribute, judge, pair } from "../../bench/paired.ts";

const GOAL = { atMost: 1.5 };

describe("distribute", () => {
  it.each([
    [[3], { median: 3, low: 3, high: 3 }],
    [[4, 1], { median: 2.5, low: 1.75, high: 3.25 }],
    // an odd number of rounds, in any order, one of them far off
    [[5, 900, 1, 4, 2, 3, 6], { median: 4, low: 2.5, high: 5.5 }],
  ])("%j", (values, expected) => {
    expect(distribute(values)).toEqual(expected);
  });
});

describe("pair", () => {
  it("divides within a round, so a machine that slows down changes no ratio", () => {
    expect(pair([80, 40, 8], [100, 50, 10])).toEqual({ median: 0.8, low: 0.8, high: 0.8 });
  });
  it("refuses rounds in which only one ran", () => {
    expect(() => pair([1, 2], [1])).toThrow("2 turns cannot be paired with 1");
    expect(() => pair([], [])).toThrow("0 turns");
  });
});

describe("judge", () => {
  it.each([
    ["reached", { median: 1.1, low: 1, high: 1.2 }],
    ["reached", { median: 1.5, low: 1.5, high: 1.5 }],
    ["missed", { median: 2, low: 1.9, high: 2.1 }],
    ["inconclusive", { median: 1.4, low: 1.3, high: 1.5 }],
    ["inconclusive", { median: 1.6, low: 1.5, high: 1.7 }],
  ] as const)("%s: %j", (verdict, ratio) => {
    expect(judge(ratio, GOAL)).toBe(verdict);
  });
});

describe("differs", () => {
  const before = { median: 100, low: 90, high: 110 };
  it.each([
    [false, { median: 105, low: 95, high: 115 }],
    [false, { median: 112, low: 105, high: 118 }],
    [true, { median: 120, low: 115, high: 125 }],
    [true, { median: 80, low: 75, high: 85 }],
  ])("%s: %j", (expected, after) => {
    expect(differs(before, after)).toBe(expected);
    expect(differs(after, before)).toBe(expected);
  });
});
