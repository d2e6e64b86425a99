/** The process that load.ts starts: one turn for each message. It reads all of every answer. */
import { Connection } from "../load/connection.ts";
import { makeHistogram, percentile, record } from "../load/latency-histogram.ts";
import type { Turn, TurnResult } from "./load.ts";

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
  const latencies = makeHistogram();
  const started = performance.now();
  let [sent, requests, answered, over] = [0, 0, started, false];

  const take = () =>
    over || (once && sent === calls.length) ? undefined : calls[(turn.first + sent++) % calls.length];
  const sendAll = async (connection: Connection) => {
    for (let call = take(); call; call = take()) {
      const { status, text, milliseconds } = await connection.send({ method, ...call });
      if (status !== turn.status) throw new Error(`answered ${status} where ${turn.status} belongs: ${text}`);
      const found = pattern?.exec(text)?.[1];
      if (found !== undefined) captured.push(found);
      record(latencies, milliseconds);
      requests++;
      answered = performance.now();
      const seconds = (answered - started) / 1000;
      over ||= (requests >= MIN_REQUESTS && seconds >= turn.seconds) || seconds >= MAX_SECONDS;
    }
  };
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(turn.url, null));
  try {
    await Promise.all(connections.map(sendAll));
  } finally {
    over = true;
    await Promise.all(connections.map((connection) => connection.close()));
  }
  const [p50, p99] = [percentile(latencies, 50), percentile(latencies, 99)];
  return { requests, seconds: (answered - started) / 1000, p50, p99, captured };
}

process.on("message", (turn: Turn) => {
  run(turn).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.once("disconnect", () => process.exit(0));
