/** Whether a listed CA/QC service was entitled to issue a certificate, and is now (ETSI TS 119 615 clause 4.4). */
import type { CertificateUse, ServiceStatus, StatusPeriod } from "./anchors.ts";

/** Regulation (EU) No 910/2014 applies from 1 July 2016, Brussels time; lists and TS 119 615 write it in UTC. */
export const EIDAS_APPLIES = Date.parse("2016-06-30T22:00:00Z");

type Entitlement = "since eIDAS" | "before eIDAS" | "never";

/**
 * TS 119 612 section 5.5.4 and annex D.5. What a country recognises or sets by national law is no qualified service.
 */
const ENTITLEMENTS: Readonly<Record<ServiceStatus, Entitlement>> = {
  granted: "since eIDAS",
  withdrawn: "never",
  recognisedatnationallevel: "never",
  deprecatedatnationallevel: "never",
  setbynationallaw: "never",
  deprecatedbynationallaw: "never",
  undersupervision: "before eIDAS",
  supervisionincessation: "before eIDAS",
  accredited: "before eIDAS",
  supervisionceased: "never",
  supervisionrevoked: "never",
  accreditationceased: "never",
  accreditationrevoked: "never",
};

type ServiceStatusReason =
  | "not listed at issue"
  | "not granted at issue"
  | "other use at issue"
  | "future status"
  | "not granted now"
  | "other use now";

export type ServiceStatusCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: ServiceStatusReason; readonly message: string };

export interface ServiceStatusQuestion {
  readonly periods: readonly StatusPeriod[];
  /** The use for which the service must have been granted; null to check the status only. */
  readonly use: CertificateUse | null;
  readonly issuedAt: number;
  readonly now: number;
}

/** `uses` apply since eIDAS. Null: the source does not state them. An empty list: the trusted list grants none. */
export function checkServiceStatus({ periods, use, issuedAt, now }: ServiceStatusQuestion): ServiceStatusCheck {
  const atIssue = faultAt(periods, use, issuedAt);
  if (atIssue)
    return {
      ok: false,
      reason: REASONS_AT_ISSUE[atIssue.fault],
      message: `when the certificate was issued, the QTSP's service had ${atIssue.what}`,
    };
  const current = faultAt(periods, use, now);
  if (current)
    return { ok: false, reason: REASONS_NOW[current.fault], message: `the QTSP's service has ${current.what} now` };
  return { ok: true };
}

type Fault = "not listed" | "not granted" | "other use";

const REASONS_AT_ISSUE = {
  "not listed": "not listed at issue",
  "not granted": "not granted at issue",
  "other use": "other use at issue",
} as const satisfies Record<Fault, ServiceStatusReason>;

const REASONS_NOW = {
  "not listed": "future status",
  "not granted": "not granted now",
  "other use": "other use now",
} as const satisfies Record<Fault, ServiceStatusReason>;

function faultAt(periods: readonly StatusPeriod[], use: CertificateUse | null, time: number) {
  const period = periodAt(periods, time);
  if (!period) return { fault: "not listed", what: "no status on the trusted list" } as const;
  const { status, uses } = period;
  const era = time < EIDAS_APPLIES ? "before eIDAS" : "since eIDAS";
  if (entitlement(status) !== era) return { fault: "not granted", what: `the status ${status.slice(0, 100)}` } as const;
  // TS 119 612 section 5.5.9.4: uses are distinguished only since eIDAS
  if (era === "since eIDAS" && use && uses && !uses.includes(use))
    return {
      fault: "other use",
      what: `the grant for ${uses.join(" and ") || "no use"} only, not for ${use},`,
    } as const;
  return null;
}

/** The period at `time` (milliseconds since 1970); of several with the same start, the last in the list. */
export const periodAt = <Period extends Pick<StatusPeriod, "from">>(
  periods: readonly Period[],
  time: number,
): Period | undefined => periods.findLast((period) => Date.parse(period.from) <= time);

const entitlement = (status: ServiceStatus): Entitlement =>
  Object.hasOwn(ENTITLEMENTS, status) ? (ENTITLEMENTS[status] ?? "never") : "never";
