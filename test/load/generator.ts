/**
 * The load generator, a process of its own: `node generator.ts TASK`, where TASK is a file. It shares its banks among
 * threads, passes commands on to them, and adds up what they have counted.
 */
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Command, GeneratorMessage, GeneratorTask, Progress } from "./generator-messages.ts";
import { addRecord, makeRecord } from "./run-record.ts";

const MICROSECONDS = 1e6;
const MOST_THREADS = 4;

const task = JSON.parse(await readFile(process.argv[2] ?? "", "utf8")) as GeneratorTask;
const count = Math.min(MOST_THREADS, availableParallelism(), task.banks.length);
const threads = Array.from({ length: count }, (_, thread) => {
  const banks = task.banks.filter((bank) => bank % count === thread);
  return new Worker(join(import.meta.dirname, "generator-thread.ts"), { workerData: { ...task, banks } });
});

const run = makeRecord();
const progress: Progress[] = threads.map(() => ({ requests: 0, wrong: 0, serverErrors: 0 }));
/** How many threads have said it since it was last passed on. */
const said = { ready: 0, paused: 0, stopped: 0 };

for (const [index, thread] of threads.entries()) {
  thread.on("message", (message: GeneratorMessage) => hear(index, message));
  thread.on("error", (error) => {
    throw error;
  });
}

process.on("message", (command: Command) => {
  for (const thread of threads) thread.postMessage(command);
});
// the run's process has died
process.on("disconnect", () => process.exit(1));

function hear(index: number, message: GeneratorMessage): void {
  if (message.is === "progress") {
    progress[index] = message.progress;
    if (index === 0) tell({ is: "progress", progress: addProgress() });
    return;
  }
  if (message.is === "stopped") addRecord(run, message.run);
  said[message.is]++;
  if (said[message.is] < threads.length) return;
  said[message.is] = 0;
  tell(message.is === "stopped" ? { is: "stopped", run, processorSeconds: processorSeconds() } : message);
  if (message.is === "stopped") process.disconnect();
}

const tell = (message: GeneratorMessage): void => void process.send?.(message);

const addProgress = (): Progress =>
  progress.reduce((sum, each) => ({
    requests: sum.requests + each.requests,
    wrong: sum.wrong + each.wrong,
    serverErrors: sum.serverErrors + each.serverErrors,
  }));

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MICROSECONDS;
}
