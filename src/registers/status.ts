/**
 * The authorisation status that the interface returns for a category at a given time, and the day that it is where a
 * register is kept. The EBA's register names days without a time zone: an authority withdraws as of midnight where it is,
 * which is up to three hours before that of UTC. Pure.
 */

import { nameDay } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import {
  type AuthorisationStatus,
  type CategoryRecord,
  isOutsidePsd2,
  type PspRecord,
  REGISTERED_INSTEAD_OF_AUTHORISED,
} from "./psp-record.ts";

/**
 * `Authorised`, `Registered`, `Unauthorised` or `Withdrawn`; null for agents, branches and undocumented categories,
 * whatever the register states. Days are those of the PSP's home country.
 */
export function statusAt(
  psp: Pick<PspRecord, "agent" | "authNumber">,
  record: CategoryRecord,
  now: Instant,
): AuthorisationStatus | null {
  if (psp.agent || record.category === null || record.category === "Branch") return null;
  if (isOutsidePsd2(record.category)) return null;
  const { status: said } = record;
  const status =
    said === null || typeof said === "string" ? said : statusFromDays(said, registerDay(countryOf(psp), now));
  return status === "Authorised" && REGISTERED_INSTEAD_OF_AUTHORISED.has(record.category) ? "Registered" : status;
}

/** Whether it entitles to the services of its category. */
export const isStanding = (status: AuthorisationStatus | null): boolean =>
  status === "Authorised" || status === "Registered";

/** As the importer of the EBA's register, which alone names days, composed the number. */
const countryOf = ({ authNumber }: Pick<PspRecord, "authNumber">): string => authNumber.slice(3, 5);

/** Periods exclude their last day: on the day of a withdrawal the status is Withdrawn. */
function statusFromDays(days: readonly string[], today: string): AuthorisationStatus | null {
  if (days.length === 0) return null;
  const turns = days.filter((day) => day <= today).length;
  if (turns === 0) return "Unauthorised";
  return turns % 2 === 1 ? "Authorised" : "Withdrawn";
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Hours ahead of UTC in winter, of the countries of the EEA, and the United Kingdom, where it is not one. */
const WINTER_HOURS: Readonly<Record<string, number>> = {
  ...{ GB: 0, IE: 0, IS: 0, PT: 0 },
  ...{ BG: 2, CY: 2, EE: 2, FI: 2, GR: 2, LT: 2, LV: 2, RO: 2 },
};

/** `2026-11-22`, of an authority of `country` (an ISO code). */
export const registerDay = (country: string, now: Instant): string =>
  nameDay(now + ((WINTER_HOURS[country] ?? 1) + (country !== "IS" && isSummer(now) ? 1 : 0)) * HOUR_MS);

/** Directive 2000/84/EC: everywhere from 1 am UTC on the last Sunday of March to that of October. */
function isSummer(now: Instant): boolean {
  const year = new Date(now).getUTCFullYear();
  return now >= lastSundayOf(year, 2) && now < lastSundayOf(year, 9);
}

function lastSundayOf(year: number, month: number): Instant {
  const last = Date.UTC(year, month, 31, 1);
  return last - new Date(last).getUTCDay() * DAY_MS;
}

/** When a day begins next, in one of the countries: at 21, 22, 23 or 24 o'clock of UTC. */
export const nextRegisterDay = (now: Instant): Instant =>
  Math.max(Math.floor(now / HOUR_MS) + 1, Math.floor(now / DAY_MS) * 24 + 21) * HOUR_MS;
