/** What a run of the bench found, as `--json FILE` keeps it, and how two runs differ. Pure. */
import type { Group } from "./group.ts";
import type { Route } from "./load.ts";
import type { Measured } from "./measure.ts";
import { type Distribution, differs, distribute, type Goal, judge, pair, type Verdict } from "./paired.ts";

interface RouteReport {
  readonly name: string;
  readonly requestsPerSecond: Distribution;
  /** Processor time of workerd for each request. */
  readonly microseconds: Distribution;
  readonly cores: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

interface ComparisonReport {
  readonly of: string;
  readonly to: string;
  /** Of processor time for a request, which a loaded machine disturbs less than it does requests per second. */
  readonly ratio: Distribution;
  readonly goal: Goal | null;
  readonly verdict: Verdict | null;
}

export interface GroupReport {
  readonly title: string;
  readonly routes: readonly RouteReport[];
  readonly comparisons: readonly ComparisonReport[];
}

export interface Report {
  /** ISO 8601. */
  readonly date: string;
  readonly version: string;
  readonly processor: string;
  /** Processes that waited for a processor, on average of the last minute, at the beginning and the end. */
  readonly load: readonly [before: number, after: number];
  readonly groups: readonly GroupReport[];
}

export function reportGroup({ title, comparisons }: Group, measured: Measured): GroupReport {
  const routes = [...measured].map(
    ([{ name }, turns]): RouteReport => ({
      name,
      requestsPerSecond: distribute(turns.map((turn) => turn.requestsPerSecond)),
      microseconds: distribute(turns.map((turn) => turn.microseconds)),
      cores: distribute(turns.map((turn) => turn.cores)).median,
      p50: distribute(turns.map((turn) => turn.p50)).median,
      p99: distribute(turns.map((turn) => turn.p99)).median,
    }),
  );
  return {
    title,
    routes,
    comparisons: comparisons.map(({ of, to, goal }): ComparisonReport => {
      const times = (route: Route) => (measured.get(route) ?? []).map((turn) => turn.microseconds);
      const ratio = pair(times(of), times(to));
      return { of: of.name, to: to.name, ratio, goal, verdict: goal && judge(ratio, goal) };
    }),
  };
}

export interface Change {
  readonly what: string;
  readonly before: Distribution;
  readonly after: Distribution;
  /** Null within the noise. */
  readonly change: "better" | "worse" | null;
}

/** Of what both runs measured: the ratios, and the processor time of each route. */
export function compareReports(before: Report, after: Report): Change[] {
  const changes: Change[] = [];
  const add = (what: string, old: Distribution, now: Distribution) => {
    const change = differs(old, now) ? (now.median < old.median ? "better" : "worse") : null;
    changes.push({ what, before: old, after: now, change });
  };
  for (const group of after.groups) {
    const old = before.groups.find(({ title }) => title === group.title);
    for (const { of, to, ratio } of group.comparisons) {
      const same = old?.comparisons.find((each) => each.of === of && each.to === to);
      if (same) add(`${of}: ratio`, same.ratio, ratio);
    }
    for (const { name, microseconds } of group.routes) {
      const same = old?.routes.find((each) => each.name === name);
      if (same) add(`${name}: µs`, same.microseconds, microseconds);
    }
  }
  return changes;
}
