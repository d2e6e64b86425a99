/**
 * The mixed load, as `npm run bench -- --load` runs it: banks of every kind against the built service, every answer held, with
 * the memory of workerd measured in between. Not well if an answer was wrong, if one was a 5xx, or if the heap grew.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { readFixtures } from "../../src/cli/sandbox/files.ts";
import { makeSecret } from "../../src/platform/secrets.ts";
import { contractValidators } from "../contract/validators-plugin.ts";
import { findFreePort } from "../free-port.ts";
import { makeCertificates } from "./certificates.ts";
import { LoadGenerator } from "./generator-process.ts";
import { debuggerOf, Inspector } from "./inspector.ts";
import { addSlice, emptySlice, KINDS, type MixSlice } from "./load-slice.ts";
import { processorNanoseconds, residentMegabytes } from "./process-usage.ts";
import { bundle, startRuntime } from "./runtime.ts";
import { SERVICE, seed, writeConfiguration } from "./stores.ts";

export interface LoadOptions {
  readonly minutes: number;
  readonly connections: number;
  /** The same seed draws the same requests for each connection. */
  readonly seed: number;
  /** Whether workerd runs with its inspector, by which the heap is measured. */
  readonly heap: boolean;
  readonly largeHeaders: boolean;
}

interface MemorySample {
  /** Of the run's time under load: 0 to 1. */
  readonly progress: number;
  /** Megabytes after a collection, of the service; of all isolates' heaps, those of the local stores too. Null: not measured. */
  readonly heap: number | null;
  readonly allHeaps: number | null;
  /** Megabytes of the whole process. */
  readonly resident: number;
}

const CERTIFICATES = 1_000;
const SAMPLES = 20;
const FLAT_WITHIN = 0.1;
/** What an isolate keeps of a certificate or a caller lives up to a minute: a quarter has to begin after it, and be longer. */
const LEAST_MINUTES = 4;

/** Answers whether all was well. */
export async function runLoad({
  minutes,
  connections,
  seed: drawn,
  heap,
  largeHeaders,
}: LoadOptions): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "psp-gate-load-"));
  const generator = new LoadGenerator();
  let stop = async () => {};
  const end = async () => {
    generator.stop();
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => void end().then(() => process.exit(130)));
  try {
    console.log(`Building the service, making ${CERTIFICATES} certificates and seeding the stores ...`);
    const made = await makeCertificates(CERTIFICATES, true);
    const configuration = await writeConfiguration(folder, { TOKEN_KEY_load: makeSecret() });
    await seed(configuration.stores, folder, false, made, "load");
    const built = await bundle(configuration.service, SERVICE, join(folder, "built"));
    const port = heap ? await findFreePort() : undefined;
    const runtime = await startRuntime([{ name: "service", built }], folder, folder, port);
    stop = runtime.stop;
    const url = runtime.urls["service"] ?? "";
    const contract = join(folder, "contract.mjs");
    const plugin = contractValidators();
    await writeFile(contract, plugin.load(plugin.resolveId("virtual:contract") ?? "")?.code ?? "");
    const given = { url, contract, leaves: made.leaves, scenarios: await readScenarios(), connections, seed: drawn };
    await generator.makeBanks({ ...given, largeHeaders });

    const inspector = port === undefined ? null : debuggerOf(port, "service");
    const sample = async (progress: number): Promise<MemorySample> => ({
      progress,
      heap: inspector === null ? null : await measureHeap(inspector, () => fetch(`${url}/health`)),
      allHeaps: inspector === null ? null : await measureAllHeaps(inspector),
      resident: await residentMegabytes(runtime.pid),
    });
    const samples = [await sample(0)];
    const before = [await processorNanoseconds(runtime.pid), await processorNanoseconds(generator.pid)];
    const all = emptySlice();
    let seconds = 0;
    // the load pauses for each sample: a collection's time is not the service's, and what is under way would count as heap
    for (let turn = 1; turn <= SAMPLES; turn++) {
      const resumed = performance.now();
      const slice = await generator.act(Math.max(0, (minutes * 60 * turn) / SAMPLES - seconds));
      seconds += (performance.now() - resumed) / 1_000;
      addSlice(all, slice);
      console.log(
        `${seconds.toFixed(0)} of ${minutes * 60} s, ${countOf(all)} requests, ${all.wrong} wrong, ${all.serverErrors} 5xx`,
      );
      samples.push(await sample(turn / SAMPLES));
    }
    const after = [await processorNanoseconds(runtime.pid), await processorNanoseconds(generator.pid)];
    const share = (i: number) => `${(((after[i] ?? 0) - (before[i] ?? 0)) / 1e7 / seconds).toFixed(0)} %`;
    print(all, seconds);
    console.log(
      `Processors: workerd ${share(0)}, the load generator ${share(1)} of one, of ${availableParallelism()}; load average ${loadavg()[0]?.toFixed(1)}`,
    );
    return printMemory(samples, minutes) && all.wrong === 0 && all.serverErrors === 0;
  } finally {
    await end();
  }
}

/** Each certificate of the sandbox with the whole answer that fixtures/README.md promises. */
async function readScenarios() {
  const certificates = await readFixtures("certificates", ".pem");
  const answers = await readFixtures("answers", ".json");
  const rows = JSON.parse(answers["index"] ?? "") as { certificate: string; jurisdiction: string; answer: string }[];
  return rows.map(({ certificate, jurisdiction, answer }) => ({
    eidas: (certificates[certificate.replace(".pem", "")] ?? "").replaceAll(/-----[^-]+-----|\s/g, ""),
    ...{ jurisdiction, answer: JSON.parse(answers[answer.replace(".json", "")] ?? "") as unknown },
  }));
}

const countOf = ({ latencies }: MixSlice): number => KINDS.reduce((sum, kind) => sum + latencies[kind].length, 0);

function print(all: MixSlice, seconds: number): void {
  const row = (milliseconds: readonly number[]) => {
    const sorted = milliseconds.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]?.toFixed(1);
    const percentiles = { "p50 ms": at(0.5), "p95 ms": at(0.95), "p99 ms": at(0.99), "p99.9 ms": at(0.999) };
    return { requests: sorted.length, ...percentiles, "longest ms": at(1) };
  };
  console.table({
    ...Object.fromEntries(KINDS.map((kind) => [kind, { actions: all.actions[kind], ...row(all.latencies[kind]) }])),
    all: row(KINDS.flatMap((kind) => all.latencies[kind])),
  });
  const rate = (countOf(all) / seconds).toFixed(0);
  console.log(`${countOf(all)} requests, ${rate}/s; ${all.wrong} wrong answers; ${all.serverErrors} 5xx`);
  for (const sentence of all.firstWrong) console.log(`  wrong: ${sentence}`);
}

export type HeapVerdict =
  | { readonly ok: boolean; readonly second: number; readonly last: number }
  | { readonly ok: true; readonly reason: "too_short" | "not_measured" };

/** Whether the heap grew: its size after a full collection, the run's second quarter beside its last. */
export function judgeHeap(samples: readonly Pick<MemorySample, "progress" | "heap">[], minutes: number): HeapVerdict {
  const between = (from: number, to: number): number[] =>
    samples.flatMap(({ progress, heap }) => (heap !== null && progress >= from && progress <= to ? [heap] : []));
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  const [early, late] = [between(0.25, 0.5), between(0.75, 1)];
  if (early.length === 0 || late.length === 0) return { ok: true, reason: "not_measured" };
  if (minutes < LEAST_MINUTES) return { ok: true, reason: "too_short" };
  const [second, last] = [median(early), median(late)];
  return { ok: Math.abs(last / second - 1) <= FLAT_WITHIN, second, last };
}

function printMemory(samples: readonly MemorySample[], minutes: number): boolean {
  console.log("Memory of workerd, MB: the service's heap after a collection, all isolates' heaps, all of the process");
  const points = { start: samples[0], middle: samples[samples.length >> 1], end: samples.at(-1) };
  console.table(
    Object.fromEntries(
      Object.entries(points).map(([when, point]) => [
        when,
        {
          heap: point?.heap?.toFixed(1),
          "all heaps": point?.allHeaps?.toFixed(0),
          resident: point?.resident.toFixed(0),
        },
      ]),
    ),
  );
  const verdict = judgeHeap(samples, minutes);
  console.log(
    "reason" in verdict
      ? `The heap is not judged: ${verdict.reason === "too_short" ? "what an isolate keeps fills for 4 minutes" : "not measured"}.`
      : `The heap is ${verdict.ok ? "flat" : "NOT flat within 10 %"}: ${verdict.second.toFixed(1)} MB in the second quarter, ${verdict.last.toFixed(1)} MB in the last one.`,
  );
  return verdict.ok;
}

const MEGABYTE = 2 ** 20;
interface HeapUsage {
  readonly usedSize: number;
  readonly totalSize: number;
  readonly backingStorageSize?: number;
}

/** A collection that the inspector asks for is made when the isolate next has something to do: `wake` sends it a request. */
async function measureHeap(debuggerUrl: string, wake: () => Promise<unknown>): Promise<number> {
  const inspector = await Inspector.connect(debuggerUrl);
  const waking = setInterval(() => void wake().catch(() => {}), 50);
  try {
    // without the first, workerd leaves the second unanswered
    await inspector.ask("HeapProfiler.enable");
    await inspector.ask("HeapProfiler.collectGarbage");
    return (await inspector.ask<HeapUsage>("Runtime.getHeapUsage")).usedSize / MEGABYTE;
  } finally {
    clearInterval(waking);
    inspector.close();
  }
}

/** Of the service and of each local store, and their buffers. */
async function measureAllHeaps(debuggerUrl: string): Promise<number> {
  const listed = await fetch(`http://${new URL(debuggerUrl).host}/json`);
  let sum = 0;
  for (const { webSocketDebuggerUrl } of (await listed.json()) as { webSocketDebuggerUrl: string }[]) {
    const inspector = await Inspector.connect(webSocketDebuggerUrl);
    const { totalSize, backingStorageSize = 0 } = await inspector.ask<HeapUsage>("Runtime.getHeapUsage");
    sum += totalSize + backingStorageSize;
    inspector.close();
  }
  return sum / MEGABYTE;
}
