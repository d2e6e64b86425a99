/** The load generator's process. It reads all of every answer. */
import { Client } from "undici";
import type { Message, Turn, TurnResult } from "./generator-process.ts";
import type { Mix } from "./mix.ts";
import type { Call } from "./routes.ts";

const CONNECTIONS = 16;
/** A turn is longer than it should be until so many were answered: the first request may wait for a store to open. */
const MIN_REQUESTS = 8 * CONNECTIONS;
const MAX_SECONDS = 60;

async function run(turn: Turn): Promise<TurnResult> {
  const { method, calls, once } = turn;
  if (calls.length === 0 || (once && calls.length < MIN_REQUESTS))
    throw new Error(`there are ${calls.length} calls to send, which are too few`);
  const pattern = turn.captures === null ? null : new RegExp(turn.captures);
  const captured: string[] = [];
  const latencies: number[] = [];
  const started = performance.now();
  let [sent, answered, over] = [0, started, false];

  const take = (): Call | undefined =>
    over || (once && sent === calls.length) ? undefined : calls[(turn.first + sent++) % calls.length];
  const sendAll = async (client: Client) => {
    for (let call = take(); call; call = take()) {
      const began = performance.now();
      const { path, headers, body = "" } = call;
      const response = await client.request({ method, path, headers, body: method === "GET" ? null : body });
      const text = await response.body.text();
      answered = performance.now();
      if (response.statusCode !== turn.status)
        throw new Error(`answered ${response.statusCode} where ${turn.status} belongs: ${text}`);
      const found = pattern?.exec(text)?.[1];
      if (found !== undefined) captured.push(found);
      latencies.push(answered - began);
      const seconds = (answered - started) / 1000;
      over ||= (latencies.length >= MIN_REQUESTS && seconds >= turn.seconds) || seconds >= MAX_SECONDS;
    }
  };
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(turn.url, { pipelining: 1 }));
  try {
    await Promise.all(clients.map(sendAll));
  } finally {
    over = true;
    await Promise.all(clients.map((client) => client.close()));
  }
  latencies.sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.ceil(share * latencies.length) - 1] ?? Number.NaN;
  const seconds = (answered - started) / 1000;
  return { requests: latencies.length, seconds, p50: percentile(0.5), p99: percentile(0.99), captured };
}

let mix: Mix | null = null;

async function take(message: Message): Promise<object> {
  if ("task" in message) {
    const { startMix } = await import("./mix.ts");
    mix = await startMix(message.task);
    return {};
  }
  if ("act" in message) return (await mix?.act(message.act)) ?? { error: "there are no banks yet" };
  return await run(message);
}

process.on("message", (message: Message) => {
  take(message).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.once("disconnect", () => process.exit(0));
