/** Counts requests by second over the last five minutes, for the limit per IP. Pure. */

export const WINDOW_SECONDS = 300;

/** Number of requests by second (since 1970): the format for transfer and storage. */
export type Counts = Record<number, number>;

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
   * Requests in the window that ends in `second` (since 1970). As only whole seconds are counted, the window includes
   * one more than WINDOW_SECONDS: no period of five minutes, whenever it starts, has more requests than this.
   */
  count(second: number): number {
    let left = 0;
    for (const at of this.#seconds) {
      if (at >= second - WINDOW_SECONDS) break;
      this.#total -= this.#requests[left++] ?? 0;
    }
    if (left > 0) {
      this.#seconds.splice(0, left);
      this.#requests.splice(0, left);
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
