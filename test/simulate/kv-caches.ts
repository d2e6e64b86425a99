/** Workers KV: one central store, a cache at each hub for its region, and one at each location. */

export type KvAnswer = "location" | "region" | "central";

export class KvCaches {
  readonly #until = new Map<string, number>();
  readonly #seconds: number;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** Which of them answers a read at `second`; all on the way to it then keep the value. */
  read(key: string, location: string, hub: string, second: number): KvAnswer {
    const here = this.#fresh(`${location} ${key}`, second);
    const regional = here || this.#fresh(`${hub}: ${key}`, second);
    return here ? "location" : regional ? "region" : "central";
  }

  #fresh(key: string, second: number): boolean {
    if (second < (this.#until.get(key) ?? Number.NEGATIVE_INFINITY)) return true;
    this.#until.set(key, second + this.#seconds);
    return false;
  }
}
