/** Date-times of the interface: ISO 8601 in the profile of RFC 3339, answered in UTC with the digits that were given. */

export interface DateTime {
  /** Whole milliseconds since 1970. */
  readonly milliseconds: number;
  /** `2026-11-21T03:07:23.5Z`: the same instant, in UTC, as precise as given. */
  readonly utc: string;
}

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** Null for what is not a date-time of RFC 3339 with an offset, or no day of the calendar. Leap seconds are refused. */
export function parseDateTime(text: string): DateTime | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  // a day that the month does not have has become one of the next
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const [fraction, sign, offsetHours = "0", offsetMinutes = "0"] = match.slice(7);
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -1 : 1);
  const seconds = local.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000;
  const utc = new Date(seconds).toISOString();
  // an offset can lead out of the four-digit years
  if (!/^\d{4}-/.test(utc)) return null;
  return {
    milliseconds: seconds + Number((fraction ?? "").padEnd(3, "0").slice(0, 3)),
    utc: fraction === undefined ? utc.replace(".000Z", "Z") : utc.replace(".000Z", `.${fraction}Z`),
  };
}

/** Milliseconds since 1970 as the interface answers them. */
export const formatDateTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
