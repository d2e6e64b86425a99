/** Maps each task to its step, runs steps, and records their results. */
import { TRUSTED_LIST_SOURCE } from "../trust/anchors.ts";
import { refreshCrls } from "./crls.ts";
import { refreshEba } from "./eba.ts";
import { runEvents } from "./events.ts";
import { LIST_OF_LISTS } from "./published-list.ts";
import { type Refresh, recordFailure, recordStep, recordSuccess } from "./refreshes.ts";
import { runRetention } from "./retention.ts";
import { CRL_TASK, EBA_TASK, EVENTS_TASK, RETENTION_TASK, trustTask } from "./schedule.ts";
import type { RefreshEnv, Step, StepInput, StepResult } from "./step.ts";
import { refreshListOfLists, refreshNationalList } from "./trusted-lists.ts";

export const LIST_OF_LISTS_TASK = trustTask(TRUSTED_LIST_SOURCE, LIST_OF_LISTS);

/** The tasks that always exist. Those of national lists are added when the list of lists names them. */
export const STANDING_TASKS: readonly string[] = [LIST_OF_LISTS_TASK, EBA_TASK, CRL_TASK, RETENTION_TASK, EVENTS_TASK];

const NATIONAL_LIST = new RegExp(`^${trustTask(TRUSTED_LIST_SOURCE, "([A-Z]{2})")}$`);

/** The step of a task; null for sources that only the operator imports: other anchors and registers. */
export function findStep(task: string): Step | null {
  switch (task) {
    case LIST_OF_LISTS_TASK:
      return refreshListOfLists;
    case EBA_TASK:
      return refreshEba;
    case CRL_TASK:
      return refreshCrls;
    case RETENTION_TASK:
      return runRetention;
    case EVENTS_TASK:
      return runEvents;
    default: {
      const [, jurisdiction] = NATIONAL_LIST.exec(task) ?? [];
      return jurisdiction === undefined ? null : (input) => refreshNationalList(jurisdiction, input);
    }
  }
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
