/** Counts requests by second over the last five minutes, for the limit per IP. Pure. */

export const WINDOW_SECONDS = 300;
/** The clocks of two machines differ by less. What lies further ahead was counted before a clock was set back. */
const CLOCK_DIFFERENCE_SECONDS = 10;

/** Number of requests by second (since 1970): the format for transfer and storage. */
export type Counts = Record<number, number>;

/** Whether requests of the second `at` count in the window that ends in `second`, both since 1970. */
export const isInWindow = (at: number, second: number): boolean =>
  at >= second - WINDOW_SECONDS && at <= second + CLOCK_DIFFERENCE_SECONDS;

export class RequestWindow {
  // two arrays, ordered by time: an isolate holds thousands of windows, and a Map of 300 seconds takes three times that
  readonly #seconds: number[] = [];
  readonly #requests: number[] = [];
  #total = 0;

  constructor(counts: Counts = {}) {
    this.merge(counts);
  }

  /** The number of seconds with requests, which determines the window's size in memory. */
  get seconds(): number {
    return this.#seconds.length;
  }

  /** `second`: seconds since 1970. `requests` is negative to take back a counted request. */
  add(second: number, requests: number): void {
    this.#total += requests;
    // usually the last second, or a new last one
    let after = this.#seconds.length;
    while (after > 0 && (this.#seconds[after - 1] ?? 0) > second) after--;
    if (this.#seconds[after - 1] === second) {
      this.#requests[after - 1] = (this.#requests[after - 1] ?? 0) + requests;
    } else {
      this.#seconds.splice(after, 0, second);
      this.#requests.splice(after, 0, requests);
    }
  }

  merge(counts: Counts): void {
    for (const [second, requests] of Object.entries(counts)) this.add(Number(second), requests);
  }

  /**
   * Requests in the window that ends in `second` (since 1970); all others are forgotten. As only whole seconds are
   * counted, the window includes one more than WINDOW_SECONDS: no period of five minutes, whenever it starts, has more
   * requests than this.
   */
  count(second: number): number {
    let [from, to] = [0, this.#seconds.length];
    while (from < to && !isInWindow(this.#seconds[from] ?? 0, second)) this.#total -= this.#requests[from++] ?? 0;
    while (to > from && !isInWindow(this.#seconds[to - 1] ?? 0, second)) this.#total -= this.#requests[--to] ?? 0;
    for (const ordered of [this.#seconds, this.#requests]) {
      if (to < ordered.length) ordered.splice(to);
      if (from > 0) ordered.splice(0, from);
    }
    return this.#total;
  }

  /** Seconds from `second` until more requests pass: until the oldest, or all above `limit`, leave the window. */
  secondsUntilRoom(second: number, limit: number): number {
    let rest = this.#total;
    let leaves = second - WINDOW_SECONDS;
    for (const [i, at] of this.#seconds.entries()) {
      leaves = at;
      rest -= this.#requests[i] ?? 0;
      if (rest < limit) break;
    }
    return Math.max(1, leaves + WINDOW_SECONDS + 1 - second);
  }

  toCounts(): Counts {
    return Object.fromEntries(this.#seconds.map((second, i) => [second, this.#requests[i] ?? 0]));
  }
}
