/** A browser with the console open. */
import type { Random } from "./random.ts";
import type { Exchange } from "./requests.ts";
import type { World } from "./world.ts";

/** What it sends with a form of the page that it shows. */
const OWN = { "Sec-Fetch-Site": "same-origin", Origin: "http://localhost" } as const;

/** What a form of a page sends unseen. */
export const hiddenFields = ({ page }: Exchange): Record<string, string> =>
  Object.fromEntries(
    Array.from((page?.text ?? "").matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [
      name,
      value,
    ]),
  );

export class Browser {
  readonly #world: World;
  readonly #random: Random;
  #cookie: string | null = null;

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async send(
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

  /** So long as somebody looks at a page. */
  async wait(from: number, to: number): Promise<void> {
    await this.#world.scheduler.sleep(this.#random.between(from, to));
  }
}
