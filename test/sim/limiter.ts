/** The platform's rate limiter: counts by location, in whole periods. */
import type { Scheduler } from "./scheduler.ts";
import type { Caller, Travel } from "./travel.ts";

export class Limiter {
  readonly counts = new Map<string, number>();
}

export class LimiterBinding {
  readonly #store: Limiter;
  readonly #limit: number;
  readonly #travel: Pick<Travel, "call">;
  readonly #caller: Caller;
  readonly #scheduler: Pick<Scheduler, "now">;

  constructor(
    store: Limiter,
    limit: number,
    travel: Pick<Travel, "call">,
    caller: Caller,
    scheduler: Pick<Scheduler, "now">,
  ) {
    this.#store = store;
    this.#limit = limit;
    this.#travel = travel;
    this.#caller = caller;
    this.#scheduler = scheduler;
  }

  limit({ key }: { readonly key: string }): Promise<{ success: boolean }> {
    return this.#travel.call(this.#caller, "limiter", "limit", () => {
      const minute = Math.floor(this.#scheduler.now / 60_000);
      const place = `${this.#caller.isolate.location} ${key} ${minute}`;
      const count = (this.#store.counts.get(place) ?? 0) + 1;
      this.#store.counts.set(place, count);
      return { success: count <= this.#limit };
    });
  }
}
