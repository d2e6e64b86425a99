/**
 * Interleaved load: every route in turn, round after round, by the same client, so that all meet the same machine. Two
 * routes are compared within a round, where they ran moments apart; what counts is the median of the rounds.
 */
import autocannon from "autocannon";

export interface Call {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Route {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly status: number;
  /** Sent over and over; or made before each turn, outside the measured time, and then each is sent once at most. */
  readonly calls: readonly Call[] | (() => Promise<readonly Call[]>);
  /** Where the Worker serves, if it is not the service. */
  readonly url?: string;
}

interface Turn {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export type Measured = ReadonlyMap<Route, readonly Turn[]>;

const CONNECTIONS = 8;
const SECONDS_PER_TURN = 1;
const ROUNDS = 5;
/** The client prepares a few requests that it never sends. */
const SPARE_CALLS = 4 * CONNECTIONS;
/** For a turn whose requests are made one by one beforehand. */
export const CALLS_PER_TURN = 200;

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The turns of all rounds. Throws when a route answers anything but what it should: that would measure an error page. */
export async function measure(url: string, routes: readonly Route[]): Promise<Measured> {
  const turns = new Map<Route, Turn[]>(routes.map((route) => [route, []]));
  // forwards and backwards in turn, so that no route is always the one after
  for (let round = 0; round <= ROUNDS; round++)
    for (const route of round % 2 === 0 ? routes : routes.toReversed()) {
      const turn = await run(route.url ?? url, route);
      // the first round warms isolates and caches
      if (round > 0) turns.get(route)?.push(turn);
    }
  return turns;
}

const positions = new Map<Route, number>();

async function run(url: string, route: Route): Promise<Turn> {
  const once = typeof route.calls === "function";
  const calls = typeof route.calls === "function" ? await route.calls() : route.calls;
  let next = once ? 0 : (positions.get(route) ?? 0);
  const started = performance.now();
  let answered = started;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options: autocannon.Options = {
    url,
    connections: CONNECTIONS,
    ...(once ? { amount: calls.length - SPARE_CALLS } : { duration: SECONDS_PER_TURN }),
    requests: [
      {
        method: route.method,
        setupRequest: (request) => ({ ...request, ...calls[next++ % calls.length] }),
      },
    ],
  };
  const load = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
  load.on("response", () => {
    answered = performance.now();
  });
  const result = await promise;
  // the client itself ends at full seconds only
  const seconds = (answered - started) / 1000;
  positions.set(route, next);
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (statuses.length === 0 || statuses.some((status) => Number(status) !== route.status))
    throw new Error(`${route.name}: answered ${statuses.join(" ") || "nothing"} where ${route.status} belongs`);
  return {
    requestsPerSecond: result.requests.total / seconds,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
