/**
 * Ids of tokens, consents and permissions: the creation time (milliseconds since 1970), 128 random bits, and where they
 * were made in another database than the first, its number (src/institutions/databases.ts). They sort by age in every database, so
 * "newest first" is an order by id, and rows are appended at the end of the table instead of inserted all over it.
 */
import { makeSecret } from "../platform/secrets.ts";

/** Nine digits in base 36 hold milliseconds since 1970 up to the year 5188. */
const TIME_DIGITS = 9;

/** `now`: the creation time in milliseconds since 1970. `database`: where the row will be. */
export const makeRecordId = (now: number, database = 1): string =>
  `${timePrefix(now)}${makeSecret(16)}${database === 1 ? "" : `-${database}`}`;

/** Sorts before all ids made at or after `now` (milliseconds since 1970), and after all older ones. */
export const timePrefix = (now: number): string => now.toString(36).padStart(TIME_DIGITS, "0");

/** When an id was made, in milliseconds since 1970; null for a text that does not begin with a time. */
export function timeOfRecordId(id: string): number | null {
  const time = Number.parseInt(id.slice(0, TIME_DIGITS), 36);
  return Number.isSafeInteger(time) ? time : null;
}

export const RECORD_ID = /^[0-9a-z]{9}[A-Za-z0-9_-]{22}(?:-[1-9][0-9]{0,2})?$/;

export const isRecordId = (text: string): boolean => RECORD_ID.test(text);
