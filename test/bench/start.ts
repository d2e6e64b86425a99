/**
 * `npm run bench -- --only start`: the start of the Worker as it is deployed, and the first request of a fresh process,
 * beside a bare Hono Worker with zod. In turns, so that both meet the same machine.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorkerModules } from "../../src/cli/build/worker-modules.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import type { Built } from "./bundle.ts";
import { makeCertificates } from "./certificates.ts";
import { SERVICE, writeConfiguration } from "./configuration.ts";
import { type FirstCall, type FirstMeasure, measureFirst } from "./first-request.ts";
import { type Distribution, distribute, type Goal, judge, pair } from "./paired.ts";
import { seed } from "./seed.ts";
import { ACCOUNT, codeRequest, tokenRequest } from "./setting.ts";
import { checkStartup, measureStart, packWorker } from "./start-time.ts";

const CHECKS = 7;
const STARTS = 15;
const FIRST_REQUESTS = 30;
const START_GOAL: Goal = { atMost: 1.1 };
const CHECK_GOAL: Goal = { atMost: 1.8 };
const REDEMPTION_GOAL: Goal = { atMost: 1.9 };
const BARE_WORKER = join(import.meta.dirname, "start-worker.ts");

/** `pem`: of the PSP whose certificate is shown. */
export async function measureStarts(pem: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-start-"));
  try {
    const made = await makeCertificates(1, pem);
    const kid = "bench";
    const configuration = await writeConfiguration(folder, { [`TOKEN_KEY_${kid}`]: makeSecret() });
    const build = async (config: string, name: string, entry: string): Promise<Built> => {
      await buildWorkerModules(join(folder, name), entry);
      return { config, script: join(folder, name, "index.js") };
    };
    const service = await build(configuration.service, "built-service", SERVICE);
    const bare = await build(configuration.bare, "built-bare", BARE_WORKER);
    await printStarts(service, bare, folder);
    const { identity } = await seed({ config: configuration.stores, state: folder, tables: false, made, kid });
    const eidas = pem.replaceAll(/-----[^-]+-----|\s/g, "");
    await printFirstRequests(service, bare, folder, { ...identity, eidas });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function printStarts(service: Built, bare: Built, folder: string): Promise<void> {
  const packed = [
    await packWorker(service, join(folder, "service.bundle")),
    await packWorker(bare, join(folder, "bare.bundle")),
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

async function printFirstRequests(
  service: Built,
  bare: Built,
  state: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const get = (path: string): FirstCall => ({ path, method: "GET", headers, status: 200 });
  const post = (path: string, body: object): FirstCall => ({ path, method: "POST", headers, body, status: 201 });
  const issue = post("/v1/oauth2/authorization_codes", codeRequest(ACCOUNT));
  const [checks, redemptions] = [new Pair(), new Pair()];
  for (let i = 0; i < FIRST_REQUESTS; i++) {
    // each process makes the code that the next one redeems
    const check = await measureFirst(service, state, get("/v1/psp/eidas?jurisdiction=xx"), issue);
    const reads = await measureFirst(bare, state, get("/bare/check"), post("/bare/record", {}));
    const [code, record] = [findCode(check.nextAnswer), findCode(reads.nextAnswer)];
    const redeemed = await measureFirst(service, state, post("/v1/oauth2/tokens", tokenRequest(ACCOUNT, code)));
    const written = await measureFirst(bare, state, post("/bare/exchange", tokenRequest(ACCOUNT, record)));
    checks.add(check, reads);
    redemptions.add(redeemed, written);
  }
  console.log(`\nFirst request of a fresh process, of ${FIRST_REQUESTS}, ms`);
  console.table([
    ...checks.rows("PSP check beside a route that makes the same calls", CHECK_GOAL),
    ...redemptions.rows("redemption beside a route that makes the same calls", REDEMPTION_GOAL),
  ]);
  console.log("workerd runs KV and D1 in the same process, and they start with their first request, too.");
}

function findCode(answer: string): string {
  const [, code] = /"code":"([^"]+)"/.exec(answer) ?? [];
  if (code === undefined) throw new Error(`no code in ${answer}`);
  return code;
}

/** Of the service and of the bare Worker, in turn. */
class Turns {
  readonly #own: number[] = [];
  readonly #bare: number[] = [];

  add(own: number, bare: number): void {
    this.#own.push(own);
    this.#bare.push(bare);
  }

  row(what: string, goal: Goal) {
    const ratio = pair(this.#own, this.#bare);
    const [own, bare] = [distribute(this.#own), distribute(this.#bare)];
    return {
      what,
      service: show(own, 1),
      bare: show(bare, 1),
      ratio: show(ratio, 2),
      goal: `at most ${goal.atMost}`,
      verdict: judge(ratio, goal),
    };
  }
}

class Pair {
  readonly #time = new Turns();
  readonly #processor = new Turns();

  add(own: FirstMeasure, bare: FirstMeasure): void {
    this.#time.add(own.milliseconds, bare.milliseconds);
    this.#processor.add(own.processorMilliseconds, bare.processorMilliseconds);
  }

  rows(name: string, goal: Goal) {
    return [this.#time.row(name, goal), this.#processor.row(`${name}: processor time`, goal)];
  }
}

const show = ({ median, low, high }: Distribution, digits: number): string =>
  `${median.toFixed(digits)} (${low.toFixed(digits)} to ${high.toFixed(digits)})`;
