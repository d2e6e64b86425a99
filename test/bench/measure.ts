/** The rounds of a group: every route in turn, by the same client, so that all meet the same machine. */
import type { Group } from "./group.ts";
import type { Call, LoadGenerator, Route, TurnResult } from "./load.ts";
import { processorNanoseconds } from "./process-usage.ts";

const ROUNDS = 7;
const SECONDS_PER_TURN = 2;
/** Of a route whose answers another one needs, so that there are enough for a turn of that one. */
const SECONDS_PER_PRODUCING_TURN = 2.1;
/** Warms isolates, the compiler and caches; not counted. */
const WARMING_SECONDS = 0.4;

/** A turn of a route. */
export interface Measure {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of workerd for each request, all threads, with the local stores. */
  readonly microseconds: number;
  /** Cores that workerd had: below 1 it waited for the load generator or for the machine. */
  readonly cores: number;
}

export type Measured = ReadonlyMap<Route, readonly Measure[]>;

/** `pid`: of workerd. */
export async function measure(group: Group, load: LoadGenerator, pid: number): Promise<Measured> {
  const routes = group.steps.flat();
  const turns = new Map<Route, Measure[]>(routes.map((route) => [route, []]));
  const captured = new Map<Route, readonly string[]>();
  const positions = new Map<Route, number>();

  const run = async (route: Route, warming: boolean): Promise<Measure> => {
    await route.before?.();
    const full = route.captures === undefined ? (group.secondsPerTurn ?? SECONDS_PER_TURN) : SECONDS_PER_PRODUCING_TURN;
    const [calls, once] = callsOf(route, captured);
    const first = once ? 0 : (positions.get(route) ?? 0);
    const { name, method, status, url, captures = null } = route;
    const seconds = warming ? (group.warmingSeconds ?? WARMING_SECONDS) : full;
    const began = await processorNanoseconds(pid);
    const result = await load.run({ name, method, status, url, captures, calls, once, first, seconds });
    const nanoseconds = (await processorNanoseconds(pid)) - began;
    positions.set(route, first + result.requests);
    captured.set(route, result.captured);
    return {
      requestsPerSecond: result.requests / result.seconds,
      p50: result.p50,
      p99: result.p99,
      microseconds: nanoseconds / 1000 / result.requests,
      cores: nanoseconds / 1e9 / result.seconds,
    };
  };

  for (let round = 0; round <= ROUNDS; round++)
    for (const step of group.steps)
      for (const route of round % 2 === 0 ? step : step.toReversed()) {
        const turn = await run(route, round === 0);
        if (round > 0) turns.get(route)?.push(turn);
      }
  return turns;
}

/** One turn of each route, in order; `around` is given the route and its turn to run. */
export async function runOnce(
  group: Group,
  load: LoadGenerator,
  around: (route: Route, run: () => Promise<TurnResult>) => Promise<TurnResult>,
): Promise<void> {
  const captured = new Map<Route, readonly string[]>();
  for (const route of group.steps.flat()) {
    const [calls, once] = callsOf(route, captured);
    const { name, method, status, url, captures = null } = route;
    const turn = { name, method, status, url, captures, calls, once, first: 0, seconds: SECONDS_PER_TURN };
    const result = await around(route, () => load.run(turn));
    captured.set(route, result.captured);
  }
}

/** And whether each may be sent once only. */
function callsOf(
  { calls }: Route,
  captured: ReadonlyMap<Route, readonly string[]>,
): [calls: readonly Call[], once: boolean] {
  if (!("from" in calls)) return [calls, false];
  return [(captured.get(calls.from) ?? []).map(calls.make), true];
}
