/**
 * Whether a service of a trusted list was, and is, entitled to issue this very certificate to a PSP: its status, and for
 * what the certificate is qualified, as of its issue and now (TS 119 615 clause 4.4).
 */
import type { Certificate } from "../x509/certificate.ts";
import type { QcClaims } from "./qc-statements.ts";
import type { Qualification } from "./qualification.ts";
import { claimedUses, judgeUse, PSP_USES, type PspUse } from "./qualified-use.ts";
import { checkServiceStatus, EIDAS_APPLIES, periodAt } from "./service-status.ts";
import type { ListedAnchor, StatusPeriod } from "./trust.ts";

/** A trusted list says of each granted service what for; other sources may say nothing of it, and then nothing is asked. */
export const isOfTrustedList = ({ periods }: { readonly periods: readonly StatusPeriod[] }): boolean =>
  periods.some(({ uses }) => uses !== null);

export interface ServiceQuestion {
  readonly service: ListedAnchor;
  /** All the services of that name and key, itself included: what a list says of a certificate, it may say at any of them. */
  readonly services: readonly ListedAnchor[];
  readonly leaf: Certificate;
  /** Of the leaf. */
  readonly claims: QcClaims;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Null when it is entitled, else the sentence that says why not. What the list itself says that the certificate is for
 * counts before QcType. Of several QcTypes each that a PSP may use has to hold; the standard's tables leave those undecided.
 */
export function findServiceFault(question: ServiceQuestion): string | null {
  const { service, leaf, claims, now } = question;
  const issuedAt = leaf.notBefore;
  const status = checkServiceStatus({ periods: service.periods, use: null, issuedAt, now });
  if (!status.ok) return status.message;
  // PRO-4.4.4-33
  if (issuedAt < EIDAS_APPLIES) return "the certificate was issued before there were qualified ones but for signatures";
  const judged = PSP_USES.map((use) => ({ use, ...judgeService(question, use) }));
  if (judged.some(({ fault, typedByList }) => fault === null && typedByList)) return null;
  const claimed = claimedUses(claims.qcTypes);
  const asked = claimed.length > 0 ? judged.filter(({ use }) => claimed.includes(use)) : judged;
  return asked.find(({ fault }) => fault !== null)?.fault ?? null;
}

interface ServiceJudgement {
  readonly fault: string | null;
  readonly typedByList: boolean;
}

/** PRO-4.4.4-34 to -36: what holds now has to have held when the certificate was issued. */
function judgeService({ service, services, leaf, claims, now }: ServiceQuestion, use: PspUse): ServiceJudgement {
  const issuedAt = leaf.notBefore;
  let typedByList = true;
  for (const { time, when } of [
    { time: issuedAt, when: "as of its issue" },
    { time: now, when: "as of now" },
  ]) {
    const qualifications = qualificationsAt(services, use, time);
    const qualified = judgeUse({ certificate: leaf, claims, use, qualifications });
    if (!qualified.ok)
      return {
        fault: qualified.by === "list" ? `${qualified.message}, ${when}` : qualified.message,
        typedByList: false,
      };
    typedByList &&= qualified.typedByList;
  }
  const status = checkServiceStatus({ periods: service.periods, use, issuedAt, now });
  return { fault: status.ok ? null : status.message, typedByList };
}

/** PRO-4.4.4-19 and -27: of each service that was granted for the use at that time. */
const qualificationsAt = (services: readonly ListedAnchor[], use: PspUse, time: number): Qualification[] =>
  services.flatMap(({ periods }) => {
    const period = periodAt(periods, time);
    return period?.status === "granted" && period.uses?.includes(use) ? (period.qualifications ?? []) : [];
  });
