/** Times as people say them: `5 min ago`, `in 3 days`. */
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

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

/** `5 min ago` or `in 3 days`; `never` for null. Times in milliseconds since 1970, or as an ISO instant. */
export function relativeTime(time: number | string | null, now: number): string {
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
