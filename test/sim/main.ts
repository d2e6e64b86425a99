/**
 * `npm run sim`: histories of the whole service in a simulated world, each from a seed. `--seed N` runs one, `--minutes M` as many
 * as that time allows (1 if nothing is said), by all cores. `--theme NAME` gives each of them that theme. Prints the story of what failed, and how often each fault fired and
 * each promise had something to say.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { type History, prepare, runHistory } from "./history.ts";
import { shrink } from "./shrink.ts";
import { tellStory } from "./story.ts";
import { readTheme, type ThemeName } from "./themes.ts";
import { addCounts } from "./trace.ts";

interface Lane {
  readonly from: number;
  readonly step: number;
  readonly until: number;
  readonly theme: ThemeName | null;
}

interface Sum {
  histories: number;
  requests: number;
  readonly faults: Map<string, number>;
  readonly conditions: Map<string, number>;
  readonly stories: string[];
}

const newSum = (): Sum => ({ histories: 0, requests: 0, faults: new Map(), conditions: new Map(), stories: [] });

function add(sum: Sum, { counters, requests }: History): void {
  sum.histories++;
  sum.requests += requests;
  addCounts(sum.faults, counters.faults);
  addCounts(sum.conditions, counters.conditions);
}

/** Seeds one after the other until the time is over or a promise broke. Times of the machine, in milliseconds. */
async function runLane({ from, step, until, theme }: Lane): Promise<Sum> {
  const setup = await prepare();
  const sum = newSum();
  for (let seed = from; sum.histories === 0 || Date.now() < until; seed += step) {
    const history = await runHistory(setup, String(seed), { theme });
    add(sum, history);
    if (history.broken.length === 0) continue;
    sum.stories.push(tellStory(String(seed), theme, await shrink(setup, String(seed), history)));
    break;
  }
  return sum;
}

/** With V8's small first heap a quarter of the time is the collection of short-lived objects. */
const YOUNG = { maxYoungGenerationSizeMb: 128 };
const MINUTE_MS = 60_000;

function print({ histories, requests, faults, conditions, stories }: Sum): void {
  for (const story of stories) console.log(story);
  console.log(`${histories} histories of ${Math.round(requests / histories)} requests`);
  const table = (title: string, counts: Map<string, number>) => {
    console.log(title);
    for (const [name, count] of [...counts].sort()) console.log(`  ${String(count).padStart(9)}  ${name}`);
  };
  table("Faults:", faults);
  table("Promises that were looked at:", conditions);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seed: { type: "string" }, minutes: { type: "string" }, theme: { type: "string" } },
  });
  const theme = readTheme(values.theme);
  const sum = newSum();
  const end = Date.now() + Number(values.minutes ?? 1) * MINUTE_MS;
  const only = values.seed !== undefined && values.minutes === undefined;
  const first = Number(values.seed ?? Date.now());
  const lanes = only ? 1 : availableParallelism();
  const parts = await Promise.all(
    Array.from(
      { length: lanes },
      (_, lane) =>
        new Promise<Sum>((resolve, reject) => {
          const workerData: Lane = { from: first + lane, step: lanes, until: only ? 0 : end, theme };
          new Worker(import.meta.filename, { workerData, resourceLimits: YOUNG })
            .once("message", resolve)
            .once("error", reject);
        }),
    ),
  );
  for (const part of parts) {
    sum.histories += part.histories;
    sum.requests += part.requests;
    addCounts(sum.faults, part.faults);
    addCounts(sum.conditions, part.conditions);
    sum.stories.push(...part.stories);
  }
  print(sum);
  process.exitCode = sum.stories.length > 0 ? 1 : 0;
}

if (isMainThread) await main();
else parentPort?.postMessage(await runLane(workerData as Lane));
