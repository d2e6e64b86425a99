/** Times as people read them. UTC throughout: a trusted list, a bank and its PSP are rarely in one time zone. */

const MINUTE_MS = 60_000;

const minutes = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** `22 Nov 2026, 03:43 UTC`. Milliseconds since 1970, or ISO 8601. */
export const writeTime = (time: number | string): string => `${minutes.format(new Date(time))} UTC`;

/** `22 Nov 2026`. Milliseconds since 1970, or ISO 8601. */
export const writeDay = (time: number | string): string => days.format(new Date(time));

const UNITS = [
  ["year", 365.25 * 1440],
  ["month", 30.4 * 1440],
  ["day", 1440],
  ["hour", 60],
  ["minute", 1],
] as const;

/** `3 hours ago` or `in 2 days`; of two units the smaller until twice the larger. Times as above. */
export function writeAge(time: number | string, now: number): string {
  const passed = (new Date(time).getTime() - now) / MINUTE_MS;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(passed) >= 2 * size) ?? UNITS[4];
  const count = Math.trunc(passed / size);
  return count === 0 ? "just now" : relative.format(count, unit);
}
