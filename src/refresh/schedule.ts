/** The names of refresh tasks, and when a task is due again. Pure. */

import { TRUSTED_LIST_SOURCE } from "../trust/anchors.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A single task for all countries of the EBA's register. */
export const EBA_TASK = "register/eba";
export const CRL_TASK = "crl";
export const RETENTION_TASK = "retention";
/** Events of institutions, and their deliveries. */
export const EVENTS_TASK = "events";
/** For registers that the operator imports. */
export const registerTask = (source: string, country: string): string => `register/${source}/${country}`;
export const trustTask = (source: string, jurisdiction: string): string => `trust/${source}/${jurisdiction}`;

/** Milliseconds from a success until the task is due again. */
export function intervalOf(task: string): number {
  switch (task) {
    case EBA_TASK:
      return 8 * HOUR_MS;
    case CRL_TASK:
      return 30 * MINUTE_MS;
    case RETENTION_TASK:
      return HOUR_MS;
    case EVENTS_TASK:
      return MINUTE_MS;
    default:
      return HOUR_MS;
  }
}

/** Whether the scheduled run looks after the task: other anchors and registers are imported by the operator. */
export const isScheduled = (task: string): boolean =>
  task === EBA_TASK || !/^(register|trust)\//.test(task) || task.startsWith(trustTask(TRUSTED_LIST_SOURCE, ""));

const FIRST_RETRY_MS = 2 * MINUTE_MS;

/**
 * When a task is due after consecutive failures: after 2, 4, 8 ... minutes, but not later than after a success. `now`
 * and the result are in milliseconds since 1970.
 */
export const retryAt = (task: string, failures: number, now: number): number =>
  now + Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 16), intervalOf(task));

/** So long after it was due, events have missed a run: the cron trigger comes each minute. */
const MISSED_MS = MINUTE_MS / 2;

/**
 * The tasks that are due at `now` (milliseconds since 1970), the one that has waited longest first. Events that missed their
 * turn come before all: a run ends with the first step that took long or failed, and thirty lists would be half an hour.
 * Not every time, or a long sweep would hold up the sources.
 */
export function dueInOrder<Task extends { readonly task: string; readonly dueAt: number }>(
  tasks: readonly Task[],
  now: number,
): Task[] {
  const place = ({ task, dueAt }: Task) => (task === EVENTS_TASK && now - dueAt >= MISSED_MS ? 0 : dueAt);
  return tasks.filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => place(a) - place(b));
}
