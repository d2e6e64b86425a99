/** Whether a PSP's home register entitles it to a payment service, at home and in another country. Pure. */
import type { Instant } from "../platform/instant.ts";
import { CONTRADICTED, explainDifferingNumbers } from "./differing-numbers.ts";
import type { FoundCategory } from "./found-category.ts";
import type { RegisterReading } from "./lookup.ts";
import { listPassports, mayHaveUnpublishedPassport, passportedServices } from "./passport.ts";
import { type AuthorisationStatus, isOutsidePsd2, servicesOf } from "./psp-record.ts";
import { isStanding, statusAt } from "./status.ts";

/** In order of preference: a PSP that requests none gets the first that it may use. */
export const SCOPES = ["payments", "accounts"] as const;
export type Scope = (typeof SCOPES)[number];

/** Payment initiation and account information, with the numbers of the interface. */
export const SERVICE_OF_SCOPE: Readonly<Record<Scope, 7 | 8>> = { payments: 7, accounts: 8 };

export type EntitlementRefusal =
  | "register_not_loaded"
  | "register_ambiguous"
  | "not_in_register"
  | "outside_psd2"
  | "service_not_in_register"
  | "authorisation_withdrawn"
  | "unauthorised"
  | "status_not_documented"
  | "service_not_passported"
  | "passport_not_published";

/**
 * Why the home register does not entitle the PSP to a scope's service at `now`; empty if it does. One category that gives
 * the service, is Authorised or Registered, and has a passport for the service to `jurisdiction` is sufficient. The passport
 * is the last reason: alone it means that the PSP may use the service at home.
 * `jurisdiction`: ISO code in upper case; null, or the register's country, needs no passport.
 */
export function findEntitlementRefusals(
  reading: RegisterReading,
  scope: Scope,
  jurisdiction: string | null,
  now: Instant,
): EntitlementRefusal[] {
  const { categories, country } = reading;
  if (reading.ambiguous) return ["register_ambiguous"];
  if (reading.manifests.length === 0) return ["register_not_loaded"];
  if (categories.length === 0) return ["not_in_register"];
  if (areOutsidePsd2(categories)) return ["outside_psd2"];

  const service = SERVICE_OF_SCOPE[scope];
  const entitling = categories.filter((category) => gives(category, service) && stands(category, now));
  const refusals = entitling.length > 0 ? [] : [findHomeRefusal(categories, service, now)];
  if (jurisdiction === null || jurisdiction === country) return refusals;
  const closest = entitling.length > 0 ? entitling : categories;
  const passported = closest.some(({ record }) =>
    passportedServices(listPassports(record, country, jurisdiction, now)).includes(service),
  );
  if (passported) return refusals;
  const isUnpublished = closest.some((category) => mayHaveUnpublishedPassport(category, country, jurisdiction));
  return [...refusals, isUnpublished ? "passport_not_published" : "service_not_passported"];
}

/** The reason of the closest category, where none entitles. */
function findHomeRefusal(categories: readonly FoundCategory[], service: number, now: Instant): EntitlementRefusal {
  const { given, closest } = findClosest(categories, service);
  if (!given && categories.some((category) => stands(category, now))) return "service_not_in_register";
  const statuses = closest.map(({ psp, record }) => statusAt(psp, record, now));
  if (statuses.includes("Withdrawn")) return "authorisation_withdrawn";
  return statuses.includes("Unauthorised") ? "unauthorised" : "status_not_documented";
}

/** The categories that give the service; all of them if none is `given` it. */
function findClosest(categories: readonly FoundCategory[], service: number) {
  const giving = categories.filter((category) => gives(category, service));
  return { given: giving.length > 0, closest: giving.length > 0 ? giving : categories };
}

const gives = ({ record }: FoundCategory, service: number): boolean => servicesOf(record).includes(service);

const stands = ({ psp, record }: FoundCategory, now: Instant): boolean => isStanding(statusAt(psp, record, now));

const areOutsidePsd2 = (categories: readonly FoundCategory[]): boolean =>
  categories.length > 0 && categories.every(({ record }) => isOutsidePsd2(record.category));

/** A sentence for a decision, an error's text or the `warning` of a CCG token. */
export function explainRefusal(
  reason: EntitlementRefusal,
  authNumber: string,
  scope: Scope,
  jurisdiction: string | null,
  { country, contradicted }: Pick<RegisterReading, "country" | "contradicted">,
): string {
  const service = `payment service ${SERVICE_OF_SCOPE[scope]}, which scope ${scope} needs`;
  switch (reason) {
    case "register_not_loaded":
      return `no register of the home country of PSP ${authNumber} is loaded, so ${service}, cannot be confirmed`;
    case "register_ambiguous":
      return contradicted
        ? `the numbers that were imported for ${country} contradict each other on PSP ${authNumber}: ${CONTRADICTED}`
        : `several register entries match PSP ${authNumber}, so none of them is used`;
    case "not_in_register":
      return `could not find a register entry for PSP ${authNumber}${explainDifferingNumbers(country)}`;
    case "outside_psd2":
      return `the home register lists PSP ${authNumber} as excluded from PSD2 or entitled under national law only: that is no authorisation for ${service}`;
    case "service_not_in_register":
      return `the home register does not give PSP ${authNumber} ${service}`;
    case "authorisation_withdrawn":
      return `the authorisation of PSP ${authNumber} has been withdrawn in its home register`;
    case "unauthorised":
      return `PSP ${authNumber} is unauthorised in its home register`;
    case "status_not_documented":
      return `the home register documents no authorisation of PSP ${authNumber}`;
    case "service_not_passported":
      return `the home register has no passport of PSP ${authNumber} to ${jurisdiction} for ${service}`;
    case "passport_not_published":
      return `PSP ${authNumber} is a credit institution in its home register, and passports of these are published nowhere: whether it has one to ${jurisdiction} for ${service}, is not known`;
  }
}

export interface Standing {
  readonly legalName: string | null;
  /** Of the categories that give the scope's service, else of all; the best if they differ. Null: not documented. */
  readonly status: AuthorisationStatus | null;
  /** The register says that the PSP may not use the scope: none of what it does not say. */
  readonly lost: boolean;
}

const BEST_FIRST: readonly AuthorisationStatus[] = ["Authorised", "Registered", "Withdrawn", "Unauthorised"];
const UNKNOWN: Standing = { legalName: null, status: null, lost: false };

export function findStanding(reading: RegisterReading | null, scope: Scope, now: Instant): Standing {
  if (reading === null || reading.ambiguous) return UNKNOWN;
  const { given, closest } = findClosest(reading.categories, SERVICE_OF_SCOPE[scope]);
  const found = closest.map(({ psp, record }) => ({
    legalName: record.legalName,
    status: statusAt(psp, record, now),
  }));
  const status = BEST_FIRST.find((best) => found.some((category) => category.status === best)) ?? null;
  const named = found.find((category) => category.status === status);
  const lost =
    status === "Withdrawn" ||
    status === "Unauthorised" ||
    (status !== null && !given) ||
    areOutsidePsd2(reading.categories);
  return { legalName: named?.legalName ?? null, status, lost };
}
