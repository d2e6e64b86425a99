/** An operator in the console, by its browser. */
import type { StatusForm } from "./facts.ts";
import type { Random } from "./random.ts";
import type { Exchange } from "./requests.ts";
import { WATCHED_FI } from "./seed.ts";
import type { World } from "./world.ts";

/** What a browser sends with a form of the page that it shows. */
const OWN = { "Sec-Fetch-Site": "same-origin", Origin: "http://localhost" } as const;
const STATUS = "/console/institutions/status";

export class Officer {
  readonly #world: World;
  readonly #random: Random;
  #cookie: string | null = null;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  /** Asks for the form, and sends it some seconds later; again, while no answer or 503 comes, at most so many times. */
  async setStatus(to: StatusForm["to"], tries: number, sent: (change: StatusForm) => void): Promise<void> {
    await this.#send("POST", "/console/sign-in/operator", {});
    const form = await this.#send("GET", `${STATUS}?reference=${WATCHED_FI}&to=${to}`);
    if (form.status !== 200) return;
    const hidden = (form.page?.text ?? "").matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
    const fields = Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, value]));
    await this.#world.scheduler.sleep(this.#random.between(500, 5_000));
    for (let left = tries; left > 0; left--) {
      const { status } = await this.#send("POST", STATUS, fields, (exchange) => sent({ to, form, exchange }));
      if (status !== 0 && status < 500) return;
      await this.#world.scheduler.sleep(this.#random.between(500, 6_000));
    }
  }

  async #send(
    method: string,
    path: string,
    form?: Readonly<Record<string, string>>,
    sent?: (exchange: Exchange) => void,
  ): Promise<Exchange> {
    const location = this.#random.pick(this.#world.swarm.locations);
    const headers = { ...OWN, ...(this.#cookie !== null && { Cookie: this.#cookie }) };
    const answer = this.#world.requests.send(location, { method, path, headers, ...(form && { form }) }, this.#random);
    const exchange = this.#world.exchanges.at(-1);
    if (exchange) sent?.(exchange);
    const { page } = await answer;
    this.#cookie = page?.cookie?.split(";")[0] ?? this.#cookie;
    return await answer;
  }
}
