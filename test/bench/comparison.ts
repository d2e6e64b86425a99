/** Two routes, one divided by the other, and what the ratio should be. */
import { type Measured, median, type Route } from "./load.ts";

export interface Comparison {
  readonly of: Route;
  readonly to: Route;
  /** Null where the figures are only told. */
  readonly target: { readonly atLeast: number } | { readonly atMost: number } | null;
}

/** Routes to measure in one run, and what of it is compared. */
export interface Group {
  readonly title: string;
  readonly routes: readonly Route[];
  readonly comparisons: readonly Comparison[];
  /** What the figures do and do not say. */
  readonly notes: readonly string[];
}

/** Of requests per second, round by round: the median of the rounds' ratios. */
const ratio = (of: Route, to: Route, measured: Measured): number =>
  median(
    (measured.get(of) ?? []).map(
      ({ requestsPerSecond }, round) => requestsPerSecond / (measured.get(to)?.[round]?.requestsPerSecond ?? 0),
    ),
  );

export function printGroup({ title, comparisons, notes }: Group, measured: Measured): void {
  console.log(`\n${title}`);
  console.table(
    [...measured].map(([{ name }, turns]) => ({
      route: name,
      "requests/s": Math.round(median(turns.map((turn) => turn.requestsPerSecond))),
      "p50 ms": median(turns.map((turn) => turn.p50)),
      "p99 ms": median(turns.map((turn) => turn.p99)),
    })),
  );
  for (const { of, to, target } of comparisons) {
    const value = ratio(of, to, measured);
    // of a target that is a bound from above, the inverse is told: how much slower
    if (target === null) console.log(`${of.name} / ${to.name}: ${value.toFixed(2)}`);
    else if ("atLeast" in target)
      console.log(`${of.name} / ${to.name}: ${value.toFixed(2)} (to reach: ${target.atLeast})`);
    else console.log(`${to.name} / ${of.name}: ${(1 / value).toFixed(2)} (at most: ${target.atMost})`);
  }
  for (const note of notes) console.log(note);
}
