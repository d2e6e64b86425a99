/** Requests counted by the second over the last five minutes: what the per-IP limit is decided on. Pure. */

export const WINDOW_SECONDS = 300;

/** Requests by the second (since 1970) in which they came: the form in which counts travel and rest. */
export type Counts = Record<number, number>;

export class RequestWindow {
  // two arrays in order of time: an isolate keeps thousands of windows, and a map of 300 seconds takes three times the room
  readonly #seconds: number[] = [];
  readonly #requests: number[] = [];
  #total = 0;

  constructor(counts: Counts = {}) {
    this.merge(counts);
  }

  /** Seconds with requests: what a window weighs. */
  get seconds(): number {
    return this.#seconds.length;
  }

  /** `requests` is negative where a request that was counted is taken back. */
  add(second: number, requests: number): void {
    this.#total += requests;
    // mostly the last one, or a new last one
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
   * Requests in the window that ends in `second`. Since a second is counted as a whole, one more than the window's
   * is: so no five minutes, wherever they begin, hold more than this says.
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

  /** Seconds from `second` until more requests pass than now: the oldest leave, or as many as are over `limit`. */
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
