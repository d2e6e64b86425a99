/** How fast old tokens are deleted beside how fast new ones are stored, each alone and then both at the same time. */
import { loadavg } from "node:os";
import type { GrowthStores } from "./growth-stores.ts";
import { processorNanoseconds } from "./process-usage.ts";

const SECONDS_OF_RATE = 8;
const CONNECTIONS = 8;

interface Inserts {
  readonly rows: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}
interface Deletes {
  readonly rows: number;
  readonly statements: number;
  readonly seconds: number;
}

/** `later`: milliseconds since 1970, when nearly all tokens are to be deleted. `needed`: tokens a second. */
export async function printRates(
  { ask, pid }: Pick<GrowthStores, "ask" | "pid">,
  later: number,
  needed: number,
): Promise<void> {
  const insert = () => ask<Inserts>("insert", { seconds: SECONDS_OF_RATE, connections: CONNECTIONS });
  const remove = () => ask<Deletes>("delete", { seconds: SECONDS_OF_RATE, now: later });
  const alone = async <Run extends Inserts | Deletes>(
    run: () => Promise<Run>,
  ): Promise<Run & { processor: string }> => {
    const began = await processorNanoseconds(pid);
    const done = await run();
    const microseconds = ((await processorNanoseconds(pid)) - began) / 1000 / done.rows;
    return { ...done, processor: `${microseconds.toFixed(0)} µs of processor time each` };
  };
  await insert();
  const [stored, deleted] = [await alone(insert), await alone(remove)];
  const [storedMeanwhile, deletedMeanwhile] = await Promise.all([insert(), remove()]);
  console.log(`needed: ${needed.toFixed(0)} a second of each`);
  console.log(`stored alone: ${describeInserts(stored)}; ${stored.processor}`);
  console.log(`stored while old ones are deleted: ${describeInserts(storedMeanwhile)}`);
  console.log(`deleted alone: ${describeDeletes(deleted)}; ${deleted.processor}`);
  console.log(`deleted while new ones are stored: ${describeDeletes(deletedMeanwhile)}`);
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
}

const rate = ({ rows, seconds }: { rows: number; seconds: number }): string =>
  `${(rows / seconds).toFixed(0)} a second`;

const describeInserts = (run: Inserts): string =>
  `${rate(run)}, of ${CONNECTIONS} at a time each in ${run.p50.toFixed(0)} ms (p50), ${run.p99.toFixed(0)} ms (p99), ${run.most.toFixed(0)} ms (at most)`;

const describeDeletes = (run: Deletes): string =>
  `${rate(run)}, ${((run.seconds / run.statements) * 1000).toFixed(0)} ms a statement of ${(run.rows / run.statements).toFixed(0)}`;
