/** How pages write times, numbers and what comes from outside. Times are in UTC: a trusted list, a bank and its PSP are rarely in one time zone. */
import type { Instant } from "../platform/instant.ts";
import { showInvisible } from "../platform/quotation.ts";

const minutes = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const seconds = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** `22 Nov 2026, 03:43 UTC`. A text is ISO 8601. */
export const writeTime = (time: Instant | string): string => `${minutes.format(new Date(time))} UTC`;

/** `22 Nov 2026, 03:43:07 UTC`. A text is ISO 8601. */
export const writeSecond = (time: Instant | string): string => `${seconds.format(new Date(time))} UTC`;

/** `22 Nov 2026`. A text is ISO 8601. */
export const writeDay = (time: Instant | string): string => days.format(new Date(time));

export const SCOPE_NAMES = { payments: "payments", accounts: "account information" } as const;

const COUNTED = 1_000;
/** One more, to find out whether there are more. */
export const COUNT_UP_TO = COUNTED + 1;

/** Such as `53`, `more than 1,000`. */
export const writeNumber = (length: number, counted = COUNTED): string =>
  length > counted ? `more than ${counted.toLocaleString("en")}` : length.toLocaleString("en");

/** Such as `53 events`, `One event`, `More than 1,000 events`. `noun`: of one, which takes an s. */
export const writeLength = (length: number, noun: string, counted = COUNTED): string =>
  length === 1 ? `One ${noun}` : `${writeNumber(length, counted).replace("more", "More")} ${noun}s`;

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/*
 * Names come from certificates and registers. A control character in one (U+202E turns the direction of writing around)
 * would change how the number beside it reads, so every text of a page shows them as their code points. Letters of a
 * script that is written from the right are kept apart from their neighbours by `unicode-bidi` in console.css.
 */

/** Between tags: Hono writes `<` and `>` of texts and of attributes as entities. What a form sends back stays as it is. */
const TEXTS = /(?<!<textarea\b[^<>]*)>[^<]+/g;

export const showForeignText = (page: string | { toString(): string }): string =>
  String(page).replaceAll(TEXTS, (text) => text.split("\n").map(showInvisible).join("\n"));
