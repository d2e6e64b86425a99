/** What a trusted list says of a service for one use at one time (TS 119 615 clauses 4.3.4 and 4.4.4). */
import { canonicalCountry } from "../platform/country.ts";
import type { CertificateUse, ListedAnchor, StatusPeriod } from "../trust/anchors.ts";
import type { Qualification } from "../trust/qualification.ts";
import { periodAt } from "../trust/service-status.ts";
import type { Certificate } from "../x509/certificate.ts";
import { AttributeType, findAttribute } from "../x509/name.ts";

/**
 * PRO-4.4.4-01: the list of the issuer's country decides. Where it does not have the key, those lists do that have it.
 */
export function heardOf(services: readonly ListedAnchor[], { issuer }: Certificate): ListedAnchor[] {
  const country = canonicalCountry(findAttribute(issuer, AttributeType.countryName) ?? "");
  const own = services.filter(({ jurisdiction }) => jurisdiction === country);
  const isHeard = (one: ListedAnchor) => own.includes(one) || own.every(({ source }) => source !== one.source);
  return services.filter(isHeard);
}

/** PRO-4.3.4-11: the providers under which the service's list has its key at that time. More than one is an error. */
export const providersAt = (service: ListedAnchor, services: readonly ListedAnchor[], time: number): string[] => [
  ...new Set(
    services
      .filter((each) => isOfSameList(each, service) && periodAt(each.periods, time))
      .map(({ qtspName }) => qtspName),
  ),
];

const isOfSameList = (a: ListedAnchor, b: ListedAnchor): boolean =>
  a.source === b.source && a.jurisdiction === b.jurisdiction;

/** No second entry may be another provider's or differ (PRO-4.3.4-06, -08, -10, -11, PRO-4.4.4-17, -18, -25, -26). */
export function isGranted(
  service: ListedAnchor,
  services: readonly ListedAnchor[],
  use: CertificateUse,
  time: number,
): boolean {
  const own = findState(service, use, time);
  if (own?.status !== "granted") return false;
  if (providersAt(service, services, time).length > 1) return false;
  const sameList = services.filter((each) => isOfSameList(each, service));
  return sameList.every((each) => (findState(each, use, time)?.status ?? "granted") === "granted");
}

/** The service's period at that time if it is for this use, or granted without a word on uses. */
function findState({ periods }: ListedAnchor, use: CertificateUse, time: number): StatusPeriod | null {
  const period = periodAt(periods, time);
  return period && (period.uses?.includes(use) ?? period.status === "granted") ? period : null;
}

/** PRO-4.4.4-19 and -27: the qualifications of each service that was granted for the use at that time. */
export const qualificationsAt = (
  services: readonly ListedAnchor[],
  use: CertificateUse,
  time: number,
): Qualification[] =>
  services.flatMap((service) => {
    const state = findState(service, use, time);
    return state?.status === "granted" ? (state.qualifications ?? []) : [];
  });
