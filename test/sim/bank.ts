/** The clients of a history: a bank's backend, as it calls for its PSPs and customers, and sends again as real ones do. */
import { type Credentials, identify } from "../raw-bank.ts";
import { OTHER_CREDENTIALS, SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import type { Isolate } from "./isolate.ts";
import type { Random } from "./random.ts";
import type { Exchange } from "./requests.ts";
import type { World } from "./world.ts";

export const BANKS: readonly Credentials[] = [SANDBOX_CREDENTIALS, OTHER_CREDENTIALS];
/** The codes of the errors of an answer. */
export const errorsOf = ({ json }: Exchange): string[] =>
  (json?.errors ?? []).map((error: { code: string }) => error.code);

interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export class Bank {
  readonly fi: string;
  readonly world: World;
  readonly #identity: Readonly<Record<string, string>>;
  readonly #random: Random;

  constructor(world: World, credentials: Credentials, random: Random) {
    this.world = world;
    this.fi = credentials.fiReferenceId;
    this.#identity = identify(credentials);
    this.#random = random;
  }

  /** `sent`: what is to be known of it before its answer. `isolate`: which answers; else one of some location. */
  async call(
    method: string,
    path: string,
    call: Call = {},
    sent?: (exchange: Exchange) => void,
    isolate?: Isolate,
  ): Promise<Exchange> {
    const location = this.#random.pick(this.world.swarm.locations);
    const { headers = {}, body } = call;
    const request = { method, path, headers: { ...this.#identity, ...headers }, ...(body !== undefined && { body }) };
    const answer = this.world.requests.send(location, request, this.#random, isolate);
    const exchange = this.world.exchanges.at(-1);
    if (exchange) sent?.(exchange);
    return await answer;
  }

  /** As {@link call}, again some seconds later for as long as no answer or 503 comes. */
  async insist(
    tries: number,
    method: string,
    path: string,
    call: Call = {},
    sent?: (exchange: Exchange) => void,
  ): Promise<Exchange> {
    for (;;) {
      const exchange = await this.call(method, path, call, sent);
      if (--tries <= 0 || (exchange.status !== 0 && exchange.status < 500)) return exchange;
      await this.world.scheduler.sleep(this.#random.between(500, 6_000));
    }
  }
}
