/**
 * What a trusted list says of a service for one use at one time (TS 119 615 clauses 4.3.4 and 4.4.4), where several of its
 * entries may be for the same name and key.
 */
import type { CertificateUse, ListedAnchor, StatusPeriod } from "../trust/anchors.ts";
import type { Qualification } from "../trust/qualification.ts";
import { periodAt } from "../trust/service-status.ts";

/**
 * Whether the service is granted for the use at that time, and no second entry of the same list for the same key and use
 * has another status (PRO-4.3.4-06, -08 and -10, PRO-4.4.4-17, -18, -25 and -26).
 */
export function isGranted(
  service: ListedAnchor,
  services: readonly ListedAnchor[],
  use: CertificateUse,
  time: number,
): boolean {
  const own = findState(service, use, time);
  if (own?.status !== "granted") return false;
  const sameList = services.filter(
    ({ source, jurisdiction }) => source === service.source && jurisdiction === service.jurisdiction,
  );
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
