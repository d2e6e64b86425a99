/** Runs the tasks of the scheduled refresh one after the other, each to its end. */

import { clock } from "../../platform/clock.ts";
import { addRefreshes, listRefreshes } from "../../refresh/refreshes.ts";
import { CRL_TASK, type RefreshEnv, registerTask, type StepResult } from "../../refresh/schedule.ts";
import { findStep, LIST_OF_LISTS_TASK, runStep, STANDING_TASKS } from "../../refresh/scheduled.ts";
import { FETCHED_REGISTERS } from "../../registers/sources.ts";
import { MAX_LIST_BYTES } from "../../trust/lists/document.ts";
import { fail } from "../fail.ts";
import { makeProgressBar } from "../output.ts";
import type { LeasedWork } from "./lease.ts";

export type RefreshPart = "trust" | (typeof FETCHED_REGISTERS)[number] | "crl";

/** What became of one source. */
export type EndedRefresh =
  | { readonly task: string; readonly ok: true; readonly summary: string }
  | { readonly task: string; readonly ok: false; readonly error: string };

/** Answers what became of each source; `onEnd` learns it as it ends. */
export async function refreshAll(
  env: RefreshEnv,
  parts: readonly RefreshPart[],
  leased: LeasedWork,
  onEnd: (ended: EndedRefresh) => void,
): Promise<readonly EndedRefresh[]> {
  await addRefreshes(env.DB, STANDING_TASKS, clock.now());
  const ended: EndedRefresh[] = [];
  const run = async (task: string) => {
    leased.left = `${ended.length} sources are done, ${task} was under way and is whole as it was before or is finished by the next refresh: the same command does the rest`;
    const result = await runToEnd(env, task);
    const end: EndedRefresh = result.ok
      ? { task, ok: true, summary: result.summary }
      : { task, ok: false, error: result.message };
    ended.push(end);
    onEnd(end);
  };
  if (parts.includes("trust")) {
    await run(LIST_OF_LISTS_TASK);
    // it names the national ones
    const tasks = (await listRefreshes(env.DB)).map(({ task }) => task).sort();
    for (const task of tasks.filter(isNationalList)) await run(task);
  }
  for (const source of FETCHED_REGISTERS) if (parts.includes(source)) await run(registerTask(source, null));
  if (parts.includes("crl")) await run(CRL_TASK);
  return ended;
}

const isNationalList = (task: string): boolean => findStep(task) !== null && !STANDING_TASKS.includes(task);

/** The EBA's file is fetched again behind it. */
const KV_WAIT_MS = 20_000;

async function runToEnd(env: RefreshEnv, task: string): Promise<StepResult> {
  for (;;) {
    const refresh = (await listRefreshes(env.DB)).find((each) => each.task === task) ?? fail(`no task ${task}`);
    const bar = makeProgressBar(task);
    const result = await runStep(env, refresh, {
      now: clock.now(),
      maxWrites: Number.POSITIVE_INFINITY,
      maxListBytes: MAX_LIST_BYTES,
      onProgress: bar.show,
    });
    bar.clear();
    if (!result.ok || !result.unfinished) return result;
    if (!result.waits) continue;
    console.error(`waiting: ${result.summary}`);
    await clock.wait(KV_WAIT_MS);
  }
}
