/**
 * Run by the cron trigger: one step of each due task, until a step was heavy, or failed after it had begun to work. An
 * invocation is limited to 30 s of CPU time, 128 MB and 1,000 store operations. The remaining tasks are still due at the
 * next trigger.
 */
import type { Instant } from "../platform/instant.ts";
import { areWritesRefused, WRITES_REFUSED_TEXT } from "../platform/schema-version.ts";
import { makeSecret } from "../platform/secrets.ts";
import { LIST_OF_LISTS, TRUSTED_LIST_SOURCE } from "../trust/anchors.ts";
import { refreshBanks } from "./banks.ts";
import { refreshCrls } from "./crls.ts";
import { refreshEba } from "./eba.ts";
import { runEvents } from "./events.ts";
import {
  addRefreshes,
  holdLease,
  listRefreshes,
  type Refresh,
  recordFailure,
  recordStep,
  recordSuccess,
  releaseLease,
} from "./refreshes.ts";
import { runRetention } from "./retention.ts";
import {
  BANKS_TASK,
  CRL_TASK,
  dueInOrder,
  EBA_TASK,
  EVENTS_TASK,
  RETENTION_TASK,
  type RefreshEnv,
  type Step,
  type StepInput,
  type StepResult,
  trustTask,
} from "./schedule.ts";
import { refreshListOfLists, refreshNationalList } from "./trusted-lists.ts";

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

/** Returns the results; none while another refresh or import is running, or if this release must not write. */
export async function refreshDue(env: RefreshEnv, clock: () => Instant): Promise<TaskResult[]> {
  const holder = `scheduled ${makeSecret(8)}`;
  if (!(await holdLease(env.DB, holder, clock()))) {
    if (await areWritesRefused(env.DB))
      console.error(JSON.stringify({ event: "refresh", ok: false, error: WRITES_REFUSED_TEXT }));
    return [];
  }
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

export const LIST_OF_LISTS_TASK = trustTask(TRUSTED_LIST_SOURCE, LIST_OF_LISTS);

const STEPS: Readonly<Record<string, Step>> = {
  [LIST_OF_LISTS_TASK]: refreshListOfLists,
  [EBA_TASK]: refreshEba,
  [BANKS_TASK]: refreshBanks,
  [CRL_TASK]: refreshCrls,
  [RETENTION_TASK]: runRetention,
  [EVENTS_TASK]: runEvents,
};

/** The tasks that always exist. Those of national lists are added when the list of lists names them. */
export const STANDING_TASKS: readonly string[] = Object.keys(STEPS);

const NATIONAL_LIST = new RegExp(`^${trustTask(TRUSTED_LIST_SOURCE, "([A-Z]{2})")}$`);

/** The step of a task; null for sources that only the operator imports: other anchors and registers. */
export function findStep(task: string): Step | null {
  const [, jurisdiction] = NATIONAL_LIST.exec(task) ?? [];
  return STEPS[task] ?? (jurisdiction === undefined ? null : (input) => refreshNationalList(jurisdiction, input));
}

const DID_NOT_END = "a step began and did not end: it is under way, or was killed";

/** Runs the next step of a task and records its result. Throws only if the result cannot be written. */
export async function runStep(
  env: RefreshEnv,
  refresh: Pick<Refresh, "task" | "failures" | "stepState">,
  options: Omit<StepInput, "env" | "stepState">,
): Promise<StepResult> {
  const { task, failures, stepState } = refresh;
  const step = findStep(task);
  if (!step) return { ok: false, message: `${task} is not refreshed` };
  // recorded in advance: this remains if the runtime kills the step for its time or memory
  await recordFailure(env.DB, task, failures + 1, { message: DID_NOT_END }, options.now);
  const result = await runSafely(step, { ...options, env, stepState: JSON.parse(stepState) });
  const { now } = options;
  if (!result.ok) await recordFailure(env.DB, task, failures + 1, result, now);
  else if (result.unfinished) await recordStep(env.DB, task, result.stepState, now);
  else await recordSuccess(env.DB, task, result.stepState, now);
  return result;
}

/** Turns an exception, such as a failing store or a bug, into a failed result, so that the other tasks still run. */
async function runSafely(step: Step, input: StepInput): Promise<StepResult> {
  try {
    return await step(input);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.error(JSON.stringify({ event: "refresh_fault", error: message, stack: (error as Error).stack }));
    return { ok: false, message: `internal: ${message}` };
  }
}
