/**
 * What each step of the scheduled refresh takes in workerd: time, time of the processor, and peak memory above idle.
 * The sources are on loopback: the lists of the shared data and a generated EBA register of the full size. workerd also
 * runs the local KV and D1 here, and collects garbage late, so the figures are upper bounds. Beside them stands the
 * smallest heap in which the same work is done by Node, which has the same V8. Runs by itself: `node test/bench/refresh.ts`.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { readConfiguration } from "../../src/cli/configuration.ts";
import { Sources } from "../refresh/sources.ts";
import { readShared, sharedData } from "../shared-data.ts";
import { startBenchWorker } from "./bench-worker.ts";
import { FULL_SIZE_RECORDS, writeEba } from "./generate-eba.ts";
import { findDescendant, peakMegabytes, processorSeconds, resetPeak, residentMegabytes } from "./process-usage.ts";

const ROOT = join(import.meta.dirname, "../..");
const HEAP_WORK = join(import.meta.dirname, "refresh-heap.ts");
const HEAPS_MEGABYTES = [16, 24, 32, 48, 64, 80, 96, 112, 128];
/** As the list of lists spells them, the smallest first. */
const TERRITORIES = ["IE", "SE", "FI", "AT", "EL", "BE", "CZ"];
const EBA_STEPS_SHOWN = 2;
const SETTLE_MS = 3_000;

export interface StepMeasure {
  readonly step: string;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly megabytesAboveIdle: number;
  /** Null where it was not looked for. */
  readonly heapMegabytes: number | null;
}

export async function measureRefreshSteps(): Promise<StepMeasure[]> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-refresh-"));
  const sources = await Sources.start();
  try {
    const register = await publishAll(sources, folder);
    const config = await writeConfiguration(folder, sources.url);
    const worker = await startBenchWorker(config, folder, "/errors");
    try {
      return await measureAll(worker.url, register);
    } finally {
      await worker.stop();
    }
  } finally {
    await sources.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const listPath = (territory: string) => join(sharedData ?? "", `trusted-lists/${territory}.xml`);

async function publishAll(sources: Sources, folder: string): Promise<string> {
  for (const [path, file] of [["eu-lotl", "EU-LOTL"], ...TERRITORIES.map((territory) => [territory, territory])])
    sources.file(`/${path}.xml`, new TextEncoder().encode(readShared(`trusted-lists/${file}.xml`)));
  const register = join(folder, "register.zip");
  await writeEba(createWriteStream(register), FULL_SIZE_RECORDS, true);
  const zip = await readFile(register);
  sources.file("/eba/register.zip", zip);
  const metadata = {
    latest_version_relative_zip_path: "register.zip",
    sha256_hash: createHash("sha256").update(zip).digest("hex"),
    timestamp: "Mon Aug 24 16:00:29 UTC 2026",
    golden_copy_path_context: "https://euclid.eba.europa.eu/register/downloads/PSDMD/",
  };
  sources.file("/filemetadata.json", Buffer.from(JSON.stringify(metadata)));
  return register;
}

async function writeConfiguration(folder: string, url: string): Promise<string> {
  const path = join(folder, "wrangler.toml");
  const vars: Record<string, string> = {
    LOTL_URL: `${url}/eu-lotl.xml`,
    TRUSTED_LIST_URL_TEMPLATE: `${url}/{territory}.xml`,
    EBA_METADATA_URL: `${url}/filemetadata.json`,
    EBA_FILES_URL: `${url}/eba/`,
  };
  let text = await readConfiguration(join(import.meta.dirname, "refresh-worker.ts"));
  for (const [name, value] of Object.entries(vars))
    text = text.replace(new RegExp(`^${name} = .*$`, "m"), `${name} = ${JSON.stringify(value)}`);
  await writeFile(path, text);
  const wrangler = (...args: string[]) =>
    promisify(execFile)(join(ROOT, "node_modules/.bin/wrangler"), [...args, "--config", path], {
      env: { ...process.env, CI: "true", WRANGLER_SEND_METRICS: "false" },
    });
  await wrangler("d1", "migrations", "apply", "DB", "--local", "--persist-to", folder);
  // bundled once: a file of the source that changes meanwhile would start workerd anew
  await wrangler("deploy", "--dry-run", "--outdir", join(folder, "built"));
  await writeFile(path, text.replace(/^main = .*$/m, 'main = "built/refresh-worker.js"\nno_bundle = true'));
  return path;
}

async function measureAll(url: string, register: string): Promise<StepMeasure[]> {
  const measures: StepMeasure[] = [];
  const run = async (step: string, task: string, work: readonly string[] | null) => {
    const { pid, idle } = await findWorkerd(url);
    await resetPeak(pid);
    const [began, processorBegan] = [performance.now(), await processorSeconds(pid)];
    const response = await fetch(`${url}/?task=${task}`);
    const result = (await response.json()) as { ok: boolean; message?: string; unfinished?: boolean };
    if (!result.ok) throw new Error(`${step}: ${result.message}`);
    measures.push({
      step,
      seconds: (performance.now() - began) / 1000,
      processorSeconds: (await processorSeconds(pid)) - processorBegan,
      megabytesAboveIdle: (await peakMegabytes(pid)) - idle,
      heapMegabytes: work && (await findSmallestHeap(work)),
    });
    return result.unfinished === true;
  };
  await run("list of lists", "trust/eIDAS/EU", ["list", listPath("EU-LOTL")]);
  for (const territory of TERRITORIES)
    await run(`list of ${territory}`, `trust/eIDAS/${territory === "EL" ? "GR" : territory}`, [
      "list",
      listPath(territory),
    ]);
  await run("list of CZ, unchanged", "trust/eIDAS/CZ", null);
  for (let step = 1, unfinished = true; unfinished && step <= EBA_STEPS_SHOWN; step++)
    unfinished = await run(
      `EBA, step ${step} of the first load`,
      "register/eba",
      step === 1 ? ["eba", register] : null,
    );
  return measures;
}

let known = { pid: 0, idle: 0 };

/** wrangler starts it anew when a file of the Worker changes, and mostly once at the beginning. */
async function findWorkerd(url: string): Promise<typeof known> {
  if (known.pid === 0) await sleep(SETTLE_MS);
  await fetch(`${url}/errors`);
  const pid = await findDescendant("workerd");
  if (pid !== known.pid) known = { pid, idle: await residentMegabytes(pid) };
  return known;
}

/** Megabytes; the last of those tried when none is enough. */
async function findSmallestHeap(work: readonly string[]): Promise<number> {
  for (const megabytes of HEAPS_MEGABYTES) {
    const flags = [`--max-old-space-size=${megabytes}`, "--max-semi-space-size=1"];
    const ok = await promisify(execFile)(process.execPath, [...flags, HEAP_WORK, ...work]).then(
      () => true,
      () => false,
    );
    if (ok) return megabytes;
  }
  return Number.POSITIVE_INFINITY;
}

/** One row per step. */
export function printRefreshSteps(measures: readonly StepMeasure[]): void {
  console.table(
    measures.map(({ step, seconds, processorSeconds, megabytesAboveIdle, heapMegabytes }) => ({
      step,
      seconds: seconds.toFixed(1),
      "processor s (limit 30)": processorSeconds.toFixed(1),
      "MB above idle in workerd": Math.round(megabytesAboveIdle),
      "smallest heap in MB (limit 128)": heapMegabytes ?? "",
    })),
  );
}

if (import.meta.main) printRefreshSteps(await measureRefreshSteps());
