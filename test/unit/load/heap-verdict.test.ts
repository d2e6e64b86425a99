/** Whether the heap of a run was flat. */
import { expect, test } from "vitest";
import { judgeHeap, type MemorySample, median } from "../../load/heap-verdict.ts";

/** Twenty samples; `heap` by the run's share that has passed. */
const samplesOf = (heap: (progress: number) => number | null): MemorySample[] =>
  Array.from({ length: 21 }, (_, i) => ({ progress: i / 20, heap: heap(i / 20), allHeaps: null, resident: 100 }));

test("what fills in the first quarter does not count", () => {
  const samples = samplesOf((progress) => (progress < 0.25 ? 4 : 20));
  expect(judgeHeap(samples, 10)).toMatchObject({ ok: true, second: 20, last: 20, ratio: 1 });
});

test("a leak is found, and so is a heap that falls", () => {
  expect(
    judgeHeap(
      samplesOf((progress) => 10 + 10 * progress),
      10,
    ),
  ).toMatchObject({ ok: false, reason: "not_flat" });
  expect(
    judgeHeap(
      samplesOf((progress) => 20 - 10 * progress),
      10,
    ),
  ).toMatchObject({ ok: false, reason: "not_flat" });
});

test("within 10 % it is flat, above it is not", () => {
  const stepOf = (ratio: number) =>
    judgeHeap(
      samplesOf((progress) => (progress < 0.6 ? 10 : 10 * ratio)),
      10,
    );
  expect(stepOf(1.09)).toMatchObject({ ok: true });
  expect(stepOf(1.11)).toMatchObject({ ok: false });
  expect(stepOf(0.91)).toMatchObject({ ok: true });
});

test("one odd sample decides nothing", () => {
  expect(
    judgeHeap(
      samplesOf((progress) => (progress === 0.9 ? 80 : 20)),
      10,
    ),
  ).toMatchObject({ ok: true });
});

test("a short run is not judged, and one without the inspector cannot be", () => {
  expect(
    judgeHeap(
      samplesOf(() => 20),
      3.9,
    ),
  ).toEqual({ ok: false, reason: "too_short" });
  expect(
    judgeHeap(
      samplesOf(() => null),
      10,
    ),
  ).toEqual({ ok: false, reason: "not_measured" });
});

test("the median of an even number lies between the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([5, 1, 3])).toBe(3);
});
