/** The index of a day's segments: whoever makes certificates of many numbers fills no memory, and hides no record. */
import { expect, test } from "vitest";
import type { Segment } from "../../../../src/evidence/ledger/segment.ts";
import { indexDay, segmentsOf } from "../../../../src/evidence/ledger/segment-files.ts";

const segment = (i: number): Segment => ({
  ...{ first_seq: 4_096 * i + 1, last_seq: 4_096 * (i + 1), first_time: i, last_time: i },
  ...{ last_hash: "", sha256: "", bytes: 1, head: null },
});
const made = Array.from({ length: 100 }, (_, i) => segment(i));
const ROOM = 1024 ** 2;
const OWN = "PSDFI-FINFSA-0001";

test.each<[string, (segment: number, number: number) => string]>([
  ["other numbers in each segment", (i, j) => `PSDXX-TEST-${i}-${j}`],
  ["long ones", (i, j) => `PSDXX-TEST-${i}-${j}${"数".repeat(100)}`],
  ["the same in each segment", (_, j) => `PSDXX-TEST-${j}`],
])("%s, 100,000 in all: the index stays small, and a PSP's segments are all found", (_, name) => {
  const numbers = function* () {
    for (const i of made.keys()) {
      const others = Array.from({ length: 1_000 }, (_, j) => name(i, j));
      yield i % 25 === 7 ? [...others, OWN] : others;
    }
  };
  const index = indexDay("2026-11-22", made, numbers(), ROOM);
  expect(JSON.stringify(index.psps).length).toBeLessThan(ROOM);
  const found = segmentsOf(index, OWN).map(({ last_time }) => last_time);
  expect(found).toEqual(expect.arrayContaining([82, 57, 32, 7]));
  expect(segmentsOf(index, null)).toHaveLength(100);
});

test("of few numbers each is listed, and no other segment is read for it", () => {
  const index = indexDay("2026-11-22", made.slice(0, 3), [[OWN], ["PSDXX-TEST-1"], ["constructor", "__proto__", OWN]]);
  const found = (psp: string) => segmentsOf(index, psp).map(({ last_time }) => last_time);
  expect([OWN, "PSDXX-TEST-1", "constructor", "__proto__", "toString"].map(found)).toEqual([[2, 0], [1], [2], [2], []]);
  expect(segmentsOf(JSON.parse(JSON.stringify(index)), "constructor")).toHaveLength(1);
});
