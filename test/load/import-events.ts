/**
 * `node test/load/import-events.ts [-- --psps 100000 --granting 10000 --watching 1000]`: a register of made PSPs is
 * imported, then imported again with all of them changed. Prints what the import wrote, what each step of the events did
 * and cost until there was nothing left to tell, and how many events each institution got. In workerd, which runs the
 * local D1 and KV in the same process: its processor times are upper bounds. Ends with 1 if an event is missing or too
 * many, or a step made more calls than the platform allows.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type GrowthStores, startGrowthStores } from "../bench/growth-stores.ts";
import { processorNanoseconds } from "../bench/process-usage.ts";
import type { StoreCounts } from "./counted-stores.ts";

const WORKER = join(import.meta.dirname, "import-events-worker.ts");
const MINUTE_MS = 60_000;
/** After an import that many runs wait until KV shows it everywhere. */
const QUIET_RUNS = 3;
/** Of stores, in an invocation of the Workers Paid plan. */
const MOST_CALLS = 1_000;

const { values } = parseArgs({
  allowPositionals: true,
  options: { psps: { type: "string" }, granting: { type: "string" }, watching: { type: "string" } },
});
const psps = Number(values.psps ?? 100_000);
const granting = Number(values.granting ?? 10_000);
const watching = Number(values.watching ?? 1_000);

interface Step {
  readonly result: { ok: boolean; stepState?: unknown; quiet?: boolean; summary?: string; message?: string };
  readonly counts: StoreCounts;
  readonly processorMs: number;
}

let now = Date.now();
let stepState: unknown = {};

async function runSteps({ ask, pid }: GrowthStores): Promise<Step[]> {
  const steps: Step[] = [];
  for (let quiet = 0; quiet <= QUIET_RUNS; now += MINUTE_MS) {
    const before = await processorNanoseconds(pid);
    const { result, counts } = await ask<Omit<Step, "processorMs">>("step", { stepState, now });
    if (!result.ok) throw new Error(result.message);
    stepState = result.stepState;
    quiet = result.quiet === true ? quiet + 1 : 0;
    steps.push({ result, counts, processorMs: ((await processorNanoseconds(pid)) - before) / 1e6 });
  }
  return steps;
}

async function load({ ask, pid }: GrowthStores, services: readonly number[]): Promise<void> {
  const before = await processorNanoseconds(pid);
  let written = 0;
  for (let left = psps; left > 0; ) {
    const { result, counts } = await ask<{ result: { left: number }; counts: StoreCounts }>("import", {
      services,
      now,
    });
    written += counts.keysWritten;
    left = result.left;
  }
  const seconds = ((await processorNanoseconds(pid)) - before) / 1e9;
  console.log(`import: ${written} keys written, ${seconds.toFixed(1)} s of the processor`);
}

function print(steps: readonly Step[]): void {
  const most = (pick: (step: Step) => number) => Math.round(Math.max(...steps.map(pick)));
  const sum = (pick: (step: Step) => number) => Math.round(steps.reduce((total, step) => total + pick(step), 0));
  const row = (of: (pick: (step: Step) => number) => number) => ({
    calls: of(({ counts }) => counts.calls),
    "D1 rows read": of(({ counts }) => counts.rowsRead),
    "D1 rows written": of(({ counts }) => counts.rowsWritten),
    "KV keys read": of(({ counts }) => counts.keysRead),
    "processor ms": of(({ processorMs }) => processorMs),
  });
  console.table({ "largest step": row(most), [`all ${steps.length} steps`]: row(sum) });
  for (const text of new Set(steps.map(({ result }) => result.summary))) console.log(`  ${text}`);
}

const folder = await mkdtemp(join(tmpdir(), "psp-gate-import-events-"));
const kv = '[[kv_namespaces]]\nbinding = "KV"\nid = "import-events"\n';
const stores = await startGrowthStores(folder, { psps, granting, watching }, WORKER, kv);
const end = async () => {
  await stores.stop();
  await rm(folder, { recursive: true, force: true });
};
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => void end().then(() => process.exit(130)));
try {
  console.log(
    `load average ${loadavg()[0]?.toFixed(1)}; ${psps} PSPs, grants of ${granting}, watches of ${watching} of them`,
  );
  await stores.ask("institutions", { now });
  await load(stores, [7, 8]);
  const learning = await runSteps(stores);
  console.log("\nThe first import: what institutions have to do with is learnt");
  print(learning);
  await load(stores, [7]);
  const telling = await runSteps(stores);
  console.log("\nAll PSPs changed");
  print(telling);
  const { told } = await stores.ask<{ told: readonly object[] }>("events", {});
  console.table(told);
  const expected = [
    { fi: 1, events: granting, psps: granting, tokens: 2 * granting },
    { fi: 2, events: watching, psps: watching, tokens: 0 },
  ];
  const calls = Math.max(...[...learning, ...telling].map(({ counts }) => counts.calls));
  const isRight = JSON.stringify(told) === JSON.stringify(expected) && calls <= MOST_CALLS;
  console.log(isRight ? "each change was told once" : "WRONG: other events than were expected, or too many calls");
  if (!isRight) process.exitCode = 1;
} finally {
  await end();
}
