/** Whether the heap grew: its size after a full collection, the run's second quarter beside its last. Pure. */

export interface MemorySample {
  /** Of the run's time under load: 0 to 1. */
  readonly progress: number;
  /** Megabytes after a collection; null without the inspector. */
  readonly heap: number | null;
  /** Megabytes of all isolates' heaps, those of the local stores too; null without the inspector. */
  readonly allHeaps: number | null;
  /** Megabytes of the whole process. */
  readonly resident: number;
}

export type HeapVerdict =
  | { readonly ok: true; readonly second: number; readonly last: number; readonly ratio: number }
  | {
      readonly ok: false;
      readonly reason: "not_flat";
      readonly second: number;
      readonly last: number;
      readonly ratio: number;
    }
  | { readonly ok: false; readonly reason: "too_short" | "not_measured" };

const FLAT_WITHIN = 0.1;

/**
 * What an isolate keeps of a certificate or a caller lives up to a minute: a quarter has to begin after the first minute,
 * and to be longer than one.
 */
const LEAST_MINUTES = 4;

export function judgeHeap(samples: readonly MemorySample[], minutes: number): HeapVerdict {
  const between = (from: number, to: number): number[] =>
    samples.flatMap(({ progress, heap }) => (heap !== null && progress >= from && progress <= to ? [heap] : []));
  const [early, late] = [between(0.25, 0.5), between(0.75, 1)];
  if (early.length === 0 || late.length === 0) return { ok: false, reason: "not_measured" };
  if (minutes < LEAST_MINUTES) return { ok: false, reason: "too_short" };
  const [second, last] = [median(early), median(late)];
  const ratio = last / second;
  return Math.abs(ratio - 1) <= FLAT_WITHIN
    ? { ok: true, second, last, ratio }
    : { ok: false, reason: "not_flat", second, last, ratio };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
  return (low + high) / 2;
}
