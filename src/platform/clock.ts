/** The time: the clock, days, instants and durations as programs write them and as people say them. */
import type { Instant } from "./instant.ts";

/** Reads the time and waits. Tests replace it. */
export interface Clock {
  now(): Instant;
  wait(milliseconds: number): Promise<void>;
}

/** The only clock. Handlers, middleware and commands read it, as `now`; all other code takes `now` as an argument. */
export const clock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/** Whole seconds, rounded down: the unit of the interface's `exp`, `iat` and `revoked_at`. */
export const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** When a day of UTC such as `2026-11-22` begins; null if the text is no day. */
export function parseDay(text: string): Instant | null {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(time) || nameDay(time) !== text ? null : time;
}

export const nameDay = (time: Instant): string => new Date(time).toISOString().slice(0, 10);

/** When the day after that of `time` begins. */
export const nextDay = (time: Instant): Instant => (Math.floor(time / DAY_MS) + 1) * DAY_MS;

/** ISO 8601 in UTC with milliseconds. */
export const writeRequestTime = (time: Instant): string => new Date(time).toISOString();

/** Of two units the smaller until twice the larger: `90 min`, then `2 h`. */
const UNITS = [
  [365.25 * DAY_MS, "years"],
  [DAY_MS, "days"],
  [HOUR_MS, "h"],
  [MINUTE_MS, "min"],
  [SECOND_MS, "s"],
] as const;

/** `36 h` of milliseconds. */
export function formatDuration(milliseconds: number): string {
  const [unit, name] = UNITS.find(([size]) => milliseconds >= 2 * size) ?? [SECOND_MS, "s"];
  return `${Math.floor(milliseconds / unit)} ${name}`;
}

/** `5 min ago` or `in 3 days`; `never` for null. A text is an ISO instant. */
export function relativeTime(time: Instant | string | null, now: Instant): string {
  if (time === null) return "never";
  const distance = (typeof time === "string" ? Date.parse(time) : time) - now;
  if (Math.abs(distance) < SECOND_MS) return "now";
  return distance < 0 ? `${formatDuration(-distance)} ago` : `in ${formatDuration(distance)}`;
}

const DURATION_UNITS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** `24h`, `30m`, `7d` or `90s` in milliseconds; null for any other text, and for no time at all. */
export function parseDuration(text: string): number | null {
  const [, amount = "", unit = ""] = /^(\d{1,7}) ?([smhd])$/.exec(text.trim()) ?? [];
  const size = DURATION_UNITS[unit as keyof typeof DURATION_UNITS];
  const milliseconds = size === undefined ? 0 : Number(amount) * size;
  return milliseconds > 0 ? milliseconds : null;
}
