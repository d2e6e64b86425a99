/** Interleaved load: every route in turn, round after round, by the same client, so that all meet the same machine. */
import autocannon from "autocannon";

export interface Route {
  readonly name: string;
  readonly method?: "GET" | "POST";
  readonly path: string;
  /** Sent in turn. */
  readonly requests: readonly { headers: Record<string, string>; body?: string }[];
  readonly expectedStatus: number;
}

export interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const CONNECTIONS = 8;
const SECONDS_PER_TURN = 2;
const ROUNDS = 2;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The median of all rounds. Throws when a route answers anything but what it should: that would measure an error page. */
export async function measure(url: string, routes: readonly Route[]): Promise<Measured[]> {
  const turns = new Map<string, Measured[]>(routes.map(({ name }) => [name, []]));
  const next = new Map<string, number>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const route of routes) {
      const result = await autocannon({
        url,
        connections: CONNECTIONS,
        duration: SECONDS_PER_TURN,
        requests: [
          {
            method: route.method ?? "GET",
            path: route.path,
            setupRequest: (request) => {
              const turn = next.get(route.name) ?? 0;
              next.set(route.name, turn + 1);
              return { ...request, ...route.requests[turn % route.requests.length] };
            },
          },
        ],
      });
      const statuses = Object.keys(result.statusCodeStats ?? {});
      if (statuses.some((status) => Number(status) !== route.expectedStatus))
        throw new Error(`${route.name}: answered ${statuses.join(" ")} where ${route.expectedStatus} belongs`);
      // the first round warms isolates and caches
      if (round === 0) continue;
      const { requests, latency } = result;
      turns
        .get(route.name)
        ?.push({ name: route.name, requestsPerSecond: requests.average, p50: latency.p50, p99: latency.p99 });
    }
  }
  return [...turns].map(([name, all]) => ({
    name,
    requestsPerSecond: median(all.map((turn) => turn.requestsPerSecond)),
    p50: median(all.map((turn) => turn.p50)),
    p99: median(all.map((turn) => turn.p99)),
  }));
}
