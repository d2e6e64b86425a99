/**
 * `npm run bench -- --only start`: the start of the Worker as it is deployed, and the first request of a fresh process,
 * beside a bare Hono Worker with zod. In turns, so that both meet the same machine.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as send } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_readConfig } from "wrangler";
import { buildWorkerModules } from "../../src/cli/build/worker-modules.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import { makeCertificates } from "./certificates.ts";
import { describe, distribute, judge, pair } from "./measure.ts";
import { findDescendant, processorNanoseconds } from "./process-usage.ts";
import { ACCOUNT, codeRequest, tokenRequest } from "./routes.ts";
import { type Built, convertV4MiniflareOptions, listModules, Miniflare, startRuntime, wrangler } from "./runtime.ts";
import { SERVICE, seed, writeConfiguration } from "./stores.ts";

const [CHECKS, STARTS, FIRST_REQUESTS] = [7, 15, 30];
/** Times what the bare Worker takes. */
const [START_GOAL, CHECK_GOAL, REDEMPTION_GOAL] = [1.1, 1.8, 1.9];
const BARE_WORKER = join(import.meta.dirname, "start-worker.ts");

/** `pem`: of the PSP whose certificate is shown. */
export async function measureStarts(pem: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-start-"));
  try {
    const configuration = await writeConfiguration(folder, { TOKEN_KEY_bench: makeSecret() });
    const build = async (config: string, name: string, entry: string): Promise<Built> => {
      await buildWorkerModules(join(folder, name), entry);
      return { config, script: join(folder, name, "index.js") };
    };
    const service = await build(configuration.service, "built-service", SERVICE);
    const bare = await build(configuration.bare, "built-bare", BARE_WORKER);
    await printStarts(service, bare, folder);
    const { identity } = await seed(configuration.stores, folder, false, await makeCertificates(1), "bench");
    const eidas = pem.replaceAll(/-----[^-]+-----|\s/g, "");
    await printFirstRequests(service, bare, folder, { ...identity, eidas });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures of the service and of the bare Worker, in turn. */
class Turns {
  readonly #own: number[] = [];
  readonly #bare: number[] = [];

  add(own: number, bare: number): void {
    this.#own.push(own);
    this.#bare.push(bare);
  }

  row(what: string, atMost: number) {
    const ratio = pair(this.#own, this.#bare);
    const [service, bare] = [distribute(this.#own), distribute(this.#bare)].map((one) => describe(one, 1));
    return { what, service, bare, ratio: describe(ratio), goal: `at most ${atMost}`, verdict: judge(ratio, atMost) };
  }
}

async function printStarts(service: Built, bare: Built, folder: string): Promise<void> {
  const packed = [
    await pack(service, join(folder, "service.bundle")),
    await pack(bare, join(folder, "bare.bundle")),
  ] as const;
  const [checked, processor] = [new Turns(), new Turns()];
  for (let i = 0; i < CHECKS; i++)
    checked.add(await checkStartup(packed[0], folder), await checkStartup(packed[1], folder));
  for (let i = 0; i < STARTS; i++) processor.add(await measureStart(service), await measureStart(bare));
  console.log("\nStart, beside a bare Hono Worker with zod, ms");
  console.table([
    checked.row(`active by wrangler check startup, of ${CHECKS}`, START_GOAL),
    processor.row(`processor time, of ${STARTS}`, START_GOAL),
  ]);
}

/** As `wrangler deploy` would send it: what `wrangler check startup` takes. */
async function pack({ config, script }: Built, file: string): Promise<string> {
  await wrangler("deploy", script, "--no-bundle", "--dry-run", "--config", config, "--env", "", "--outfile", file);
  return file;
}

/** Milliseconds that `wrangler check startup` calls active: all samples of its profile but the idle ones. */
async function checkStartup(packed: string, folder: string): Promise<number> {
  const file = join(folder, "start.cpuprofile");
  await wrangler("check", "startup", "--worker", packed, "--outfile", file);
  const { nodes, samples, timeDeltas } = JSON.parse(await readFile(file, "utf8")) as {
    readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
    readonly samples: readonly number[];
    /** Microseconds. */
    readonly timeDeltas: readonly number[];
  };
  const idle = nodes.find(({ callFrame }) => callFrame.functionName === "(idle)")?.id;
  return timeDeltas.reduce((sum, delta, i) => (samples[i] === idle ? sum : sum + delta), 0) / 1000;
}

/** Loads the Worker with its first request that is not for `/before`, as `wrangler check startup` does. */
const LOADER = `export default {
  async fetch(request) {
    if (!request.url.endsWith("/before")) await import("./worker.js");
    return new Response(null, { status: 204 });
  },
};`;

/** Milliseconds of processor time, all threads of workerd. */
async function measureStart({ config, script }: Built): Promise<number> {
  const { compatibility_date } = unstable_readConfig({ config });
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      name: "start",
      compatibilityDate: compatibility_date,
      modules: [{ type: "ESModule", path: `${randomUUID()}.js`, contents: LOADER }, ...listModules(script)],
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
    }),
  );
  try {
    const { origin } = await runtime.unsafeGetDirectURL("start");
    await fetch(`${origin}/before`);
    const pid = await findDescendant("workerd");
    const began = await processorNanoseconds(pid);
    const { status } = await fetch(`${origin}/start`);
    if (status !== 204) throw new Error(`${script}: the Worker does not start (${status})`);
    return ((await processorNanoseconds(pid)) - began) / 1e6;
  } finally {
    await runtime.dispose();
  }
}

interface FirstCall {
  readonly path: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly status: number;
}

async function printFirstRequests(
  service: Built,
  bare: Built,
  state: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const get = (path: string): FirstCall => ({ path, method: "GET", headers, status: 200 });
  const post = (path: string, body: object): FirstCall => ({ path, method: "POST", headers, body, status: 201 });
  const issue = post("/v1/oauth2/authorization_codes", codeRequest(ACCOUNT));
  const [check, checkProcessor, redemption, redemptionProcessor] = Array.from({ length: 4 }, () => new Turns()) as [
    ...[Turns, Turns, Turns, Turns],
  ];
  for (let i = 0; i < FIRST_REQUESTS; i++) {
    // each process makes the code that the next one redeems
    const checked = await measureFirst(service, state, get("/v1/psp/eidas?jurisdiction=xx"), issue);
    const read = await measureFirst(bare, state, get("/bare/check"), post("/bare/record", {}));
    const redeem = (path: string, { code }: { code: string }) => post(path, tokenRequest(ACCOUNT, code));
    const redeemed = await measureFirst(service, state, redeem("/v1/oauth2/tokens", checked));
    const written = await measureFirst(bare, state, redeem("/bare/exchange", read));
    check.add(checked.milliseconds, read.milliseconds);
    checkProcessor.add(checked.processor, read.processor);
    redemption.add(redeemed.milliseconds, written.milliseconds);
    redemptionProcessor.add(redeemed.processor, written.processor);
  }
  console.log(`\nFirst request of a fresh process, of ${FIRST_REQUESTS}, ms, beside a route that makes the same calls`);
  console.table([
    check.row("PSP check", CHECK_GOAL),
    checkProcessor.row("PSP check: processor time", CHECK_GOAL),
    redemption.row("redemption", REDEMPTION_GOAL),
    redemptionProcessor.row("redemption: processor time", REDEMPTION_GOAL),
  ]);
  console.log("workerd runs KV and D1 in the same process, and they start with their first request, too.");
}

/** Starts workerd, sends the call as its first request, then `next`, whose answer has a code. `state`: where the stores rest. */
async function measureFirst(built: Built, state: string, call: FirstCall, next?: FirstCall) {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-first-"));
  const { urls, pid, stop } = await startRuntime([{ name: "first", built }], folder, state);
  try {
    const url = urls["first"] ?? "";
    const began = await processorNanoseconds(pid);
    const { milliseconds } = await time(url, call);
    // what the answer did not wait for (reports to the rate limit) belongs to the request
    await new Promise((resolve) => setTimeout(resolve, 50));
    const processor = ((await processorNanoseconds(pid)) - began) / 1e6;
    const [, code = ""] = (next && /"code":"([^"]+)"/.exec((await time(url, next)).answer)) ?? [];
    return { milliseconds, processor, code };
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

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
