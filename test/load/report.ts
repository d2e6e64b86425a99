/** What a run came to, in words and figures. */
import { availableParallelism, loadavg } from "node:os";
import type { HeapVerdict, MemorySample } from "./heap-verdict.ts";
import { addHistogram, countAll, type LatencyHistogram, makeHistogram, percentile } from "./latency-histogram.ts";
import { ACTION_KINDS } from "./mix.ts";
import type { LoadOptions } from "./options.ts";
import type { RunResult } from "./run.ts";
import type { RunRecord } from "./run-record.ts";

export function totalLatencies({ latencies }: RunRecord): LatencyHistogram {
  const total = makeHistogram();
  for (const kind of ACTION_KINDS) addHistogram(total, latencies[kind]);
  return total;
}

export const titleOf = ({ run, seconds }: RunResult, { connections }: LoadOptions): string =>
  `psp-gate, ${connections} connections, ${(seconds / 60).toFixed(1)} minutes, ${Math.round(run.requests / seconds)} requests/s`;

export function printReport(result: RunResult, heap: HeapVerdict, options: LoadOptions): void {
  const { run, samples, seconds, workerdSeconds, generatorSeconds } = result;
  const total = totalLatencies(run);
  console.log(`\n${titleOf(result, options)}`);
  console.table({
    ...Object.fromEntries(
      ACTION_KINDS.map((kind) => [kind, { actions: run.actions[kind], ...row(run.latencies[kind]) }]),
    ),
    all: { actions: ACTION_KINDS.reduce((sum, kind) => sum + run.actions[kind], 0), ...row(total) },
  });
  console.log(
    `${run.requests} requests, ${(run.requests / seconds).toFixed(0)}/s; ${run.wrong} wrong answers; ${run.serverErrors} 5xx`,
  );
  for (const sentence of run.firstWrong) console.log(`  wrong: ${sentence}`);
  console.log(
    `Processors: workerd ${share(workerdSeconds, seconds)}, the load generator ${share(generatorSeconds, seconds)} of one, of ${availableParallelism()}; load average ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`,
  );
  printMemory(samples, heap);
}

const share = (processor: number, seconds: number): string => `${((100 * processor) / seconds).toFixed(0)} %`;

const row = (latencies: LatencyHistogram) => ({
  requests: countAll(latencies),
  "p50 ms": round(percentile(latencies, 50)),
  "p95 ms": round(percentile(latencies, 95)),
  "p99 ms": round(percentile(latencies, 99)),
  "p99.9 ms": round(percentile(latencies, 99.9)),
  "longest ms": round(latencies.longest),
});

const round = (milliseconds: number): number => Number(milliseconds.toPrecision(3));

function printMemory(samples: readonly MemorySample[], heap: HeapVerdict): void {
  const points = { start: samples[0], middle: samples[Math.floor(samples.length / 2)], end: samples.at(-1) };
  console.log(
    "Memory of workerd, MB: the service's heap after a collection, all isolates' heaps, and all of the process",
  );
  console.table(
    Object.fromEntries(
      Object.entries(points).map(([when, sample]) => [
        when,
        {
          heap: sample?.heap?.toFixed(1) ?? "not measured",
          "all heaps": sample?.allHeaps?.toFixed(0) ?? "not measured",
          resident: sample?.resident.toFixed(0),
        },
      ]),
    ),
  );
  console.log(explainHeap(heap));
}

function explainHeap(heap: HeapVerdict): string {
  if ("ratio" in heap) {
    const figures = `${heap.second.toFixed(1)} MB in the second quarter, ${heap.last.toFixed(1)} MB in the last one (${heap.ratio.toFixed(2)})`;
    return heap.ok ? `The heap is flat: ${figures}.` : `The heap is NOT flat within 10 %: ${figures}.`;
  }
  return heap.reason === "too_short"
    ? "The heap is not judged: the run was shorter than 4 minutes, and what an isolate keeps was still filling."
    : "The heap was not measured.";
}
