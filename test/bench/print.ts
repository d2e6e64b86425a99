/** The bench's figures as tables for people. */
import type { Distribution } from "./paired.ts";
import type { Change, GroupReport } from "./report.ts";

const whole = (value: number): number => Math.round(value);
const ratio = ({ median, low, high }: Distribution): string =>
  `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;

export function printGroup({ title, routes, comparisons }: GroupReport, notes: readonly string[]): void {
  console.log(`\n${title}`);
  console.table(
    routes.map(({ name, requestsPerSecond, microseconds, cores, p50, p99 }) => ({
      route: name,
      "requests/s": whole(requestsPerSecond.median),
      "processor µs": whole(microseconds.median),
      cores: cores.toFixed(2),
      "p50 ms": p50,
      "p99 ms": p99,
    })),
  );
  console.table(
    comparisons.map(({ of, to, ratio: times, goal, verdict }) => ({
      route: of,
      beside: to,
      "times its processor time": ratio(times),
      "at most": goal?.atMost ?? "",
      verdict: verdict ?? "",
    })),
  );
  for (const note of notes) console.log(note);
}

/** What changed beyond the noise, and how much else was compared. */
export function printChanges(changes: readonly Change[], since: string): void {
  const beyond = changes.filter(({ change }) => change !== null);
  console.log(`\nSince ${since}: ${beyond.length} of ${changes.length} figures changed beyond the noise`);
  if (beyond.length === 0) return;
  console.table(
    beyond.map(({ what, before, after, change }) => ({
      figure: what,
      before: describe(before),
      after: describe(after),
      change,
    })),
  );
}

const describe = (value: Distribution): string => (value.median < 20 ? ratio(value) : `${whole(value.median)}`);
