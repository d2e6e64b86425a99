/**
 * Counts of latencies in buckets that are wider the longer the latency: each begins 2 % above the one before. Plain
 * numbers, so that threads and processes can send their counts and one can add them up.
 */

const BUCKETS_PER_DECADE = 116;
const LEAST_MILLISECONDS = 0.01;
const DECADES = 7;

export interface LatencyHistogram {
  readonly counts: number[];
  /** Exact, in milliseconds. */
  longest: number;
}

export const makeHistogram = (): LatencyHistogram => ({
  counts: Array<number>(BUCKETS_PER_DECADE * DECADES).fill(0),
  longest: 0,
});

/** Where bucket `index` begins, in milliseconds. */
export const bucketStart = (index: number): number => LEAST_MILLISECONDS * 10 ** (index / BUCKETS_PER_DECADE);

/** Shorter ones than 0.01 ms count as that, longer ones than 100 seconds as the last bucket. */
export function record(histogram: LatencyHistogram, milliseconds: number): void {
  const place = Math.floor(Math.log10(milliseconds / LEAST_MILLISECONDS) * BUCKETS_PER_DECADE);
  const index = Math.max(0, Math.min(histogram.counts.length - 1, place));
  histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
  histogram.longest = Math.max(histogram.longest, milliseconds);
}

export function addHistogram(to: LatencyHistogram, other: LatencyHistogram): void {
  for (const [index, count] of other.counts.entries()) to.counts[index] = (to.counts[index] ?? 0) + count;
  to.longest = Math.max(to.longest, other.longest);
}

export const countAll = ({ counts }: LatencyHistogram): number => counts.reduce((sum, count) => sum + count, 0);

/** The latency that `percent` of the requests did not exceed, at most 2 % too high; 0 without requests. */
export function percentile(histogram: LatencyHistogram, percent: number): number {
  const wanted = (countAll(histogram) * percent) / 100;
  if (wanted === 0) return 0;
  let passed = 0;
  for (const [index, count] of histogram.counts.entries()) {
    passed += count;
    if (passed >= wanted && count > 0) return Math.min(bucketStart(index + 1), histogram.longest);
  }
  return histogram.longest;
}
