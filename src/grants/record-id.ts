/**
 * Ids of tokens and consents: the time of making, then 128 random bits. They sort by age, which makes "newest first" an
 * order of the id, and lets a table of millions grow at its end instead of everywhere.
 */
import { makeSecret } from "../secrets.ts";

/** Nine digits of base 36 are milliseconds until the year 5188. */
const TIME_DIGITS = 9;

export const makeRecordId = (now: number): string => `${timePrefix(now)}${makeSecret(16)}`;

/** Sorts before every id made at `now` or later, and after every id made before. */
export const timePrefix = (now: number): string => now.toString(36).padStart(TIME_DIGITS, "0");

export const isRecordId = (text: string): boolean => /^[0-9a-z]{9}[A-Za-z0-9_-]{22}$/.test(text);
