/** A `fetch` that plays a list of answers, and what it was asked. */
import { PspGate, type PspGateOptions, type Version } from "../../../src/client/index.ts";

/** One that throws stands for a connection that fails. */
export type Play = () => Response | Promise<Response>;

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly init: RequestInit;
}

export const SECRET = "s3cret-of-the-bank";

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Play =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });

/** An error of the service. */
export const refusal = (status: number, code: string, headers: Record<string, string> = {}): Play =>
  json(
    status,
    { errors: [{ id: "request-1", code, title: `title of ${code}`, link: `https://gate.test/errors#${code}` }] },
    { "x-request-id": "request-1", ...headers },
  );

export const lost: Play = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });
};

/** A client whose service plays these answers in turn, the last one again and again. `random` is 0. */
export function makeClient<V extends Version = "1">(plays: readonly Play[], options: Partial<PspGateOptions<V>> = {}) {
  const asked: Asked[] = [];
  const gate = new PspGate<V>({
    baseUrl: "https://gate.test",
    clientId: "my-bank",
    clientSecret: SECRET,
    fiReferenceId: "PSDXX-TEST-FI0001",
    retry: { random: () => 0 },
    fetch: async (url, init) => {
      const { method = "", headers, body } = init;
      const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined;
      asked.push({ url, method, headers: new Headers(headers), body: text, init });
      const play = plays[Math.min(asked.length, plays.length) - 1];
      if (!play) throw new Error("nothing to play");
      return play();
    },
    ...options,
  });
  return { gate, asked };
}

/** What a promise throws. */
export const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    (value) => {
      throw new Error(`nothing was thrown, but answered: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
