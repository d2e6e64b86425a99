/** The pieces of the simulation, each alone. */
import { expect, test } from "vitest";
import { Isolate } from "../../simulate/isolate.ts";
import { KvCaches } from "../../simulate/kv-caches.ts";
import { percentile } from "../../simulate/percentile.ts";
import { firstMs, type ProcessorTimes, processorMs } from "../../simulate/processor-times.ts";
import { Random, weighted, zipf } from "../../simulate/random.ts";

test("a percentile is the smallest value that so many do not exceed", () => {
  const values = [50, 10, 40, 20, 30];
  expect([0, 0.2, 0.21, 0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([10, 10, 20, 30, 50, 50]);
  expect(percentile([], 0.5)).toBeNaN();
  expect(values).toEqual([50, 10, 40, 20, 30]);
});

test("the same seed gives the same numbers, another one others", () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test("numbers are spread evenly, exponential ones have their mean, chances their share", () => {
  const random = new Random(1);
  const count = 100_000;
  const mean = (draw: () => number) => Array.from({ length: count }, draw).reduce((sum, one) => sum + one, 0) / count;
  expect(mean(() => random.next())).toBeCloseTo(0.5, 2);
  expect(mean(() => random.exponential(5))).toBeCloseTo(5, 1);
  expect(mean(() => Number(random.chance(0.1)))).toBeCloseTo(0.1, 2);
  expect(mean(() => random.below(3))).toBeCloseTo(1, 1);
});

test("weights are drawn as often as they weigh: by Zipf's law the second half as often as the first", () => {
  expect(zipf(3)).toEqual([1, 1 / 2, 1 / 3]);
  const [random, draw] = [new Random(1), weighted(zipf(3))];
  const drawn = Array.from({ length: 60_000 }, () => draw(random));
  const counts = [0, 1, 2].map((index) => drawn.filter((one) => one === index).length);
  expect(counts.map((count) => Math.round((count / 60_000) * 11))).toEqual([6, 3, 2]);
});

test("an isolate knows a caller for 60 seconds and a PSP for 30, and of another caller as much of the PSP", () => {
  const isolate = new Isolate();
  const met = [
    isolate.meet("bank", "psp", 0),
    isolate.meet("bank", "psp", 29.9),
    isolate.meet("bank", "psp", 30),
    isolate.meet("bank", "other", 30),
    isolate.meet("bank", null, 31),
    isolate.meet("bank", "psp", 60),
    isolate.meet("other bank", "psp", 61),
  ];
  expect(met).toEqual(["cold", "warm", "unread", "unread", "warm", "cold", "cold"]);
});

test("KV is asked centrally once in its cache's time, then by region, then at the location", () => {
  const caches = new KvCaches(60);
  const read = (location: string, second: number) => caches.read("key", location, "hub", second);
  expect([read("a", 0), read("a", 59), read("b", 59), read("a", 60), read("a", 61)]).toEqual([
    "central",
    "location",
    "region",
    "central",
    "location",
  ]);
});

const TIMES: ProcessorTimes = {
  runs: [],
  microseconds: {
    "bare: a JSON route": 100,
    "seen certificate": 400,
    "new certificate, revocation cached": 1_500,
    "bare: one D1 read": 1_100,
    "token information": 1_600,
  },
  start: { milliseconds: 50, firstMilliseconds: { check: 30, redemption: 40 }, command: "", date: "", load: 0 },
};

test("a certificate that is not remembered costs what a new one costs above a seen one; reading by CCG token does not", () => {
  expect(processorMs(TIMES, "check", "warm")).toBe(0.4);
  expect(processorMs(TIMES, "check", "cold")).toBe(1.5);
  // since 0.4.0 it writes to the local R2, which takes what it takes a bare check, too
  const written = { ...TIMES.microseconds, "new certificate, revocation cached": 4_500 };
  const bare = { "bare: parse, and the same two signatures": 600, "bare: the same, and one object of R2": 3_600 };
  expect(processorMs({ ...TIMES, microseconds: { ...written, ...bare } }, "check", "cold")).toBe(1.5);
  // without what reading D1 takes in the local runtime
  expect(processorMs(TIMES, "tokenInformation", "cold")).toBeCloseTo(0.6, 9);
  expect(() => processorMs(TIMES, "redemption", "warm")).toThrow('no time of "redemption with token insert"');
});

test("a first request that is no check is taken as a redemption", () => {
  const operations = ["checkAbroad", "redemption", "tokenList"] as const;
  expect(operations.map((operation) => firstMs(TIMES, operation))).toEqual([30, 40, 40]);
});
