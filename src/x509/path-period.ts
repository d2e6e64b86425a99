/**
 * Checks validity periods. They are checked after every other rule, so a period is reported only if nothing else is
 * wrong.
 */
import type { Certificate } from "./certificate.ts";
import type { Fault } from "./path-rules.ts";

/** Validity is compared in whole seconds, both ends inclusive (RFC 5280 section 4.1.2.5). */
export interface PeriodFault extends Fault {
  readonly reason: "expired" | "not-yet-valid";
}

/** Returns the first certificate, leaf first, that is not valid at `now` (milliseconds since 1970), or null. */
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
