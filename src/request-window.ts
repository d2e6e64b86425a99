/** Requests counted by the second over the last five minutes: what the per-IP limit is decided on. Pure. */

export const WINDOW_SECONDS = 300;

/** Requests by the second (since 1970) in which they came: the form in which counts travel and rest. */
export type Counts = Record<number, number>;

export class RequestWindow {
  readonly #counts = new Map<number, number>();
  #total = 0;
  #prunedAt = 0;

  constructor(counts: Counts = {}) {
    this.merge(counts);
  }

  add(second: number, requests: number): void {
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + requests);
    this.#total += requests;
  }

  merge(counts: Counts): void {
    for (const [second, requests] of Object.entries(counts)) this.add(Number(second), requests);
  }

  /**
   * Requests in the window that ends in `second`. Since a second is counted as a whole, one more than the window's
   * is: so no five minutes, wherever they begin, hold more than this says.
   */
  count(second: number): number {
    if (second > this.#prunedAt) {
      for (const [at, requests] of this.#counts) {
        if (at >= second - WINDOW_SECONDS) continue;
        this.#counts.delete(at);
        this.#total -= requests;
      }
      this.#prunedAt = second;
    }
    return this.#total;
  }

  /** Seconds from `second` until the oldest counted requests leave the window. */
  secondsUntilRoom(second: number): number {
    const oldest = Math.min(...this.#counts.keys());
    return Math.max(1, oldest + WINDOW_SECONDS + 1 - second);
  }

  toCounts(): Counts {
    return Object.fromEntries(this.#counts);
  }
}
