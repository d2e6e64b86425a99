/** What the simulation takes from measurements and counts. */
import { readCounted } from "../cost/billed.ts";
import { firstMs, type ProcessorTimes, processorMs } from "./processor-times.ts";
import type { Operation } from "./rounds.ts";
import type { Inputs } from "./run.ts";

export async function readInputs(times: ProcessorTimes): Promise<Inputs> {
  const { requests } = await readCounted();
  const writing = Object.entries(requests).filter(([, { warm }]) => warm.d1RowsWritten > 0);
  return {
    processorMs: (operation, state) => processorMs(times, operation, state),
    startMs: times.start.milliseconds,
    firstMs: (operation) => firstMs(times, operation),
    writing: new Set(writing.map(([operation]) => operation as Operation)),
  };
}
