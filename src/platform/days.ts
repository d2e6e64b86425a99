/** Days of UTC, as forms and addresses spell them: `2026-11-22`. Pure. */
const DAY_MS = 86_400_000;

/** When it begins, in milliseconds since 1970; null if the text is no day. */
export function parseDay(text: string): number | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || nameDay(time) !== text ? null : time;
}

/** `time`: milliseconds since 1970. */
export const nameDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** When the day after that of `time` begins; both in milliseconds since 1970. */
export const nextDay = (time: number): number => (Math.floor(time / DAY_MS) + 1) * DAY_MS;
