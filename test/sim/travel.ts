/** A call to a store: it travels there, is carried out, and its answer travels back. Faults meet it on either way. */
import { currentInvocation } from "./invocation.ts";
import type { Isolate } from "./isolate.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Counters, Trace } from "./trace.ts";

export const STORES = ["D1", "KV", "R2", "object", "limiter", "queue"] as const;
export type Store = (typeof STORES)[number];

/**
 * What may happen to a call. `refused`: it fails before it took effect. `unanswered`: it took effect, and its caller gets an
 * error. `silent`: it never arrives, and nothing is answered. `mute`: it took effect, and nothing is answered. `late`: it is
 * carried out up to a minute later, and nothing is answered.
 */
export const FATES = ["refused", "unanswered", "silent", "mute", "late"] as const;
export type Fate = (typeof FATES)[number];

/** Some seconds in which most calls of a store fail. */
export interface Outage {
  readonly store: Store;
  /** Null: everywhere. */
  readonly location: string | null;
  readonly from: number;
  readonly until: number;
  readonly fates: readonly Fate[];
  readonly share: number;
  /** What only reads is answered: an act comes as far as what it changes. */
  readonly ofWrites: boolean;
}

/** As the stores' bindings name what they ask. */
const READS = /^(?:SELECT|get|list|head)\b[^|]*(?:\| SELECT\b[^|]*)*$/;

/** What counts as a connection of a request (Cloudflare, limits of Workers). */
const CONNECTIONS: ReadonlySet<Store> = new Set(["KV", "R2", "queue"]);

/** Half of them come when the caller has given up, and its client tries again. */
const LATE_MS = { usual: [1_000, 60_000], soon: [4_000, 12_000], soonShare: 0.5 } as const;
/** Most answers come soon, some do not. */
const TRIP_MS = { usual: [1, 12], slow: [20, 400], slowShare: 0.05 } as const;

/** Who calls: a request's isolate, or a Durable Object, whose messages wait until what it wrote is durable. */
export interface Caller {
  readonly isolate: Isolate;
  readonly gate?: () => Promise<void>;
}

/** What an error of the platform looks like. */
class PlatformError extends Error {
  readonly remote = true;
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.retryable = retryable;
  }
}

export const networkLost = () => new PlatformError("Network connection lost.", true);
const internal = () => new PlatformError("internal error", false);

export interface TravelParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly outages: readonly Outage[];
  /** Of calls outside of outages. */
  readonly strayShare: number;
  readonly counters: Counters;
  readonly trace: Trace;
  /** After each step of a store. */
  readonly stepped: (store: Store) => void;
}

export class Travel {
  readonly #parts: TravelParts;
  #healed = false;

  constructor(parts: TravelParts) {
    this.#parts = parts;
  }

  /** From now on no call fails. */
  heal(): void {
    this.#healed = true;
  }

  trip(): number {
    const { random } = this.#parts;
    const [from, to] = random.chance(TRIP_MS.slowShare) ? TRIP_MS.slow : TRIP_MS.usual;
    return random.between(from, to);
  }

  /** `act` is carried out in one step, at the store. */
  call<Result>(caller: Caller, store: Store, what: string, act: () => Result): Promise<Result> {
    return this.send(caller, store, what, (answer, fail) => {
      let result: Result;
      try {
        result = act();
      } catch (error) {
        this.#parts.stepped(store);
        fail(error);
        return;
      }
      this.#parts.stepped(store);
      answer(result);
    });
  }

  /** As {@link call}; `arrive` may answer later. */
  async send<Result>(
    caller: Caller,
    store: Store,
    what: string,
    arrive: (answer: (result: Result) => void, fail: (error: unknown) => void) => void,
  ): Promise<Result> {
    const { isolate, gate } = caller;
    if (gate) await gate();
    const invocation = currentInvocation();
    const connects = invocation !== undefined && CONNECTIONS.has(store);
    if (connects) await invocation.connect();
    const { scheduler, random, counters, trace } = this.#parts;
    const fate = this.#draw(store, isolate.location, what);
    const there = this.trip();
    if (fate) counters.fault(`${store} ${fate}`);
    trace.note(() => `${isolate.name} asks ${store}: ${what}${fate ? ` (${fate})` : ""}`);
    return await new Promise<Result>((resolve, reject) => {
      const returned = (run: () => void) => () => {
        if (connects) invocation.disconnect();
        if (invocation?.isOver) counters.fault("an answer comes after its request");
        else run();
      };
      const back = (run: () => void) => isolate.after(this.trip(), returned(run));
      const done = (result: Result) => {
        if (fate === null) back(() => resolve(result));
        else if (fate === "unanswered") back(() => reject(internal()));
      };
      const failed = (error: unknown) => {
        if (fate === null || fate === "unanswered") back(() => reject(error));
      };
      if (fate === "silent") return;
      if (fate === "refused") {
        const error = random.chance(0.5) ? networkLost() : internal();
        isolate.after(
          there,
          returned(() => reject(error)),
        );
        return;
      }
      const delay = fate === "late" ? this.#drawLateness() : there;
      // what was sent arrives, also when its sender has died
      scheduler.after(delay, () => {
        if (fate === "late") trace.note(() => `${store} carries out late: ${what}`);
        arrive(done, failed);
      });
    });
  }

  #drawLateness(): number {
    const { random } = this.#parts;
    const [from, to] = random.chance(LATE_MS.soonShare) ? LATE_MS.soon : LATE_MS.usual;
    return random.between(from, to);
  }

  #draw(store: Store, location: string, what: string): Fate | null {
    const { outages, scheduler, random, strayShare } = this.#parts;
    if (this.#healed) return null;
    const { now } = scheduler;
    const outage = outages.find(
      (each) =>
        each.store === store &&
        (each.location === null || each.location === location) &&
        each.from <= now &&
        now < each.until,
    );
    if (outage?.ofWrites && READS.test(what)) return null;
    if (outage) return random.chance(outage.share) ? random.pick(outage.fates) : null;
    return strayShare > 0 && random.chance(strayShare) ? random.pick(FATES) : null;
  }
}
