/**
 * Ids of tokens and consents: the creation time (milliseconds since 1970), then 128 random bits. They sort by age, so
 * "newest first" is an order by id, and rows are appended at the end of the table instead of inserted all over it.
 */
import { makeSecret } from "../secrets.ts";

/** Nine digits in base 36 hold milliseconds since 1970 up to the year 5188. */
const TIME_DIGITS = 9;

/** `now`: the creation time in milliseconds since 1970. */
export const makeRecordId = (now: number): string => `${timePrefix(now)}${makeSecret(16)}`;

/** Sorts before all ids made at or after `now` (milliseconds since 1970), and after all older ones. */
export const timePrefix = (now: number): string => now.toString(36).padStart(TIME_DIGITS, "0");

export const RECORD_ID = /^[0-9a-z]{9}[A-Za-z0-9_-]{22}$/;

export const isRecordId = (text: string): boolean => RECORD_ID.test(text);
