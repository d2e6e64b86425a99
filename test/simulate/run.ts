/** One run: each request of the traffic under each design, meeting the same isolates, caches and luck. Pure. */
import { type Assumptions, D1_HOMES, type D1Home, REGION_SERVER } from "./assumptions.ts";
import { Isolate } from "./isolate.ts";
import { type KvAnswer, KvCaches } from "./kv-caches.ts";
import { edgeLocation, type Place } from "./places.ts";
import { Random } from "./random.ts";
import { type Operation, ROUNDS, type Rounds, type State, type Store } from "./rounds.ts";
import { makeTraffic, type Request } from "./traffic.ts";
import { hubOf, Ways } from "./ways.ts";

export const DESIGNS = {
  edge: "this service",
  withoutReadAhead: "without read-ahead",
  callerNearby: "callers in the location's cache",
  region: `one server in ${REGION_SERVER}`,
} as const;
export type Design = keyof typeof DESIGNS;

/** What was measured and counted elsewhere. */
export interface Inputs {
  /** Of the processor, for one request that meets an isolate in this state. */
  readonly processorMs: (operation: Operation, state: Exclude<State, "withoutReadAhead">) => number;
  /** Of the processor, until a new isolate can answer. */
  readonly startMs: number;
  /** Of the processor, for the first request of an isolate beside a later one: V8 compiles what it calls for the first time. */
  readonly firstMs: (operation: Operation) => number;
  /** Operations whose last call of D1 writes. */
  readonly writing: ReadonlySet<Operation>;
}

export interface Sample {
  readonly bank: string;
  readonly operation: Operation;
  readonly state: Exclude<State, "withoutReadAhead">;
  /** The same if one memory served all banks. */
  readonly regionState: Sample["state"];
  readonly ms: Record<D1Home, Record<Design, number>>;
}

const HOMES = Object.entries(D1_HOMES).map(([home, city]) => [home as D1Home, edgeLocation(city)] as const);
const REGION = edgeLocation(REGION_SERVER);
const STORES: readonly Store[] = ["DB", "KV", "AUTHORIZATION_CODE"];
const SLOWER: readonly KvAnswer[] = ["location", "region", "central"];

export function simulate(assumptions: Assumptions, inputs: Inputs): Sample[] {
  const random = new Random(assumptions.seed);
  const ways = new Ways(assumptions);
  const caches = new KvCaches(assumptions.kvCacheSeconds);
  const callers = new KvCaches(assumptions.callerSeconds);
  const isolates = new Map<string, Isolate>();
  const regional = new Isolate();

  const readKv = ({ psp, location, second }: Request): KvAnswer => {
    const keys = [`psp ${psp}`, `qtsp ${psp % assumptions.qtsps}`];
    const answers = keys.map((key) => caches.read(key, location.name, hubOf(location).name, second));
    return SLOWER.findLast((answer) => answers.includes(answer)) ?? "location";
  };

  return makeTraffic(assumptions, random).map((request) => {
    const { bank, operation, location, second } = request;
    const psp = operation === "tokenList" ? null : String(request.psp);
    const place = `${location.name} ${random.below(assumptions.isolates)}`;
    const fresh = random.chance(assumptions.freshShare);
    const isolate = fresh ? new Isolate() : (isolates.get(place) ?? new Isolate());
    isolates.set(place, isolate);
    const state = isolate.meet(bank.name, psp, second);
    const regionState = regional.meet(bank.name, psp, second);
    const kept = state === "warm" ? "location" : readKv(request);
    const seed = random.below(2 ** 32);
    const writes = inputs.writing.has(operation);
    const codeHome = hubOf(request.issuedAt);
    const newObject = operation === "code" || operation === "obieCode" ? assumptions.newObjectMs : 0;

    // as quick as a cached value of KV. Its isolates would forget a caller when the cache does: they are taken to remember it longer
    const callerHere =
      state === "cold" && callers.read(bank.name, location.name, hubOf(location).name, second) === "location";
    const start = fresh ? inputs.startMs + inputs.firstMs(operation) : 0;
    const arriving = ways.travel(new Random(seed), bank, location) + start + inputs.processorMs(operation, state);
    const atEdge = (rounds: Rounds, home: Place, isNearby = false) =>
      arriving +
      wait(rounds, seed, (store, luck, last, first) => {
        if (store === "KV") return ways.kv(luck, location, kept);
        if (isNearby && first && store === "DB") return ways.kv(luck, location, "location");
        if (store === "DB") return ways.call(luck, location, home, writes && last);
        return ways.call(luck, location, codeHome, true) + newObject;
      });
    const region =
      ways.travel(new Random(seed), bank, REGION) +
      inputs.processorMs(operation, regionState) +
      wait(ROUNDS[operation][regionState], seed, (store, luck, last) =>
        ways.region(luck, store === "AUTHORIZATION_CODE" || (store === "DB" && writes && last)),
      );
    const ms = Object.fromEntries(
      HOMES.map(([name, home]) => {
        const edge = atEdge(ROUNDS[operation][state], home);
        const withoutReadAhead = state === "cold" ? atEdge(ROUNDS[operation].withoutReadAhead, home) : edge;
        const callerNearby = callerHere ? atEdge(ROUNDS[operation][state], home, true) : edge;
        return [name, { edge, withoutReadAhead, callerNearby, region }];
      }),
    ) as Sample["ms"];
    return { bank: bank.name, operation, state, regionState, ms };
  });
}

/**
 * Rounds one after another, the calls of each at once. A request's second call of a store has the same luck under each
 * design, so that they differ by nothing else. `last`: whether it is the last call of its store; `first`: of the first round.
 */
function wait(
  rounds: Rounds,
  seed: number,
  call: (store: Store, luck: Random, last: boolean, first: boolean) => number,
): number {
  const left = rounds.flat();
  let sum = 0;
  for (const [i, round] of rounds.entries()) {
    const times = round.map((store) => {
      left.splice(left.indexOf(store), 1);
      const following = left.filter((one) => one === store).length;
      return call(store, new Random(seed + 1 + 3 * following + STORES.indexOf(store)), following === 0, i === 0);
    });
    sum += Math.max(...times);
  }
  return sum;
}
