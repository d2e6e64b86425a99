/** The names of refresh tasks, and when a task is due again. Pure. */

import type { Instant } from "../platform/instant.ts";
import type { RegisterMaxAgeVars } from "../registers/manifest.ts";
import { BANKS, EBA, FETCHED_REGISTERS, type RegisterSource } from "../registers/sources.ts";
import { TRUSTED_LIST_SOURCE } from "../trust/anchors.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const CRL_TASK = "crl";
export const RETENTION_TASK = "retention";
export const EVENTS_TASK = "events";
/** Of files of one country each, or of all countries: `country` is null then. */
export const registerTask = (source: RegisterSource, country: string | null): string =>
  country === null ? `register/${source}` : `register/${source}/${country}`;
export const EBA_TASK = registerTask(EBA, null);
export const BANKS_TASK = registerTask(BANKS, null);
export const trustTask = (source: string, jurisdiction: string): string => `trust/${source}/${jurisdiction}`;

const INTERVALS: Readonly<Record<string, number>> = {
  [EBA_TASK]: 8 * HOUR_MS,
  [BANKS_TASK]: 24 * HOUR_MS,
  [CRL_TASK]: 30 * MINUTE_MS,
  [EVENTS_TASK]: MINUTE_MS,
};

/** Milliseconds from a success until the task is due again. */
export const intervalOf = (task: string): number => INTERVALS[task] ?? HOUR_MS;

/** Whether the scheduled run looks after the task: other anchors and registers are imported by the operator. */
export const isScheduled = (task: string): boolean =>
  FETCHED_REGISTERS.some((source) => task === registerTask(source, null)) ||
  !/^(register|trust)\//.test(task) ||
  task.startsWith(trustTask(TRUSTED_LIST_SOURCE, ""));

/** Whether the service fetches a source of lists or registers; the operator imports the others. */
export const isFetched = (source: string | null): boolean =>
  source === TRUSTED_LIST_SOURCE || FETCHED_REGISTERS.some((each) => each === source);

const FIRST_RETRY_MS = 2 * MINUTE_MS;

/**
 * When a task is due after consecutive failures: after 2, 4, 8 ... minutes, but not later than after a success.
 */
export const retryAt = (task: string, failures: number, now: Instant): Instant =>
  now + Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures - 1, 16), intervalOf(task));

/** So long after it was due, events have missed a run: the cron trigger comes each minute. */
const MISSED_MS = MINUTE_MS / 2;

/**
 * The tasks that are due at `now`, the one that has waited longest first. Events that missed their turn come before all: a
 * run ends with the first step that took long or failed, and thirty lists would be half an hour. Not every time, or a long
 * sweep would hold up the sources.
 */
export function dueInOrder<Task extends { readonly task: string; readonly dueAt: Instant }>(
  tasks: readonly Task[],
  now: Instant,
): Task[] {
  const place = ({ task, dueAt }: Task) => (task === EVENTS_TASK && now - dueAt >= MISSED_MS ? 0 : dueAt);
  return tasks.filter(({ dueAt }) => dueAt <= now).toSorted((a, b) => place(a) - place(b));
}

/** The bindings and variables that refreshing needs. */
export type RefreshEnv = Pick<
  Env,
  | "KV"
  | "DB"
  | "LOTL_URL"
  | "TRUSTED_LIST_URL_TEMPLATE"
  | "EBA_METADATA_URL"
  | "EBA_FILES_URL"
  | "EBA_SEARCH_URL"
  | "REFRESH_TIMEOUT_SECONDS"
  | "TOKEN_RETENTION_DAYS"
  | "RETENTION_DAYS"
  | "PERMISSION_RETENTION_DAYS"
> &
  RegisterMaxAgeVars &
  Partial<Pick<Env, "EVIDENCE" | "EVIDENCE_RETENTION_DAYS">> &
  Partial<Pick<Env, "EVENTS" | "EVENT_RETENTION_DAYS" | "WEBHOOK_TARGETS">> &
  Partial<Pick<Env, "LEDGER" | "JURISDICTION" | "LEDGER_RECORDS">>;

export interface StepInput {
  readonly env: RefreshEnv;
  /** The state that the task's last step kept. Any JSON value: an older version may have written it. */
  readonly stepState: unknown;
  readonly now: Instant;
  /** Reads the time later on. */
  readonly clock?: () => Instant;
  /** The most entries that the step may write; the rest is left to the next step. */
  readonly maxWrites: number;
  /** Larger lists are refused: a parsed document needs about fifteen times the memory of its text. */
  readonly maxListBytes: number;
  /** Called by long downloads with the bytes read so far and the total; the total is null if unknown. */
  readonly onProgress?: (bytes: number, total: number | null) => void;
}

export type StepResult =
  | {
      readonly ok: true;
      readonly stepState: unknown;
      /** Another step is due at once. */
      readonly unfinished: boolean;
      /** The step used so much time and memory that no other should run in the same invocation. */
      readonly heavy: boolean;
      readonly summary: string;
      /** The next one has to wait for KV, which does not show yet what was written last. */
      readonly waits?: boolean;
      /** There was nothing to do: not worth a line of the log. */
      readonly quiet?: boolean;
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** It failed before there was anything to work on, so another may run in the same invocation. */
      readonly light?: boolean;
      /** State for the next step; if absent, the current state is kept. */
      readonly stepState?: unknown;
    };

export type Step = (input: StepInput) => Promise<StepResult>;
