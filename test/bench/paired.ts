/**
 * What rounds of turns say: two routes are compared within a round, where they ran moments apart, so the noise of the
 * machine, which is slower than a round, falls out of their ratio. Pure.
 */

/** Of the rounds: the median and the quartiles. */
export interface Distribution {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** Between two neighbours, the part that belongs to each (as R's type 7 and spreadsheets do). */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}

export function distribute(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** One ratio for each round. Throws when a round lacks one of the two. */
export function pair(of: readonly number[], to: readonly number[]): Distribution {
  if (of.length !== to.length || of.length === 0)
    throw new Error(`${of.length} turns cannot be paired with ${to.length}: both routes run once in every round`);
  return distribute(of.map((value, round) => value / (to[round] ?? Number.NaN)));
}

/** Of ours / bare: so many times what the bare route takes. */
export interface Goal {
  readonly atMost: number;
}
export type Verdict = "reached" | "missed" | "inconclusive";

/** The spread (between the quartiles) has to be smaller than the distance to the goal; else nothing can be said. */
export function judge({ median, low, high }: Distribution, { atMost }: Goal): Verdict {
  if (high - low > Math.abs(atMost - median)) return "inconclusive";
  return median <= atMost ? "reached" : "missed";
}

/** Whether a figure differs beyond the noise: what lies between the quartiles of the two runs has nothing in common. */
export const differs = (before: Distribution, after: Distribution): boolean =>
  after.low > before.high || after.high < before.low;
