/**
 * What a bank waits for: the counted rounds laid over distances, with measured processor times, beside the same service as one
 * region's server, without read-ahead, and with callers in the location's cache. Each request of the traffic meets the same
 * isolates, caches and luck under each design. Pure.
 */
import { Random, weighted, zipf } from "../random.ts";
import { COUNTED } from "../worker/costs/billed.ts";
import { type Operation, ROUNDS, type Rounds, type State, type Store } from "../worker/costs/rounds.ts";
import {
  BANKS,
  centralOf,
  confirmationMs,
  hubOf,
  LOCATIONS,
  locationOf,
  nearest,
  type Place,
  wayFrom,
} from "./places.ts";

/** What nobody measured for this service. */
export const ASSUMED = {
  seed: 1,
  requestsPerBank: 8_000,
  /** Of one bank, at even chances in time (Poisson). */
  requestsPerSecond: 5,
  /** The banks' PSPs, by Zipf's law: the n-th calls 1/n as often as the first. */
  psps: 300,
  qtsps: 20,
  /** At a location, for this Worker; a request meets any of them. An isolate knows a caller and a PSP for so long. */
  isolates: 3,
  callerSeconds: 60,
  pspSeconds: 30,
  /** Share of the requests that meet an isolate that has just been started; that the network leads to the second nearest location. */
  freshShare: 0.1,
  detourShare: 0.02,
  /** Each way takes this share of its light's time more, on average (exponential). */
  jitterShare: 0.05,
  /** Work of each network hop that is not light: switches, TLS records, the platform's own proxies. */
  hopMs: 0.5,
  /** A read of KV that the location's cache answers, on average; what a central store adds to the way; KV's default of its caches. */
  kvCachedMs: 1.5,
  kvStoreMs: 4,
  kvCacheSeconds: 60,
  /** A statement in D1 or a call of a Durable Object beside its way, on average; a Durable Object that is called for the first time. */
  statementMs: 1,
  newObjectMs: 3,
  /** The regional server's database: in the same city, its replica for writes in another building. */
  regionReadMs: 1,
  regionWriteMs: 2,
  /** From a code to its redemption: the customer's browser goes to the PSP, and the PSP calls the bank. */
  redeemedAfterSeconds: 3,
} as const;

/** D1 is in Western Europe. */
const HOME = "Amsterdam";
const REGION_SERVER = "Frankfurt";

/** How often each operation is asked, beside the others. A redemption follows each code. */
const MIX: Record<Exclude<Operation, "redemption" | "obieRedemption">, number> = {
  ...{ check: 35, checkAbroad: 35, code: 5, ccgToken: 1, consent: 3, consentInformation: 2, obieCode: 5 },
  ...{ tokenInformation: 10, tokenList: 1, introspection: 3 },
};

export const DESIGNS = {
  edge: "this service",
  withoutReadAhead: "without read-ahead",
  callerNearby: "callers in the location's cache",
  region: `one server in ${REGION_SERVER}`,
} as const;
export type Design = keyof typeof DESIGNS;
export type Met = Exclude<State, "withoutReadAhead">;

export interface Sample {
  readonly operation: Operation;
  readonly state: Met;
  /** The same if one memory served all banks. */
  readonly regionState: Met;
  readonly ms: Readonly<Record<Design, number>>;
}

/** Of the processor, in milliseconds: of a request, of a new isolate until it can answer, and of its first request above a later one. */
export interface ProcessorTimes {
  readonly request: (operation: Operation, state: Met) => number;
  readonly start: number;
  readonly first: (operation: Operation) => number;
}

/** There and back. Nothing where both are one. */
function travel(luck: Random, from: Place, to: Place): number {
  if (from === to) return 0;
  const light = wayFrom(from)(to);
  return light + ASSUMED.hopMs + luck.exponential(light * ASSUMED.jitterShare);
}

/** A statement or a call at its home; a write is confirmed by other hubs. */
function callStore(luck: Random, from: Place, home: Place, writes: boolean): number {
  const work = luck.exponential(ASSUMED.statementMs);
  return travel(luck, from, home) + work + (writes ? confirmationMs(home) : 0);
}

type KvAnswer = "location" | "region" | "central";

function readKv(luck: Random, from: Place, answer: KvAnswer): number {
  const cached = luck.exponential(ASSUMED.kvCachedMs);
  if (answer === "location") return cached;
  const hub = hubOf(from);
  const regional = cached + travel(luck, from, hub);
  if (answer === "region") return regional;
  return regional + travel(luck, hub, centralOf(hub)) + luck.exponential(ASSUMED.kvStoreMs);
}

/** What is remembered of a key ends by its age, however often it is used. Answers whether it was known, and notes it. */
class Memory {
  readonly #until = new Map<string, number>();

  recall(key: string, seconds: number, now: number): boolean {
    if (now < (this.#until.get(key) ?? Number.NEGATIVE_INFINITY)) return true;
    this.#until.set(key, now + seconds);
    return false;
  }

  /** Of an isolate. `psp`: null where none is needed. */
  meet(caller: string, psp: string | null, now: number): Met {
    const callerKnown = this.recall(`caller ${caller}`, ASSUMED.callerSeconds, now);
    const pspKnown = psp === null || this.recall(`psp ${psp}`, ASSUMED.pspSeconds, now);
    return callerKnown ? (pspKnown ? "warm" : "unread") : "cold";
  }

  /** Of KV's caches, one at each location and one at each hub for its region: all on the way then keep the value. */
  readKv(key: string, { name }: Place, hub: Place, now: number): KvAnswer {
    const here = this.recall(`${name} ${key}`, ASSUMED.kvCacheSeconds, now);
    const regional = here || this.recall(`${hub.name}: ${key}`, ASSUMED.kvCacheSeconds, now);
    return here ? "location" : regional ? "region" : "central";
  }
}

interface Request {
  readonly second: number;
  readonly bank: Place;
  readonly operation: Operation;
  readonly psp: number;
  /** Where it arrives; of a redemption, where its code was issued. */
  readonly location: Place;
  readonly issuedAt: Place;
}

/** The requests of all banks, in the order of their time. */
function makeTraffic(random: Random): Request[] {
  const [names, drawOperation] = [Object.keys(MIX) as (keyof typeof MIX)[], weighted(Object.values(MIX))];
  const drawPsp = weighted(zipf(ASSUMED.psps));
  return BANKS.flatMap((bank) => {
    const [near, next] = nearest(bank, LOCATIONS) as [Place, Place];
    const arrive = () => (random.chance(ASSUMED.detourShare) ? next : near);
    const requests: Request[] = [];
    for (let second = 0; requests.length < ASSUMED.requestsPerBank; ) {
      second += random.exponential(1 / ASSUMED.requestsPerSecond);
      const operation = names[drawOperation(random)] ?? "check";
      const location = arrive();
      const request = { second, bank, operation, psp: drawPsp(random), location, issuedAt: location };
      requests.push(request);
      if (operation !== "code" && operation !== "obieCode") continue;
      const later = second + random.exponential(ASSUMED.redeemedAfterSeconds);
      const redemption = operation === "code" ? "redemption" : "obieRedemption";
      requests.push({ ...request, operation: redemption, second: later, location: arrive() });
    }
    return requests;
  }).toSorted((a, b) => a.second - b.second);
}

const STORES: readonly Store[] = ["DB", "KV", "AUTHORIZATION_CODE"];
const SLOWER: readonly KvAnswer[] = ["location", "region", "central"];

export function simulate(times: ProcessorTimes): Sample[] {
  const random = new Random(ASSUMED.seed);
  const [caches, callers, regional, isolates] = [new Memory(), new Memory(), new Memory(), new Map<string, Memory>()];
  const [home, region] = [locationOf(HOME), locationOf(REGION_SERVER)];
  return makeTraffic(random).map((request) => {
    const { bank, operation, location, second, issuedAt } = request;
    const hub = hubOf(location);
    const psp = operation === "tokenList" ? null : String(request.psp);
    const place = `${location.name} ${random.below(ASSUMED.isolates)}`;
    const isFresh = random.chance(ASSUMED.freshShare);
    const isolate = (isFresh ? null : isolates.get(place)) ?? new Memory();
    isolates.set(place, isolate);
    const [state, regionState] = [isolate.meet(bank.name, psp, second), regional.meet(bank.name, psp, second)];
    const keys = state === "warm" ? [] : [`psp ${request.psp}`, `qtsp ${request.psp % ASSUMED.qtsps}`];
    const answers = keys.map((key) => caches.readKv(key, location, hub, second));
    const kv = SLOWER.findLast((answer) => answers.includes(answer)) ?? "location";
    const seed = random.below(2 ** 32);
    const writes = COUNTED.requests[operation].warm.d1RowsWritten > 0;
    const newObject = operation === "code" || operation === "obieCode" ? ASSUMED.newObjectMs : 0;
    // as quick as a cached value of KV. Its isolates would forget a caller when the cache does: they are taken to remember it longer
    const callerHere = state === "cold" && callers.readKv(bank.name, location, hub, second) === "location";
    const start = isFresh ? times.start + times.first(operation) : 0;
    const arriving = travel(new Random(seed), bank, location) + start + times.request(operation, state);
    const atEdge = (rounds: Rounds, isNearby = false) =>
      arriving +
      wait(rounds, seed, (store, luck, isLast, isFirst) => {
        if (store === "KV") return readKv(luck, location, kv);
        if (isNearby && isFirst && store === "DB") return readKv(luck, location, "location");
        if (store === "DB") return callStore(luck, location, home, writes && isLast);
        return callStore(luck, location, hubOf(issuedAt), true) + newObject;
      });
    const inRegion =
      travel(new Random(seed), bank, region) +
      times.request(operation, regionState) +
      wait(ROUNDS[operation][regionState], seed, (store, luck, isLast) => {
        const isWrite = store === "AUTHORIZATION_CODE" || (store === "DB" && writes && isLast);
        return (isWrite ? ASSUMED.regionWriteMs : ASSUMED.regionReadMs) + luck.exponential(ASSUMED.statementMs);
      });
    const edge = atEdge(ROUNDS[operation][state]);
    const withoutReadAhead = state === "cold" ? atEdge(ROUNDS[operation].withoutReadAhead) : edge;
    const callerNearby = callerHere ? atEdge(ROUNDS[operation][state], true) : edge;
    return { operation, state, regionState, ms: { edge, withoutReadAhead, callerNearby, region: inRegion } };
  });
}

/**
 * Rounds one after another, the calls of each at once. A request's second call of a store has the same luck under each design,
 * so that they differ by nothing else. `isLast`: whether it is the last call of its store; `isFirst`: of the first round.
 */
function wait(
  rounds: Rounds,
  seed: number,
  call: (store: Store, luck: Random, isLast: boolean, isFirst: boolean) => number,
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
