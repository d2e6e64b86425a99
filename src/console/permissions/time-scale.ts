/** The scale of the permissions' time line, from hours to decades. Pure; all times in milliseconds since 1970. */
import type { TimeScale } from "../check/time-line.tsx";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MARGIN = 0.04;
/** The shortest scale. */
const MIN_MS = 2 * HOUR_MS;
const MAX_TICKS = 6;

/** A margin around all that is given and around now. */
export function scaleOf(times: readonly number[], now: number): TimeScale {
  const [first, last] = [Math.min(now, ...times), Math.max(now, ...times)];
  const margin = Math.max((last - first) * MARGIN, (MIN_MS - (last - first)) / 2);
  return { start: first - margin, end: last + margin };
}

export interface Tick {
  readonly time: number;
  readonly label: string;
}

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" });
const hour = format({ hour: "2-digit", minute: "2-digit" });
const dayOfMonth = format({ day: "numeric", month: "short" });
const month = format({ month: "short", year: "numeric" });
const year = format({ year: "numeric" });

/** Steps in months, and in hours for what is shorter. */
const STEPS = [
  ...[1, 3, 6, 12].map((hours) => ({ hours, months: 0, label: hour })),
  ...[1, 2, 4, 7, 14].map((days) => ({ hours: 24 * days, months: 0, label: dayOfMonth })),
  ...[1, 2, 3, 6].map((months) => ({ hours: 0, months, label: month })),
  ...[1, 2, 5, 10, 20, 50, 100].map((years) => ({ hours: 0, months: 12 * years, label: year })),
];
const LONGEST = { hours: 0, months: 12_000, label: year };

/** At most seven, at the beginnings of hours, days, months or years. */
export function listTicks({ start, end }: TimeScale): Tick[] {
  const lengthOf = ({ hours, months }: typeof LONGEST) => hours * HOUR_MS + months * 30.4 * DAY_MS;
  const step = STEPS.find((one) => (end - start) / lengthOf(one) <= MAX_TICKS) ?? LONGEST;
  const ticks: Tick[] = [];
  for (let time = firstOf(start, step); time <= end; time = next(time, step))
    if (time >= start) ticks.push({ time, label: step.label.format(time) });
  return ticks;
}

/** The last beginning of a step up to `start`. */
function firstOf(start: number, { hours, months }: typeof LONGEST): number {
  const date = new Date(start);
  const [inYear, inMonth] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (hours > 0) return Date.UTC(inYear, inMonth, date.getUTCDate());
  if (months < 12) return Date.UTC(inYear, inMonth - (inMonth % months));
  return Date.UTC(inYear - (inYear % (months / 12)), 0);
}

function next(time: number, { hours, months }: typeof LONGEST): number {
  const date = new Date(time);
  return hours > 0 ? time + hours * HOUR_MS : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}
