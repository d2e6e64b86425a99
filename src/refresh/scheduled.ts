/**
 * Run by the cron trigger: one step of each due task, until a step was heavy, or failed after it had begun to work. An
 * invocation is limited to 30 s of CPU time, 128 MB and 1,000 store operations. The remaining tasks are still due at the
 * next trigger.
 */
import { makeSecret } from "../platform/secrets.ts";
import { holdLease, releaseLease } from "./lease.ts";
import { addRefreshes, listRefreshes } from "./refreshes.ts";
import { dueInOrder } from "./schedule.ts";
import type { RefreshEnv, StepResult } from "./step.ts";
import { findStep, runStep, STANDING_TASKS } from "./tasks.ts";

/** Leaves room for a step's reads: about 400 at most, for the EBA's 31 countries. */
export const MAX_WRITES_PER_STEP = 500;
/**
 * Germany's list, the largest, has 5.3 MB. Verifying one of 5.6 MB takes 64 MB of heap, Czechia's of 2.6 MB 48 (npm run
 * bench). Import larger lists with the command.
 */
export const MAX_LIST_BYTES_PER_STEP = 6 * 1024 * 1024;
/** Limit for light steps: each is a request to a source and a write to D1. */
const MAX_STEPS = 40;
/** No step begins later in a run: sources that do not answer take a minute each, and the next trigger finds the lease held. */
const MAX_RUN_MS = 30_000;

export type TaskResult = { readonly task: string } & StepResult;

/** Returns the results; none while another refresh or import is running. `clock` returns milliseconds since 1970. */
export async function refreshDue(env: RefreshEnv, clock: () => number): Promise<TaskResult[]> {
  const holder = `scheduled ${makeSecret(8)}`;
  if (!(await holdLease(env.DB, holder, clock()))) return [];
  try {
    const began = clock();
    await addRefreshes(env.DB, STANDING_TASKS, began);
    const due = dueInOrder(await listRefreshes(env.DB), began).filter(({ task }) => findStep(task) !== null);
    const results: TaskResult[] = [];
    for (const refresh of due.slice(0, MAX_STEPS)) {
      const now = clock();
      if (now - began > MAX_RUN_MS || !(await holdLease(env.DB, holder, now))) break;
      const result = await runStep(env, refresh, {
        now,
        clock,
        maxWrites: MAX_WRITES_PER_STEP,
        maxListBytes: MAX_LIST_BYTES_PER_STEP,
      });
      results.push({ task: refresh.task, ...result });
      if (!result.ok || !result.quiet)
        console.log(JSON.stringify({ event: "refresh", ...describe(refresh.task, result) }));
      if (result.ok ? result.heavy : !result.light) break;
    }
    return results;
  } finally {
    await releaseLease(env.DB, holder);
  }
}

const describe = (task: string, result: StepResult) =>
  result.ok ? { task, ok: true, summary: result.summary } : { task, ok: false, error: result.message };
