/**
 * `node test/cli/ledger-kills.ts [KILLS]` (30): workerd is killed (SIGKILL) under load, started again on the same stores,
 * and so on; then the ledger is read whole. Every head that was fetched must name a record of it with the same hash, and the
 * chain must hold. Prints how many records of answers that callers had received were in flight, and so are not in it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeSigningKey } from "../../src/cli/keys/signing-keys.ts";
import { readFixtures } from "../../src/cli/sandbox/files.ts";
import { checkChain } from "../../src/evidence/ledger/chain.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import { makeCertificates } from "../bench/certificates.ts";
import { bundle, type Runtime, startRuntime } from "../bench/runtime.ts";
import { SERVICE, seed, writeConfiguration } from "../bench/stores.ts";

const CONNECTIONS = 16;
/** Answers before a kill: so many that records have left in several appends. */
const ANSWERS = { least: 200, most: 1_500 } as const;
const HEAD_EVERY_MS = 25;

interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface Kills {
  /** Answers that callers received, of all runs. */
  readonly answered: number;
  /** Records in the ledger. */
  readonly kept: number;
  /** Of each kill: answers that were received and have no record. */
  readonly inFlight: readonly number[];
  /** Heads that the ledger had given, and how many of them it does not hold any more. */
  readonly heads: number;
  readonly brokenHeads: number;
  /** Null if it holds. */
  readonly brokenChain: string | null;
}

export async function killUnderLoad(kills: number): Promise<Kills> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-kills-"));
  const runtimes: Runtime[] = [];
  const stop = async () => {
    // of a killed one there is nothing to stop but miniflare's side
    while (runtimes.length > 0)
      await runtimes
        .pop()
        ?.stop()
        .catch(() => {});
  };
  try {
    const [pem = ""] = Object.values(await readFixtures("certificates", "scenario-1.pem"));
    const eidas = pem.replaceAll(/-----[^-]+-----|\s/g, "");
    const key = makeSigningKey();
    const vars = { TOKEN_KEY_kills: makeSecret(), [key.name]: key.value };
    const configuration = await writeConfiguration(folder, vars);
    const built = await bundle(configuration.service, SERVICE, join(folder, "built"));
    const made = await makeCertificates(1);
    const { identity } = await seed(configuration.stores, folder, false, made, "kills");
    const headers = { ...identity, eidas };
    const start = async () => {
      const own = await mkdtemp(join(folder, "run-"));
      const runtime = await startRuntime([{ name: "service", built }], own, folder);
      runtimes.push(runtime);
      return { url: runtime.urls["service"] ?? "", pid: runtime.pid };
    };
    const answered: string[][] = [];
    const heads: Head[] = [];
    for (let kill = 0; kill < kills; kill++) {
      const { url, pid } = await start();
      answered.push(await loadAndKill(url, pid, headers, heads));
      await stop();
    }
    const { url } = await start();
    const records = await readLedger(url, identity);
    return judge(records, answered, heads);
  } finally {
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the evidence ids of the answers that were received before the kill. */
async function loadAndKill(
  url: string,
  pid: number,
  headers: Record<string, string>,
  heads: Head[],
): Promise<string[]> {
  const received: string[] = [];
  let alive = true;
  const send = async () => {
    while (alive)
      try {
        const answer = await fetch(`${url}/v1/psp/eidas?jurisdiction=xx`, { headers });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`the check was answered ${answer.status}`);
        received.push(answer.headers.get("x-evidence-id") ?? "");
      } catch (error) {
        if (alive) throw error;
      }
  };
  const readHeads = async () => {
    while (alive)
      try {
        const answer = await fetch(`${url}/v1/audit/head`, { headers });
        const { data } = (await answer.json()) as { data: Head };
        if (data.seq > 0) heads.push(data);
        await setTimeout(HEAD_EVERY_MS);
      } catch (error) {
        if (alive) throw error;
      }
  };
  const work = Promise.all([...Array.from({ length: CONNECTIONS }, send), readHeads()]);
  const enough = ANSWERS.least + Math.random() * (ANSWERS.most - ANSWERS.least);
  const waited = async () => {
    while (alive && received.length < enough) await setTimeout(1);
  };
  await Promise.race([waited(), work]);
  alive = false;
  process.kill(pid, "SIGKILL");
  await work;
  return received;
}

interface Kept {
  readonly text: string;
  readonly hash: string;
  readonly record: { readonly id: string; readonly seq: number };
}

/** In their order. */
async function readLedger(url: string, identity: Record<string, string>): Promise<Kept[]> {
  const records: Kept[] = [];
  for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
    const query = new URLSearchParams({ limit: "200", ...(cursor !== undefined && { cursor }) });
    const answer = await fetch(`${url}/v1/audit/records?${query}`, { headers: identity });
    if (answer.status !== 200) throw new Error(`the records were answered ${answer.status}: ${await answer.text()}`);
    const page = (await answer.json()) as { data: Kept[]; next_cursor?: string };
    records.push(...page.data);
    cursor = page.next_cursor;
  }
  return records.reverse();
}

function judge(records: readonly Kept[], answered: readonly (readonly string[])[], heads: readonly Head[]): Kills {
  const ids = new Set(records.map(({ record }) => record.id));
  const hashes = new Map(records.map(({ record, hash }) => [record.seq, hash]));
  const chain = checkChain(records.map(({ text }) => text));
  return {
    answered: answered.reduce((sum, { length }) => sum + length, 0),
    kept: records.length,
    inFlight: answered.map((received) => received.filter((id) => !ids.has(id)).length),
    heads: heads.length,
    brokenHeads: heads.filter(({ seq, hash }) => hashes.get(seq) !== hash).length,
    brokenChain: chain.ok ? null : `record ${chain.seq} ${chain.reason}`,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await killUnderLoad(Number(process.argv[2] ?? 30));
  const { inFlight } = result;
  const sorted = inFlight.toSorted((a, b) => a - b);
  console.log(JSON.stringify(result));
  console.log(
    `in flight at a kill: median ${sorted[Math.floor(sorted.length / 2)]}, most ${sorted.at(-1)}; ` +
      `${result.brokenHeads} of ${result.heads} heads broken; chain ${result.brokenChain ?? "whole"}`,
  );
  process.exit(result.brokenHeads === 0 && result.brokenChain === null ? 0 : 1);
}
