/**
 * The day that it is where a register is kept. The EBA's register names days without a time zone: an authority withdraws
 * as of midnight where it is, which is up to three hours before that of UTC. Pure; times are milliseconds since 1970.
 */
import { nameDay } from "../platform/clock.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Hours ahead of UTC in winter, of the countries of the EEA, and the United Kingdom, where it is not one. */
const WINTER_HOURS: Readonly<Record<string, number>> = {
  ...{ GB: 0, IE: 0, IS: 0, PT: 0 },
  ...{ BG: 2, CY: 2, EE: 2, FI: 2, GR: 2, LT: 2, LV: 2, RO: 2 },
};

/** `2026-11-22`, of an authority of `country` (an ISO code). */
export const registerDay = (country: string, now: number): string =>
  nameDay(now + ((WINTER_HOURS[country] ?? 1) + (country !== "IS" && isSummer(now) ? 1 : 0)) * HOUR_MS);

/** Directive 2000/84/EC: everywhere from 1 am UTC on the last Sunday of March to that of October. */
function isSummer(now: number): boolean {
  const year = new Date(now).getUTCFullYear();
  return now >= lastSundayOf(year, 2) && now < lastSundayOf(year, 9);
}

function lastSundayOf(year: number, month: number): number {
  const last = Date.UTC(year, month, 31, 1);
  return last - new Date(last).getUTCDay() * DAY_MS;
}

/** When a day begins next, in one of the countries: at 21, 22, 23 or 24 o'clock of UTC. */
export const nextRegisterDay = (now: number): number =>
  Math.max(Math.floor(now / HOUR_MS) + 1, Math.floor(now / DAY_MS) * 24 + 21) * HOUR_MS;
