/** Which part of a text keeps it from being a date-time of the interface (date-times.ts). */
import { quoteAlways } from "../platform/quotation.ts";

/** The form with any digits in it, and what follows its last digit. */
const DATE = String.raw`^(\d{4})(-?)(\d\d)\2(\d\d)(?!\d)`;
const TIME = String.raw`(?:([^\d])(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?)?`;
const LOOSE = new RegExp(`${DATE}${TIME}(.*)$`, "s");
const OFFSET = /^[+-](\d\d)(?::?(\d\d))?$/;

const MONTHS = "January February March April May June July August September October November December".split(" ");
const SHOWN_CHARACTERS = 20;

/**
 * A phrase to follow the parameter's name, for a text that `parseDateTime` refuses. Null if no single part is wrong, as of a week
 * date: then the whole form is.
 */
export function findDateTimeFault(text: string): string | null {
  const [, year = "", , month = "", day = "", mark, hour, minute, second, fraction = "", rest = ""] =
    LOOSE.exec(text) ?? [];
  if (year === "") return null;
  const name = MONTHS[Number(month) - 1];
  if (name === undefined) return `has the month ${month}: months are 01 to 12`;
  const days = daysOf(Number(year), Number(month));
  if (Number(day) < 1 || Number(day) > days) return `has the day ${day}: ${name} ${year} has the days 01 to ${days}`;
  if (hour === undefined) return rest === "" ? `has no time and no offset from UTC: ${EXPECTED}` : null;
  if (mark !== "T" && mark !== "t") return `has ${quoteAlways(mark ?? "")} between day and time: a T is expected`;
  if (Number(hour) > 23) return `has the hour ${hour}: hours are 00 to 23`;
  if (minute === undefined) return `has an hour without minutes: ${EXPECTED}`;
  if (Number(minute) > 59) return `has the minute ${minute}: minutes are 00 to 59`;
  if (Number(second ?? 0) > 59) return `has the second ${second}: seconds are 00 to 59`;
  if (fraction.length > 9) return `has ${fraction.length} digits after the seconds: at most 9 are read`;
  return findOffsetFault(rest);
}

function findOffsetFault(rest: string): string | null {
  if (rest === "") return "has no offset from UTC: append Z, or for example +02:00";
  if (/^ \d\d(:?\d\d)?$/.test(rest)) return "has a blank before its offset: in a query a + is sent as %2B";
  const [, hours, minutes = "00"] = OFFSET.exec(rest) ?? [];
  if (hours === undefined)
    return /^[Zz]$/.test(rest)
      ? null
      : `has ${quoteAlways(rest, SHOWN_CHARACTERS)} where Z or an offset such as +02:00 is expected`;
  return Number(hours) > 23 || Number(minutes) > 59
    ? `has the offset ${rest}: its hours are 00 to 23, its minutes 00 to 59`
    : null;
}

const EXPECTED = "such as 2030-01-01T00:00:00Z is expected";

/** The day before the first of the next month. */
const daysOf = (year: number, month: number): number => {
  const last = new Date(0);
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
};
