/** How long one call takes at the edge, from a location to a store, and in the regional server's city. */
import { type Assumptions, KV_CENTRAL } from "./assumptions.ts";
import { nearest, roundTripMs } from "./distance.ts";
import type { KvAnswer } from "./kv-caches.ts";
import { EDGE_LOCATIONS, edgeLocation, type Place } from "./places.ts";
import type { Random } from "./random.ts";

const HUBS = EDGE_LOCATIONS.filter(({ hub }) => hub);
const CENTRAL = KV_CENTRAL.map(edgeLocation);

const firstOf = (places: readonly Place[]): Place => {
  const [place] = places;
  if (!place) throw new Error("no place to go to");
  return place;
};
const hubs = new Map(EDGE_LOCATIONS.map((place) => [place, firstOf(nearest(place, HUBS))]));
export const hubOf = (place: Place): Place => hubs.get(place) ?? firstOf(nearest(place, HUBS));

/** Until so many of the nearest other hubs have confirmed a write. */
export function confirmationMs(home: Place, confirmations: number): number {
  const others = nearest(home, HUBS).filter((hub) => hub !== home);
  const last = others[confirmations - 1];
  return last ? roundTripMs(home, last) : 0;
}

const centrals = new Map(HUBS.map((hub) => [hub, firstOf(nearest(hub, CENTRAL))]));

/** The times of single calls; `luck` draws what is not certain of them. */
export class Ways {
  readonly #assumptions: Assumptions;
  readonly #confirmations = new Map<Place, number>();

  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }

  /** There and back. Nothing where both are one. */
  travel(luck: Random, from: Place, to: Place): number {
    if (from === to) return 0;
    const { jitterShare, hopMs } = this.#assumptions;
    const light = roundTripMs(from, to);
    return light + hopMs + luck.exponential(light * jitterShare);
  }

  /** A statement or a call at its home; a write is confirmed by other hubs. */
  call(luck: Random, from: Place, home: Place, writes: boolean): number {
    const { statementMs, confirmations } = this.#assumptions;
    const work = luck.exponential(statementMs);
    if (!writes) return this.travel(luck, from, home) + work;
    const confirmed = this.#confirmations.get(home) ?? confirmationMs(home, confirmations);
    this.#confirmations.set(home, confirmed);
    return this.travel(luck, from, home) + work + confirmed;
  }

  kv(luck: Random, from: Place, answer: KvAnswer): number {
    const { kvCachedMs, kvStoreMs } = this.#assumptions;
    const cached = luck.exponential(kvCachedMs);
    if (answer === "location") return cached;
    const hub = hubOf(from);
    const regional = cached + this.travel(luck, from, hub);
    if (answer === "region") return regional;
    return regional + this.travel(luck, hub, centrals.get(hub) ?? firstOf(CENTRAL)) + luck.exponential(kvStoreMs);
  }

  /** The regional server's own database. */
  region(luck: Random, writes: boolean): number {
    const { regionReadMs, regionWriteMs, statementMs } = this.#assumptions;
    return (writes ? regionWriteMs : regionReadMs) + luck.exponential(statementMs);
  }
}
