/**
 * What the cron trigger runs: the tasks that are due, one step each, until one was heavy or failed. An invocation has 30 s of CPU,
 * 128 MB and 1,000 operations of stores; what is left is still due at the next.
 */
import { makeSecret } from "../secrets.ts";
import { holdLease, releaseLease } from "./lease.ts";
import { addRefreshes, listRefreshes } from "./refreshes.ts";
import type { RefreshEnv, StepResult } from "./step.ts";
import { findStep, runStep, STANDING_TASKS } from "./tasks.ts";

/** Beside them a step reads, at most some 400 times for the EBA's 31 countries. */
export const MAX_WRITES_PER_STEP = 500;
/** Verifying the 2.6 MB of Czechia's list takes a heap of 48 MB (npm run bench); longer ones are for the command. */
export const MAX_LIST_BYTES_PER_STEP = 5 * 1024 * 1024;
/** Light ones: a question to a source, and a record. */
const MAX_STEPS = 40;

export type TaskResult = { readonly task: string } & StepResult;

/** `clock` answers milliseconds since 1970. Answers what was done; nothing while another refresh or import is running. */
export async function refreshDue(env: RefreshEnv, clock: () => number): Promise<TaskResult[]> {
  const holder = `scheduled ${makeSecret(8)}`;
  if (!(await holdLease(env.DB, holder, clock()))) return [];
  try {
    const began = clock();
    await addRefreshes(env.DB, STANDING_TASKS, began);
    const due = (await listRefreshes(env.DB)).filter(({ task, dueAt }) => dueAt <= began && findStep(task) !== null);
    const results: TaskResult[] = [];
    for (const refresh of due.slice(0, MAX_STEPS)) {
      const now = clock();
      if (!(await holdLease(env.DB, holder, now))) break;
      const result = await runStep(env, refresh, {
        now,
        maxWrites: MAX_WRITES_PER_STEP,
        maxListBytes: MAX_LIST_BYTES_PER_STEP,
      });
      results.push({ task: refresh.task, ...result });
      console.log(JSON.stringify({ event: "refresh", ...describe(refresh.task, result) }));
      if (!result.ok || result.heavy) break;
    }
    return results;
  } finally {
    await releaseLease(env.DB, holder);
  }
}

const describe = (task: string, result: StepResult) =>
  result.ok ? { task, ok: true, told: result.told } : { task, ok: false, error: result.message };
