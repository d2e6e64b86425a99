/** Whether a listed CA/QC service was entitled to issue a certificate, and is now (ETSI TS 119 615 clause 4.4). */
import type { Instant } from "../platform/instant.ts";
import type { CertificateUse, ServiceStatus, StatusPeriod } from "./anchors.ts";

/** Regulation (EU) No 910/2014 applies from 1 July 2016, Brussels time; lists and TS 119 615 write it in UTC. */
export const EIDAS_APPLIES = Date.parse("2016-06-30T22:00:00Z");

/**
 * TS 119 612 section 5.5.4 and annex D.5. Since eIDAS only granted services issue qualified certificates. What a country
 * recognises or sets by national law is no qualified service.
 */
const ENTITLED = {
  "before eIDAS": ["undersupervision", "supervisionincessation", "accredited"],
  "since eIDAS": ["granted"],
} as const satisfies Record<string, readonly ServiceStatus[]>;

export interface ServiceStatusQuestion {
  readonly periods: readonly StatusPeriod[];
  /** The use for which the service must have been granted; null to check the status only. */
  readonly use: CertificateUse | null;
  readonly issuedAt: Instant;
  readonly now: Instant;
}

/** Of a source that states no uses: its issuers need not be QTSPs. */
export function findStatusFault({ periods, use, issuedAt, now }: ServiceStatusQuestion): string | null {
  const atIssue = findFaultAt(periods, use, issuedAt);
  if (atIssue !== null) return describeFault(atIssue, "at issue", "issuer");
  const current = findFaultAt(periods, use, now);
  return current === null ? null : describeFault(current, "now", "issuer");
}

/** Of what {@link findFaultAt} found. */
export const describeFault = (fault: string, when: "at issue" | "now", holder: "QTSP" | "issuer" = "QTSP"): string =>
  when === "now"
    ? `the ${holder}'s service has ${fault} now`
    : `when the certificate was issued, the ${holder}'s service had ${fault}`;

/**
 * What it had at `time` that does not entitle it; null: it was entitled. `uses` apply since eIDAS. Null: the source does
 * not state them. An empty list: the trusted list grants none.
 */
export function findFaultAt(
  periods: readonly StatusPeriod[],
  use: CertificateUse | null,
  time: Instant,
): string | null {
  const period = periodAt(periods, time);
  if (!period) return "no status on the trusted list";
  const { status, uses } = period;
  const entitled: readonly string[] = ENTITLED[time < EIDAS_APPLIES ? "before eIDAS" : "since eIDAS"];
  if (!entitled.includes(status)) return `the status ${status.slice(0, 100)}`;
  // TS 119 612 section 5.5.9.4: uses are distinguished only since eIDAS
  if (time >= EIDAS_APPLIES && use && uses && !uses.includes(use))
    return `the grant for ${uses.join(" and ") || "no use"} only, not for ${use},`;
  return null;
}

/** The period at `time`; of several with the same start, the last in the list. */
export const periodAt = <Period extends Pick<StatusPeriod, "from">>(
  periods: readonly Period[],
  time: Instant,
): Period | undefined => periods.findLast((period) => Date.parse(period.from) <= time);
