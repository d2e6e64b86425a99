/** The periods of validity on a path. Judged after every other rule, so that a period is named only where it alone is wrong. */
import type { Certificate } from "./certificate.ts";
import type { Fault } from "./path-rules.ts";

/** Of the period of validity, which RFC 5280 has as whole seconds, both ends included. */
export interface PeriodFault extends Fault {
  readonly reason: "expired" | "not-yet-valid";
}

/** The first certificate, leaf first, that is not valid at `now`, in milliseconds since 1970; or null. */
export function findPeriodFault(path: readonly Certificate[], now: number): PeriodFault | null {
  const second = Math.floor(now / 1000) * 1000;
  for (const at of path) {
    if (second > at.notAfter) return { at, reason: "expired", message: `it expired on ${iso(at.notAfter)}` };
    if (second < at.notBefore)
      return { at, reason: "not-yet-valid", message: `it is valid only from ${iso(at.notBefore)}` };
  }
  return null;
}

const iso = (time: number): string => new Date(time).toISOString().replace(".000", "");
