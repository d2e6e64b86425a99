/** When an institution is told that a PSP's certificate ends soon: 30, 7 and 1 days before. Pure. */
import type { Instant } from "../platform/instant.ts";

const DAY_MS = 86_400_000;
/** Descending. */
const WARNED_DAYS = [30, 7, 1] as const;

/** Of those days the one that has come, the least; null: none yet, or the certificate has ended. */
export function findWarnedDays(notAfter: Instant, now: Instant): number | null {
  if (now >= notAfter) return null;
  return WARNED_DAYS.findLast((days) => now >= notAfter - days * DAY_MS) ?? null;
}

/** When the next of them comes after `now`; null: none does. */
export const findNextWarning = (notAfter: Instant, now: Instant): Instant | null =>
  WARNED_DAYS.map((days) => notAfter - days * DAY_MS).find((at) => at > now) ?? null;

/** When there is first something to tell of a certificate that is new to the institution: at once if it ends soon. */
export const findDueAt = (notAfter: Instant, now: Instant): Instant | null =>
  findWarnedDays(notAfter, now) === null ? findNextWarning(notAfter, now) : now;
