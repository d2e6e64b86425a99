/** How long requests took, by buckets, so that hours can be added up and a percentile be told. Pure. */

/** Upper bounds in milliseconds, each inclusive; what is above the last has a bucket of its own. */
export const LATENCY_BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000] as const;

/** Requests of each bucket. */
export type Latencies = readonly number[];

export const NO_LATENCIES: Latencies = Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0);

/** Adds a request to them in place: a new list for each record took as long as all else of its counting. */
export function countLatency(latencies: number[], ms: number): void {
  const found = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  const place = found < 0 ? LATENCY_BOUNDS_MS.length : found;
  latencies[place] = (latencies[place] ?? 0) + 1;
}

export const addLatencies = (a: Latencies, b: Latencies): Latencies => a.map((count, i) => count + (b[i] ?? 0));

/** The upper bound in milliseconds of the bucket in which this share (0 to 1) of the requests ends; null if there is none. */
export function percentileOf(latencies: Latencies, share: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  for (const [i, count] of latencies.entries()) {
    below += count;
    if (below >= share * total) return LATENCY_BOUNDS_MS[i] ?? Number.POSITIVE_INFINITY;
  }
  return Number.POSITIVE_INFINITY;
}
