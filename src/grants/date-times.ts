/**
 * Date-times of the interface. Input is ISO 8601, in the basic or the extended form, with or without seconds. The
 * offset is required; in both forms its colon or its minutes may be missing. Output is RFC 3339 in UTC, with the
 * fraction of the input.
 */
import type { Instant } from "../platform/instant.ts";

export interface DateTime {
  /** Whole milliseconds. */
  readonly milliseconds: Instant;
  /** The same instant in UTC, with the precision of the input: `2026-11-21T03:07:23.5Z`. */
  readonly utc: string;
}

const [MONTH, DAY] = ["(0[1-9]|1[0-2])", String.raw`(0[1-9]|[12]\d|3[01])`];
const [HOUR, SIXTY] = [String.raw`([01]\d|2[0-3])`, String.raw`([0-5]\d)`];
const FRACTION = String.raw`(?:[.,](\d{1,9}))?`;
const OFFSET = `(?:[Zz]|([+-])${HOUR}(?::?${SIXTY})?)`;
const EXTENDED = String.raw`^(\d{4})-${MONTH}-${DAY}[Tt]${HOUR}:${SIXTY}(?::${SIXTY}${FRACTION})?${OFFSET}$`;
const BASIC = String.raw`^(\d{4})${MONTH}${DAY}[Tt]${HOUR}${SIXTY}(?:${SIXTY}${FRACTION})?${OFFSET}$`;
const [EXTENDED_FORM, BASIC_FORM] = [new RegExp(EXTENDED), new RegExp(BASIC)];
/** The forms that are taken, for JSON Schema, whose `format: date-time` is RFC 3339 alone. Not which days a month has. */
export const DATE_TIME_PATTERN = `${EXTENDED}|${BASIC}`;
/** What is expected, as the end of a sentence. Week dates and ordinal dates are ISO 8601, too. */
export const DATE_TIME_FORM =
  "a calendar date (year, month, day) with a time and an offset from UTC, such as 2030-01-01T00:00:00Z";

/**
 * Null for any other text, and for a day that does not exist. Leap seconds are rejected because the platform's clock
 * has none, and 24:00 because RFC 3339 does not allow it.
 */
export function parseDateTime(text: string): DateTime | null {
  const match = EXTENDED_FORM.exec(text) ?? BASIC_FORM.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits = "0") => Number(digits));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  // Date turns a day that does not exist into one of the next month
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  const [fraction, sign, offsetHours = "0", offsetMinutes = "0"] = match.slice(7);
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  const seconds = local.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000;
  const utc = new Date(seconds).toISOString();
  // the offset can move the year out of four digits
  if (!/^\d{4}-/.test(utc)) return null;
  return {
    milliseconds: seconds + Number((fraction ?? "").padEnd(3, "0").slice(0, 3)),
    utc: fraction === undefined ? utc.replace(".000Z", "Z") : utc.replace(".000Z", `.${fraction}Z`),
  };
}

/** As in the interface's answers. */
export const formatDateTime = (milliseconds: Instant): string => new Date(milliseconds).toISOString();
