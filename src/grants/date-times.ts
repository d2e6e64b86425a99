/**
 * Date-times of the interface. Input is ISO 8601, in the basic or the extended form, with or without seconds. The
 * offset is required; in both forms its colon or its minutes may be missing. Output is RFC 3339 in UTC, with the
 * fraction of the input.
 */

export interface DateTime {
  /** Whole milliseconds since 1970. */
  readonly milliseconds: number;
  /** The same instant in UTC, with the precision of the input: `2026-11-21T03:07:23.5Z`. */
  readonly utc: string;
}

const FRACTION = String.raw`(?:[.,](\d{1,9}))?`;
const OFFSET = String.raw`(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)`;
const EXTENDED = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})${FRACTION})?${OFFSET}$`,
  "i",
);
const BASIC = new RegExp(String.raw`^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(?:(\d{2})${FRACTION})?${OFFSET}$`, "i");

/**
 * Null for any other text, and for a day that does not exist. Leap seconds are rejected because the platform's clock
 * has none, and 24:00 because RFC 3339 does not allow it.
 */
export function parseDateTime(text: string): DateTime | null {
  const match = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits = "0") => Number(digits));
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  // Date turns a day that does not exist into one of the next month
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
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

/** Formats milliseconds since 1970 as in the interface's answers. */
export const formatDateTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
