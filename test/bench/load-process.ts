/** The process that load.ts starts: one turn for each message. It reads all of every answer. */
import autocannon from "autocannon";
import type { Turn, TurnResult } from "./load.ts";

const CONNECTIONS = 16;
/** The client prepares a few requests that it never sends. */
const SPARE_CALLS = 4 * CONNECTIONS;
/** A turn is longer than it should be until so many were answered: the first request may wait for a store to open. */
const MIN_REQUESTS = 8 * CONNECTIONS;
const MAX_SECONDS = 60;
/** How often autocannon looks whether it should end. */
const SAMPLE_MILLISECONDS = 50;

async function run(turn: Turn): Promise<TurnResult> {
  const { method, calls, once, captures } = turn;
  if (calls.length === 0 || (once && calls.length < SPARE_CALLS + CONNECTIONS))
    throw new Error(`there are ${calls.length} calls to send, which are too few`);
  const captured: string[] = [];
  const pattern = captures === null ? null : new RegExp(captures);
  let refusal = "";
  const onResponse = (status: number, body: string) => {
    if (status !== turn.status && refusal === "") refusal = `: ${body}`;
    const found = pattern?.exec(body)?.[1];
    if (found !== undefined) captured.push(found);
  };
  let next = turn.first;
  let answered = performance.now();
  const started = answered;
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const load = autocannon(
    {
      url: turn.url,
      connections: CONNECTIONS,
      ...(once ? { amount: calls.length - SPARE_CALLS } : { duration: MAX_SECONDS }),
      sampleInt: SAMPLE_MILLISECONDS,
      requests: [
        {
          method,
          setupRequest: (request) => ({ ...request, ...calls[next++ % calls.length] }),
          ...((pattern || once) && { onResponse }),
        },
      ],
    } as autocannon.Options,
    (error, result) => (error ? reject(error) : resolve(result)),
  );
  let requests = 0;
  load.on("response", () => {
    answered = performance.now();
    requests++;
    if (requests >= MIN_REQUESTS && answered - started >= turn.seconds * 1000) load.stop();
  });
  const result = await promise;
  const statuses = Object.keys(result.statusCodeStats ?? {});
  if (statuses.length === 0 || statuses.some((status) => Number(status) !== turn.status))
    throw new Error(`answered ${statuses.join(" ") || "nothing"} where ${turn.status} belongs${refusal}`);
  return {
    requests,
    seconds: (answered - started) / 1000,
    p50: result.latency.p50,
    p99: result.latency.p99,
    captured,
  };
}

process.on("message", (turn: Turn) => {
  run(turn).then(
    (result) => process.send?.(result),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.once("disconnect", () => process.exit(0));
