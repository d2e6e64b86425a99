/** Times as people read them, in one form; ages are in platform/clock.ts. UTC throughout: a trusted list, a bank and its PSP are rarely in one time zone. */

const minutes = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const seconds = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** `22 Nov 2026, 03:43 UTC`. Milliseconds since 1970, or ISO 8601. */
export const writeTime = (time: number | string): string => `${minutes.format(new Date(time))} UTC`;

/** `22 Nov 2026, 03:43:07 UTC`. Milliseconds since 1970, or ISO 8601. */
export const writeSecond = (time: number | string): string => `${seconds.format(new Date(time))} UTC`;

/** `22 Nov 2026`. Milliseconds since 1970, or ISO 8601. */
export const writeDay = (time: number | string): string => days.format(new Date(time));

/** Not a part of a number, a name or an address: none of its characters touches it. */
const WRITTEN = /(?<![\w./-])\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?(?![\w/-])/g;

/** A sentence of an answer, such as a warning, with its days and instants in the form of the pages. */
export const writeDates = (sentence: string): string =>
  sentence.replaceAll(WRITTEN, (written) => {
    if (Number.isNaN(Date.parse(written))) return written;
    return written.includes("T") ? writeTime(written) : writeDay(written);
  });
