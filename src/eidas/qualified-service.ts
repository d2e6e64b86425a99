/**
 * Whether the listed services with one name and key were, and are, entitled to issue a given certificate to a PSP
 * (TS 119 615 clause 4.4): checks the services' status and the qualified use of the certificate, both at its issue and
 * now.
 */

import type { ListedAnchor, StatusPeriod } from "../trust/anchors.ts";
import type { Qualification } from "../trust/qualification.ts";
import { checkServiceStatus, EIDAS_APPLIES, periodAt } from "../trust/service-status.ts";
import type { Certificate } from "../x509/certificate.ts";
import type { QcClaims } from "./qc-statements.ts";
import { claimedUses, judgeUse, PSP_USES, type PspUse } from "./qualified-use.ts";

/** A trusted list states the uses of each granted service. Other sources may omit them; the use is then not checked. */
export const isOfTrustedList = ({ periods }: { readonly periods: readonly StatusPeriod[] }): boolean =>
  periods.some(({ uses }) => uses !== null);

export interface ServicesQuestion {
  /** At least one; all of trusted lists. */
  readonly services: readonly [ListedAnchor, ...ListedAnchor[]];
  readonly leaf: Certificate;
  /** Of the leaf. */
  readonly claims: QcClaims;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ServicesJudgement {
  /** Null if one of the services is entitled, else a sentence with the reason. */
  readonly fault: string | null;
  /** The entitled service, else the first. */
  readonly anchor: ListedAnchor;
}

/**
 * A use stated by the list takes precedence over QcType. If the certificate has several QcTypes, every one that a PSP
 * may use must hold; the standard's tables do not decide this case.
 */
export function judgeServices(question: ServicesQuestion): ServicesJudgement {
  const { services, leaf, claims } = question;
  const [anchor] = services;
  const issuedAt = leaf.notBefore;
  const { status } = findEntitled(question, null);
  if (!status.ok) return { fault: status.message, anchor };
  // PRO-4.4.4-33
  if (issuedAt < EIDAS_APPLIES)
    return {
      fault: "the certificate was issued before qualified certificates existed for anything but signatures",
      anchor,
    };
  const judged = PSP_USES.map((use) => ({ use, ...judgeFor(use, question) }));
  const entitled = judged.filter(({ fault }) => fault === null);
  const typed = entitled.find(({ typedByList }) => typedByList);
  // PRO-4.4.4-32 and table 4: a certificate can be qualified for one type only
  if (typed && entitled.length > 1)
    return {
      fault: "the trusted list contradicts itself on the certificate: it is for websites and for seals",
      anchor,
    };
  if (typed) return typed;
  const claimed = claimedUses(claims.qcTypes);
  const asked = claimed.length > 0 ? judged.filter(({ use }) => claimed.includes(use)) : judged;
  return (
    asked.find(({ fault }) => fault !== null) ?? asked[0] ?? { fault: "it is not for a use that a PSP needs", anchor }
  );
}

interface UseJudgement extends ServicesJudgement {
  readonly typedByList: boolean;
}

/** PRO-4.4.4-34 to -36: the use must hold now and must have held when the certificate was issued. */
function judgeFor(use: PspUse, question: ServicesQuestion): UseJudgement {
  const { services, leaf, claims, now } = question;
  const issuedAt = leaf.notBefore;
  const [first] = services;
  let typedByList = true;
  for (const { time, when } of [
    { time: issuedAt, when: "as of its issue" },
    { time: now, when: "as of now" },
  ]) {
    const qualifications = qualificationsAt(services, use, time);
    const qualified = judgeUse({ certificate: leaf, claims, use, qualifications });
    if (!qualified.ok) {
      const fault = qualified.by === "list" ? `${qualified.message}, ${when}` : qualified.message;
      return { fault, anchor: first, typedByList: false };
    }
    typedByList &&= qualified.typedByList;
  }
  const { anchor, status } = findEntitled(question, use);
  return { fault: status.ok ? null : status.message, anchor, typedByList };
}

/** The first service whose status allows the use, else the first; null asks for no use. */
function findEntitled({ services: [first, ...others], leaf, now }: ServicesQuestion, use: PspUse | null) {
  const check = (anchor: ListedAnchor) => ({
    anchor,
    status: checkServiceStatus({ periods: anchor.periods, use, issuedAt: leaf.notBefore, now }),
  });
  const checked = check(first);
  return [checked, ...others.map(check)].find(({ status }) => status.ok) ?? checked;
}

/** PRO-4.4.4-19 and -27: the qualifications of each service that was granted for the use at that time. */
const qualificationsAt = (services: readonly ListedAnchor[], use: PspUse, time: number): Qualification[] =>
  services.flatMap(({ periods }) => {
    const period = periodAt(periods, time);
    return period?.status === "granted" && period.uses?.includes(use) ? (period.qualifications ?? []) : [];
  });
