/**
 * Whether the services with one name and key were, and are, entitled to issue a certificate (TS 119 615 clause 4.4).
 */

import { canonicalCountry } from "../platform/country.ts";
import type { Instant } from "../platform/instant.ts";
import { quote } from "../platform/quotation.ts";
import type { CertificateUse, ListedAnchor, Qualification, StatusPeriod } from "../trust/anchors.ts";
import { describeFault, EIDAS_APPLIES, findFaultAt, periodAt } from "../trust/service-status.ts";
import type { Certificate } from "../x509/certificate.ts";
import { AttributeType, findAttribute } from "../x509/name.ts";
import type { QcClaims } from "./qc-statements.ts";
import { claimedUses, judgeUse, PSP_USES, type PspUse } from "./qualified-use.ts";

/** A trusted list states the uses of each granted service. Other sources may omit them; the use is then not checked. */
export const isOfTrustedList = ({ periods }: { readonly periods: readonly StatusPeriod[] }): boolean =>
  periods.some(({ uses }) => uses !== null);

export interface ServicesQuestion {
  /** At least one; all of trusted lists. */
  readonly services: readonly [ListedAnchor, ...ListedAnchor[]];
  readonly leaf: Certificate;
  readonly claims: QcClaims;
  readonly now: Instant;
}

export interface ServicesJudgement {
  readonly fault: string | null;
  readonly anchor: ListedAnchor;
  /** What the certificate is qualified for; empty if there is a fault. */
  readonly uses: readonly PspUse[];
}

/** A use stated by the list takes precedence over QcType. Of several QcTypes every one that a PSP may use must hold. */
export function judgeServices(asked: ServicesQuestion): ServicesJudgement {
  const { leaf, claims, now } = asked;
  const asListed = heardOf(asked.services, leaf);
  const [anchor = asked.services[0], ...others] = rank(asListed, now);
  const question: Question = { ...asked, services: [anchor, ...others], asListed };
  const issuedAt = leaf.notBefore;
  const { fault } = findEntitled(question, null);
  if (fault !== null) return { fault, anchor, uses: [] };
  // PRO-4.4.4-33
  if (issuedAt < EIDAS_APPLIES)
    return {
      fault: "the certificate was issued before qualified certificates existed for anything but signatures",
      anchor,
      uses: [],
    };
  const contradiction = findContradiction(question);
  if (contradiction !== null) return { fault: contradiction, anchor, uses: [] };
  const judgements = PSP_USES.map((use) => ({ use, ...judgeFor(use, question) }));
  const typed = judgements.find(({ fault, typedByList }) => fault === null && typedByList);
  if (typed) return { ...typed, uses: [typed.use] };
  const claimed = claimedUses(claims.qcTypes);
  const relevant = claimed.length > 0 ? judgements.filter(({ use }) => claimed.includes(use)) : judgements;
  const decisive = relevant.find(({ fault }) => fault !== null) ?? relevant[0];
  if (!decisive) return { fault: "it is not for a use that a PSP needs", anchor, uses: [] };
  return { ...decisive, uses: decisive.fault === null ? relevant.map(({ use }) => use) : [] };
}

interface Question extends ServicesQuestion {
  /** The same services. The evidence of a yes is the first of them that serves. */
  readonly asListed: readonly ListedAnchor[];
}

/** Granted ones first, else by their text: so that a no has the same reason in whatever order they are listed. */
function rank(services: readonly ListedAnchor[], now: Instant): ListedAnchor[] {
  const isOver = ({ periods }: ListedAnchor) => Number(periodAt(periods, now)?.status !== "granted");
  return services.toSorted((a, b) => isOver(a) - isOver(b) || (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** PRO-4.4.4-34: everything is judged as of both. */
const momentsOf = ({ leaf, now }: Question) => [
  { time: leaf.notBefore, when: "as of its issue" },
  { time: now, when: "as of now" },
];

/**
 * PRO-4.4.4-32 and table 4: a certificate can be qualified for one use only, signatures included. Where it claims
 * several itself, it is not the list that contradicts itself.
 */
function findContradiction(question: Question): string | null {
  const { services, leaf, claims } = question;
  for (const { time } of momentsOf(question)) {
    const held = [...PSP_USES, "signature" as const].flatMap((use) => {
      if (!services.some((service) => isGranted(service, services, use, time))) return [];
      const qualifications = qualificationsAt(services, use, time);
      const judgement = judgeUse({ certificate: leaf, claims, use, qualifications });
      return judgement.ok ? [{ use, ...judgement }] : [];
    });
    if (held.length > 1 && held.some(({ typedByList }) => typedByList))
      return `the trusted list contradicts itself on the certificate: it is for ${held.map(({ use }) => PLURAL[use]).join(" and for ")}`;
  }
  return null;
}

const PLURAL = { "web-authentication": "websites", seal: "seals", signature: "signatures" } as const;

interface UseJudgement extends Omit<ServicesJudgement, "uses"> {
  readonly typedByList: boolean;
}

/** PRO-4.4.4-34 to -36: the use must hold now and must have held when the certificate was issued. */
function judgeFor(use: PspUse, question: Question): UseJudgement {
  const { services, leaf, claims } = question;
  const [first] = services;
  let typedByList = true;
  for (const { time, when } of momentsOf(question)) {
    const qualifications = qualificationsAt(services, use, time);
    const qualified = judgeUse({ certificate: leaf, claims, use, qualifications });
    if (!qualified.ok) {
      const fault = qualified.by === "list" ? `${qualified.message}, ${when}` : qualified.message;
      return { fault, anchor: first, typedByList: false };
    }
    typedByList &&= qualified.typedByList;
  }
  const { anchor, fault } = findEntitled(question, use);
  return { fault, anchor, typedByList };
}

/**
 * Granted now, where one was at the issue: a list may move a use (PRO-4.4.4-34). Else why not. Of two entries of which one is
 * granted and one is not, it is the list that contradicts itself.
 */
function findEntitled(question: Question, use: PspUse | null): Omit<ServicesJudgement, "uses"> {
  const { services, asListed, leaf, now } = question;
  const issuedAt = leaf.notBefore;
  const isEntitled = ({ periods }: ListedAnchor, time: Instant) => findFaultAt(periods, use, time) === null;
  const serves = (service: ListedAnchor, time: Instant) =>
    isEntitled(service, time) && (use === null || isGranted(service, services, use, time));
  const current = asListed.filter((service) => serves(service, now));
  const atIssue = asListed.some((service) => serves(service, issuedAt));
  const anchor = current.find((service) => serves(service, issuedAt)) ?? current[0];
  if (anchor && atIssue) return { fault: null, anchor };
  const [time, when] = atIssue ? ([now, "now"] as const) : ([issuedAt, "at issue"] as const);
  const contradicted = services.find((service) => isEntitled(service, time));
  if (contradicted) {
    const providers = providersAt(contradicted, services, time);
    const two = providers.length > 1 ? `providers: ${providers.map(quote).join(" and ")}` : `statuses for ${use}`;
    return { fault: `the trusted list gives the QTSP's service two ${two}`, anchor: contradicted };
  }
  // one that is for the use says more than one that is for another
  const first = services.find((service) => use !== null && findState(service, use, time)) ?? services[0];
  return { fault: describeFault(findFaultAt(first.periods, use, time) ?? "no grant", when), anchor: first };
}

/** PRO-4.4.4-01: the list of the issuer's country decides. Where it has not the key, those lists do that have it. */
function heardOf(services: readonly ListedAnchor[], { issuer }: Certificate): ListedAnchor[] {
  const country = canonicalCountry(findAttribute(issuer, AttributeType.countryName) ?? "");
  const own = services.filter(({ jurisdiction }) => jurisdiction === country);
  const isHeard = (one: ListedAnchor) => own.includes(one) || own.every(({ source }) => source !== one.source);
  return services.filter(isHeard);
}

/** PRO-4.3.4-11: the providers under which the service's list has its key at that time. More than one is an error. */
const providersAt = (service: ListedAnchor, services: readonly ListedAnchor[], time: Instant): string[] => [
  ...new Set(
    services
      .filter((each) => isOfSameList(each, service) && periodAt(each.periods, time))
      .map(({ qtspName }) => qtspName)
      .sort(),
  ),
];

const isOfSameList = (a: ListedAnchor, b: ListedAnchor): boolean =>
  a.source === b.source && a.jurisdiction === b.jurisdiction;

/** No second entry may be another provider's or differ (PRO-4.3.4-06, -08, -10, -11, PRO-4.4.4-17, -18, -25, -26). */
function isGranted(
  service: ListedAnchor,
  services: readonly ListedAnchor[],
  use: CertificateUse,
  time: Instant,
): boolean {
  const own = findState(service, use, time);
  if (own?.status !== "granted") return false;
  if (providersAt(service, services, time).length > 1) return false;
  const sameList = services.filter((each) => isOfSameList(each, service));
  return sameList.every((each) => (findState(each, use, time)?.status ?? "granted") === "granted");
}

/** The service's period at that time if it is for this use, or granted without a word on uses. */
function findState({ periods }: ListedAnchor, use: CertificateUse, time: Instant): StatusPeriod | null {
  const period = periodAt(periods, time);
  return period && (period.uses?.includes(use) ?? period.status === "granted") ? period : null;
}

/** PRO-4.4.4-19 and -27: the qualifications of each service that was granted for the use at that time. */
const qualificationsAt = (services: readonly ListedAnchor[], use: CertificateUse, time: Instant): Qualification[] =>
  services.flatMap((service) => {
    const state = findState(service, use, time);
    return state?.status === "granted" ? (state.qualifications ?? []) : [];
  });
