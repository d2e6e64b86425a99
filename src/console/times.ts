/** Times as people read them; ages are relative-time.ts. UTC throughout: a trusted list, a bank and its PSP are rarely in one time zone. */

const minutes = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const seconds = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** `22 Nov 2026, 03:43 UTC`. Milliseconds since 1970, or ISO 8601. */
export const writeTime = (time: number | string): string => `${minutes.format(new Date(time))} UTC`;

/** `22 Nov 2026, 03:43:07 UTC`. Milliseconds since 1970, or ISO 8601. */
export const writeSecond = (time: number | string): string => `${seconds.format(new Date(time))} UTC`;

/** `22 Nov 2026`. Milliseconds since 1970, or ISO 8601. */
export const writeDay = (time: number | string): string => days.format(new Date(time));
