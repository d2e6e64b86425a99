/**
 * The ways on which a PSP may serve another country than its home: by free provision of services, as its own entry says,
 * or by establishment, through an active branch there (PSD2 articles 11(9) and 28). Either suffices. Pure.
 */
import { isInEea } from "../platform/country.ts";
import type { Instant } from "../platform/instant.ts";
import type { FoundCategory } from "./found-category.ts";
import type { CategoryRecord, PaymentServices } from "./psp-record.ts";

export const WAYS = ["services", "establishment"] as const;
export type Way = (typeof WAYS)[number];

export interface Passport {
  readonly way: Way;
  readonly paymentServices: PaymentServices;
}

/** Withdrawal Agreement of the United Kingdom, article 126: the transition ended, and passports with it. */
const LAST_PASSPORTS_OF_GB = Date.UTC(2021, 0, 1);

/** The passports of a home register's category to another country at `now`: at most one for each way, none without services. */
export function listPassports(
  { passportOut, established = {} }: CategoryRecord,
  home: string,
  country: string,
  now: Instant,
): Passport[] {
  if ([home, country].includes("GB") && now >= LAST_PASSPORTS_OF_GB) return [];
  const services = { services: passportOut, establishment: established };
  return WAYS.flatMap((way) => {
    const paymentServices = Object.hasOwn(services[way], country) ? (services[way][country] ?? []) : [];
    return paymentServices.length === 0 ? [] : [{ way, paymentServices }];
  });
}

/** Of every country with a passport at `now`, in one way or the other, by name. */
export function listAbroad(record: CategoryRecord, home: string, now: Instant) {
  const countries = new Set([...Object.keys(record.passportOut), ...Object.keys(record.established ?? {})]);
  return [...countries].sort().flatMap((country) => {
    const ways = listPassports(record, home, country, now);
    return ways.length === 0 ? [] : [{ country, ways }];
  });
}

/** The services in each country with a passport. */
export const servicesAbroad = (record: CategoryRecord, home: string, now: Instant): Record<string, PaymentServices> =>
  Object.fromEntries(listAbroad(record, home, now).map(({ country, ways }) => [country, passportedServices(ways)]));

/** Of all ways together, ascending. */
export const passportedServices = (passports: readonly Passport[]): PaymentServices =>
  [...new Set(passports.flatMap(({ paymentServices }) => paymentServices))].sort();

/**
 * Whether the category is a bank's that may have a passport of which nobody knows: between states of the EEA a bank's
 * authorisation counts after a notification (Directive 2013/36/EU articles 33 to 39), which no authority publishes.
 */
export const mayHaveUnpublishedPassport = (
  { psp, record, passports }: FoundCategory,
  home: string,
  country: string,
): boolean =>
  !psp.agent &&
  record.category === "Credit Institution" &&
  passports === "not published" &&
  isInEea(home) &&
  isInEea(country);
