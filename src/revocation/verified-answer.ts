/**
 * A verified OCSP response or CRL of a QTSP, and the rule that decides which of two is newer. Everything that stores
 * answers (the isolate's memory, KV, the scheduled refresh, the operator's import) uses this rule.
 */
import { hasEnded, type UpdateSpan } from "./freshness.ts";

export interface VerifiedAnswer extends UpdateSpan {
  /**
   * Identifies the signing key and scope. An answer replaces only answers of the same line; different lines are stored
   * side by side. So a CA with the same name, a CA's next key or a delta CRL cannot displace a CA's answer.
   */
  readonly line: string;
  /** DER of the CRL or OCSP response. */
  readonly der: Uint8Array;
  /** DER of the certificate whose key signed the CRL; null for an OCSP response, which is stored per certificate. */
  readonly issuer: Uint8Array | null;
  /** Null for an OCSP response and for a version 1 CRL. */
  readonly crlNumber: bigint | null;
  /** Number of certificates that it lists as revoked; 0 or 1 for an OCSP response. */
  readonly revocations: number;
}

/**
 * Whether `a` may replace `b`: it has a later thisUpdate or, if equal, a greater CRL number. If both are equal, the
 * answer with more revocations is preferred, because the other would make a revoked certificate good again.
 */
export function isNewer(a: VerifiedAnswer, b: VerifiedAnswer): boolean {
  if (a.thisUpdate !== b.thisUpdate) return a.thisUpdate > b.thisUpdate;
  if (a.crlNumber !== null && b.crlNumber !== null && a.crlNumber !== b.crlNumber) return a.crlNumber > b.crlNumber;
  return a.revocations > b.revocations;
}

/** A source has one line, or two while its key or the scope of its CRL changes. */
const MAX_LINES = 4;

/**
 * Returns the newest answer of each line, in the order in which the lines were first seen; of equally new answers, the
 * first. If there are too many lines, those with an expired answer are dropped first, then those seen last, so that a
 * new line cannot displace a current one. `now` is in milliseconds since 1970.
 */
export function listNewest(answers: readonly VerifiedAnswer[], now: number): VerifiedAnswer[] {
  const newest = new Map<string, VerifiedAnswer>();
  for (const answer of answers) {
    const known = newest.get(answer.line);
    if (!known || isNewer(answer, known)) newest.set(answer.line, answer);
  }
  const all = [...newest.values()];
  if (all.length <= MAX_LINES) return all;
  const kept = all.toSorted((a, b) => Number(hasEnded(a, now)) - Number(hasEnded(b, now))).slice(0, MAX_LINES);
  return all.filter((answer) => kept.includes(answer));
}
