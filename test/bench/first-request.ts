/** The first request of a fresh workerd process: its time, and workerd's processor time. */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request as send } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Built } from "./bundle.ts";
import { processorNanoseconds } from "./process-usage.ts";
import { startRuntime } from "./runtime.ts";

export interface FirstCall {
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly status: number;
}

export interface FirstMeasure {
  readonly milliseconds: number;
  readonly processorMilliseconds: number;
  readonly answer: string;
}

/**
 * Starts workerd, sends the call as its first request, then `next`, whose answer is returned, too. `state`: where the
 * stores rest.
 */
export async function measureFirst(
  built: Built,
  state: string,
  call: FirstCall,
  next?: FirstCall,
): Promise<FirstMeasure & { readonly nextAnswer: string }> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-first-"));
  const { urls, pid, stop } = await startRuntime([{ name: "first", built }], folder, state);
  try {
    const url = urls["first"] ?? "";
    const began = await processorNanoseconds(pid);
    const { milliseconds, answer } = await time(url, call);
    // what the answer did not wait for (reports to the rate limit) belongs to the request
    await settle();
    const processorMilliseconds = ((await processorNanoseconds(pid)) - began) / 1e6;
    const nextAnswer = next ? (await time(url, next)).answer : "";
    return { milliseconds, processorMilliseconds, answer, nextAnswer };
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const SETTLING_MS = 50;
const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLING_MS));

/** From the first byte sent to the last one read, on a connection that is open. Throws on another status. */
async function time(url: string, { path, method, headers, body, status }: FirstCall) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const text = body === undefined ? undefined : JSON.stringify(body);
  const length = text === undefined ? {} : { "Content-Type": "application/json", "Content-Length": `${text.length}` };
  const began = performance.now();
  const request = send({ method, path, headers: { ...headers, ...length }, createConnection: () => socket });
  request.end(text);
  const [response] = await once(request, "response");
  let answer = "";
  for await (const chunk of response) answer += chunk;
  const milliseconds = performance.now() - began;
  socket.destroy();
  if (response.statusCode !== status) throw new Error(`${path}: ${response.statusCode} ${answer}`);
  return { milliseconds, answer };
}
