/** A run from its first to its last request, with the memory of workerd measured in between. */
import { setTimeout as wait } from "node:timers/promises";
import { processorSeconds, residentMegabytes } from "../bench/process-usage.ts";
import type { BuiltService } from "./built-service.ts";
import type { GeneratorProcess } from "./generator-process.ts";
import { measureAllHeaps, measureHeap } from "./heap-size.ts";
import type { MemorySample } from "./heap-verdict.ts";
import type { LoadOptions } from "./options.ts";
import { makeTicker } from "./progress-line.ts";
import type { RunRecord } from "./run-record.ts";

export interface RunResult {
  readonly run: RunRecord;
  /** The first is of before the first request. */
  readonly samples: readonly MemorySample[];
  /** Under load: without the pauses in which the heap was measured. */
  readonly seconds: number;
  /** Of the processor, from the first request to the last one. */
  readonly workerdSeconds: number;
  readonly generatorSeconds: number;
}

const SAMPLES = 20;

/**
 * The load pauses for each measurement of the heap: a collection takes tens of milliseconds, which are not the service's,
 * and what is under way would count as heap.
 */
export async function runLoad(
  service: BuiltService,
  generator: GeneratorProcess,
  { minutes, heap }: LoadOptions,
): Promise<RunResult> {
  const total = minutes * 60;
  const inspector = heap ? service.debuggerUrl : null;
  const sample = async (progress: number): Promise<MemorySample> => ({
    progress,
    heap: inspector === null ? null : await measureHeap(inspector, () => fetch(`${service.url}/health`)),
    allHeaps: inspector === null ? null : await measureAllHeaps(inspector),
    resident: await residentMegabytes(service.pid),
  });
  const samples = [await sample(0)];
  const processorBefore = await processorSeconds(service.pid);
  const generatorBefore = await processorSeconds(generator.pid);
  let seconds = 0;
  const ticker = makeTicker(total, () => generator.progress);
  for (let turn = 1; turn <= SAMPLES; turn++) {
    const resumed = performance.now();
    generator.resume();
    ticker.resume(seconds);
    await wait(Math.max(0, (total * turn) / SAMPLES - seconds) * 1_000);
    await generator.pause();
    ticker.pause();
    seconds += (performance.now() - resumed) / 1_000;
    samples.push(await sample(turn / SAMPLES));
  }
  const workerdSeconds = (await processorSeconds(service.pid)) - processorBefore;
  ticker.end();
  const stopped = await generator.stop();
  return {
    run: stopped.run,
    samples,
    seconds,
    workerdSeconds,
    generatorSeconds: stopped.processorSeconds - generatorBefore,
  };
}
