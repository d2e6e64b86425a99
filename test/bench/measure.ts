/**
 * The rounds of a group: every route in turn, by the same client, so that all meet the same machine. Two routes are compared
 * within a round, where they ran moments apart: the noise of the machine, which is slower than a round, falls out of their ratio.
 */
import type { LoadGenerator, TurnResult } from "./generator-process.ts";
import { processorNanoseconds } from "./process-usage.ts";
import type { Call, Group, Route } from "./routes.ts";

const ROUNDS = 7;
const SECONDS_PER_TURN = 2;
/** Of a route whose answers another one needs, so that there are enough for a turn of that one. */
const SECONDS_PER_PRODUCING_TURN = 2.1;
/** Warms isolates, the compiler and caches; not counted. */
const WARMING_SECONDS = 0.4;

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

/** The spread (between the quartiles) has to be smaller than the distance to the goal; else nothing can be said. */
export function judge({ median, low, high }: Distribution, atMost: number): "reached" | "missed" | "inconclusive" {
  if (high - low > Math.abs(atMost - median)) return "inconclusive";
  return median <= atMost ? "reached" : "missed";
}

/** A group as `--json FILE` keeps it. Processor time is workerd's for each request, all threads, with the local stores. */
export interface GroupReport {
  readonly title: string;
  readonly routes: readonly {
    readonly name: string;
    readonly requestsPerSecond: Distribution;
    readonly microseconds: Distribution;
    /** That workerd had: below 1 it waited for the load generator or for the machine. */
    readonly cores: number;
    /** Milliseconds. */
    readonly p50: number;
    readonly p99: number;
  }[];
  /** `ratio`: of processor time, which a loaded machine disturbs less than it does requests per second. */
  readonly comparisons: readonly {
    readonly of: string;
    readonly to: string;
    readonly ratio: Distribution;
    readonly atMost: number | null;
    readonly verdict: ReturnType<typeof judge> | null;
  }[];
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

/** `pid`: of workerd. */
export async function measure(group: Group, load: LoadGenerator, pid: number): Promise<GroupReport> {
  const turns = new Map<Route, (TurnResult & { nanoseconds: number })[]>(
    group.steps.flat().map((route) => [route, []]),
  );
  const run = makeTurns(group, load);
  for (let round = 0; round <= ROUNDS; round++)
    for (const step of group.steps)
      for (const route of round % 2 === 0 ? step : step.toReversed()) {
        await route.before?.();
        const began = await processorNanoseconds(pid);
        const result = await run(route, round === 0);
        const nanoseconds = (await processorNanoseconds(pid)) - began;
        if (round > 0) turns.get(route)?.push({ ...result, nanoseconds });
      }
  const microseconds = (route: Route) =>
    (turns.get(route) ?? []).map(({ nanoseconds, requests }) => nanoseconds / 1000 / requests);
  return {
    title: group.title,
    routes: [...turns].map(([route, own]) => ({
      name: route.name,
      requestsPerSecond: distribute(own.map(({ requests, seconds }) => requests / seconds)),
      microseconds: distribute(microseconds(route)),
      cores: distribute(own.map(({ nanoseconds, seconds }) => nanoseconds / 1e9 / seconds)).median,
      p50: distribute(own.map(({ p50 }) => p50)).median,
      p99: distribute(own.map(({ p99 }) => p99)).median,
    })),
    comparisons: group.comparisons.map(([of, to, atMost]) => {
      const ratio = pair(microseconds(of), microseconds(to));
      return { of: of.name, to: to.name, ratio, atMost, verdict: atMost === null ? null : judge(ratio, atMost) };
    }),
  };
}

/** What runs a turn of a route with what the routes before it were answered, each time from where it stopped. */
export function makeTurns(group: Group, load: LoadGenerator) {
  const captured = new Map<Route, readonly string[]>();
  const positions = new Map<Route, number>();
  return async (route: Route, warming = false): Promise<TurnResult> => {
    const { name, method, status, url, captures = null, calls: given } = route;
    const once = "from" in given;
    const calls: readonly Call[] = once ? (captured.get(given.from) ?? []).map(given.make) : given;
    const first = once ? 0 : (positions.get(route) ?? 0);
    const full = captures === null ? (group.secondsPerTurn ?? SECONDS_PER_TURN) : SECONDS_PER_PRODUCING_TURN;
    const seconds = warming ? (group.warmingSeconds ?? WARMING_SECONDS) : full;
    const result = await load.run({ name, method, status, url, captures, calls, once, first, seconds });
    positions.set(route, first + result.requests);
    captured.set(route, result.captured);
    return result;
  };
}

const whole = (value: number): number => Math.round(value);
export const describe = ({ median, low, high }: Distribution, digits = 2): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;

export function printGroup({ title, routes, comparisons }: GroupReport): void {
  console.log(`\n${title}`);
  console.table(
    routes.map(({ name, requestsPerSecond, microseconds, cores, p50, p99 }) => ({
      route: name,
      "requests/s": whole(requestsPerSecond.median),
      "processor µs": whole(microseconds.median),
      cores: cores.toFixed(2),
      "p50 ms": p50.toFixed(2),
      "p99 ms": p99.toFixed(2),
    })),
  );
  console.table(
    comparisons.map(({ of, to, ratio, atMost, verdict }) => ({
      route: of,
      beside: to,
      "times its processor time": describe(ratio),
      "at most": atMost ?? "",
      verdict: verdict ?? "",
    })),
  );
}

/** Of what both runs measured, the ratios and the processor times: what differs beyond the noise, and of how many. */
export function compareReports(before: Report, after: Report) {
  const figures = ({ groups }: Report) =>
    new Map(
      groups.flatMap(({ title, routes, comparisons }) => [
        ...comparisons.map(({ of, to, ratio }) => [`${title}: ${of} beside ${to}`, ratio] as const),
        ...routes.map(({ name, microseconds }) => [`${title}: ${name}, µs`, microseconds] as const),
      ]),
    );
  const old = figures(before);
  const both = [...figures(after)].flatMap(([figure, now]) => {
    const then = old.get(figure);
    return then ? [{ figure, then, now }] : [];
  });
  const changes = both
    // what lies between the quartiles of the two runs has nothing in common
    .filter(({ then, now }) => now.low > then.high || now.high < then.low)
    .map(({ figure, then, now }) => ({
      ...{ figure, before: describe(then), after: describe(now) },
      change: now.median < then.median ? "better" : "worse",
    }));
  return { compared: both.length, changes };
}
