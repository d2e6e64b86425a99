/** What D1 keeps of each published trusted list between the steps of its refresh, where KV shows for a minute what was before. */
import * as z from "zod";
import type { Instant } from "../platform/instant.ts";
import { SETTLE_MS } from "../registers/import/stored-register.ts";
import { LIST_OF_LISTS, type LoadedIssue, TRUSTED_LIST_SOURCE } from "../trust/anchors.ts";
import { keepStepState, listRefreshes } from "./refreshes.ts";
import { type StepInput, trustTask } from "./schedule.ts";

const VALIDATORS = z.object({
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  sha256: z.string().optional(),
});
const ISSUE = z.object({ sequenceNumber: z.number(), issuedAt: z.string().optional() });
/** Increment this when more fields of lists are read: the loaded lists are then imported again, even if unchanged. */
export const READING = 6;
/** Of a loaded list. `listOfLists`: the issue of the list of lists that named its signers. */
export const STEP_STATE = z.object({
  validators: VALIDATORS,
  listOfLists: ISSUE.nullable(),
  reading: z.literal(READING),
});
export const NOTHING_KNOWN = { validators: {}, listOfLists: null, reading: READING } as const;

/**
 * The issue that an import began with last. KV shows the one before for a minute: of an older file it would not say that it is
 * older. Kept by itself, also for a release that reads more.
 */
const NEWEST = z.object({ newest: ISSUE.nullish() });

/** What was imported last of a list, or that it was dropped; `at`: when that began. */
const CHANGED = z.object({ changed: z.object({ what: z.string(), at: z.number() }) });
export const DROPPED = "dropped";

const nameIssue = ({ sequenceNumber, issuedAt }: LoadedIssue): string => `${sequenceNumber} ${issuedAt}`;

/** What is kept beside {@link STEP_STATE}: `newest` is imported, or dropped. */
export const noteImport = (newest: LoadedIssue, now: Instant) => ({
  newest,
  changed: { what: nameIssue(newest), at: now },
});
export const noteDrop = (newest: LoadedIssue | null, now: Instant) => ({ newest, changed: { what: DROPPED, at: now } });

/**
 * Why this may not be imported yet. Until KV shows everywhere what the last import wrote, a name that it added would be taken
 * for one that is not there, and stay. Null: it may.
 */
export function findWait(stepState: unknown, what: string, now: Instant): string | null {
  const last = CHANGED.safeParse(stepState).data?.changed;
  if (!last || last.what === what || Math.abs(now - last.at) >= SETTLE_MS) return null;
  return `Workers KV does not show yet what was imported last (${last.what}): it waits, for three minutes at most`;
}

export const readNewest = (stepState: unknown): z.output<typeof ISSUE> | null =>
  NEWEST.safeParse(stepState).data?.newest ?? null;

/** By D1, which shows no earlier state. Null: none since this is kept. */
export async function findNewestListOfLists(db: D1Database): Promise<z.output<typeof ISSUE> | null> {
  const task = trustTask(TRUSTED_LIST_SOURCE, LIST_OF_LISTS);
  const refresh = (await listRefreshes(db)).find((each) => each.task === task);
  return refresh ? readNewest(JSON.parse(refresh.stepState)) : null;
}

/** Before the first write: a step that is killed may have written. Answers why it has to wait; null: it may begin. */
export const noteNewest =
  (territory: string, { env, stepState, now }: StepInput) =>
  async (newest: LoadedIssue): Promise<string | null> => {
    // of the list of lists nothing is written but itself
    const wait = territory === LIST_OF_LISTS ? null : findWait(stepState, nameIssue(newest), now);
    if (wait !== null) return wait;
    const state = { ...readStepState(stepState), ...noteImport(newest, now) };
    await keepStepState(env.DB, trustTask(TRUSTED_LIST_SOURCE, territory), state);
    return null;
  };

export const readStepState = (stepState: unknown): z.output<typeof STEP_STATE> =>
  STEP_STATE.safeParse(stepState).data ?? NOTHING_KNOWN;
