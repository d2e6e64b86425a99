/** What an import changed of a list or register, as its manifest keeps it for the operator. Pure. */
import type { Instant } from "./instant.ts";

export interface ImportChange {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Of the last import that changed anything. */
export interface LastChange extends ImportChange {
  /** ISO 8601. */
  readonly at: string;
}

/** The members of a manifest; absent in those that were written before these existed. */
export interface ChangeRecord {
  readonly lastChange?: LastChange;
  /** Of an import in several runs that is not finished: what its runs so far changed. */
  readonly changeSoFar?: ImportChange;
}

export const NO_CHANGE: ImportChange = { added: 0, changed: 0, removed: 0 };

export const sumChanges = (a: ImportChange, b: ImportChange): ImportChange => ({
  added: a.added + b.added,
  changed: a.changed + b.changed,
  removed: a.removed + b.removed,
});

/**
 * The record after an import's last run at `now`, which changed `change`: one that changed nothing leaves the last change
 * as it was. An import that was interrupted by a fault counts from its repetition on.
 */
export function recordChange(before: ChangeRecord | null, change: ImportChange, now: Instant): ChangeRecord {
  const { added, changed, removed } = sumChanges(before?.changeSoFar ?? NO_CHANGE, change);
  if (added + changed + removed > 0)
    return { lastChange: { at: new Date(now).toISOString(), added, changed, removed } };
  return before?.lastChange ? { lastChange: before.lastChange } : {};
}
