/** How fast old tokens are deleted beside how fast new ones are stored, each alone and then both at the same time. */
import { loadavg } from "node:os";
import type { Ask } from "./growth-stores.ts";

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
export async function printRates(ask: Ask, later: number, needed: number): Promise<void> {
  const insert = () => ask<Inserts>("insert", { seconds: SECONDS_OF_RATE, connections: CONNECTIONS });
  const remove = () => ask<Deletes>("delete", { seconds: SECONDS_OF_RATE, now: later });
  await insert();
  const alone = { stored: await insert(), deleted: await remove() };
  const [stored, deleted] = await Promise.all([insert(), remove()]);
  console.log(`needed: ${needed.toFixed(0)} a second of each`);
  for (const [name, run] of [
    ["alone", alone.stored],
    ["while old ones are deleted", stored],
  ] as const)
    console.log(
      `stored ${name}: ${rate(run)} a second, of ${CONNECTIONS} at a time each in ${run.p50.toFixed(1)} ms (p50), ${run.p99.toFixed(1)} ms (p99), ${run.most.toFixed(1)} ms (at most)`,
    );
  for (const [name, run] of [
    ["alone", alone.deleted],
    ["while new ones are stored", deleted],
  ] as const)
    console.log(
      `deleted ${name}: ${rate(run)} a second, ${((run.seconds / run.statements) * 1000).toFixed(1)} ms a statement`,
    );
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
}

const rate = ({ rows, seconds }: { rows: number; seconds: number }): string => (rows / seconds).toFixed(0);
