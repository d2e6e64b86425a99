/**
 * An answer of a QTSP whose signature was verified, and the one rule that says which of two is newer. Every layer that
 * keeps answers (the isolate's memory, KV, the scheduled refresh, the operator's import) keeps by it. Pure.
 */
import { hasEnded, type UpdateSpan } from "./freshness.ts";

export interface VerifiedAnswer extends UpdateSpan {
  /**
   * Signing key and scope. Only answers of one line follow one another; those of different lines are kept side by side,
   * so that a CA's namesake, its next key or its delta CRL cannot displace what the CA said.
   */
  readonly line: string;
  /** DER of the CRL or OCSP response. */
  readonly der: Uint8Array;
  /** DER of the certificate whose key signed a CRL; null for an OCSP response, whose issuer is its certificate's. */
  readonly issuer: Uint8Array | null;
  /** Milliseconds since 1970: an instant at which it was current, by what it says itself. */
  readonly signedAt: number;
  /** Null for an OCSP response, and for a CRL of version 1. */
  readonly crlNumber: bigint | null;
  /** How many certificates it says are revoked; of an OCSP response one or none. */
  readonly revocations: number;
}

/**
 * Whether `a` may take the place of `b`: it has a later thisUpdate, then a greater CRL number. Of two that claim to be
 * equally new, the one that revokes more counts: the other would bring a revoked certificate back.
 */
export function isNewer(a: VerifiedAnswer, b: VerifiedAnswer): boolean {
  if (a.thisUpdate !== b.thisUpdate) return a.thisUpdate > b.thisUpdate;
  if (a.crlNumber !== null && b.crlNumber !== null && a.crlNumber !== b.crlNumber) return a.crlNumber > b.crlNumber;
  return a.revocations > b.revocations;
}

/** A source has one line, and two while its key or the scope of its CRL changes. */
const MAX_LINES = 4;

/**
 * The newest answer of each line, in the order in which the lines were first met; of two that are equally new the first.
 * Where there are too many lines, those whose answer has ended go first, then those that were met last: a newcomer does
 * not displace what is current.
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
