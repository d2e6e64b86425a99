/** Verified answers of QTSPs: which are current, and which of two is newer. All stores use these rules. */
import type { Instant } from "../platform/instant.ts";
import { DerError } from "../x509/der.ts";

export interface VerifiedAnswer extends UpdateSpan {
  /** The signing key and scope: a CA of the same name, a next key or a delta CRL cannot displace an answer. */
  readonly line: string;
  readonly der: Uint8Array;
  /** DER of the certificate whose key signed the CRL; null for an OCSP response, which is stored per certificate. */
  readonly issuer: Uint8Array | null;
  /** Null for an OCSP response and for a CRL without a number. */
  readonly crlNumber: bigint | null;
  /** Number of certificates that it lists as revoked; 0 or 1 for an OCSP response. */
  readonly revocations: number;
  readonly isUnknown?: true;
}

/** Whether the answer counts, and is kept, beyond its end: until a later one says otherwise. */
export const outlivesItsEnd = ({ revocations, isUnknown }: VerifiedAnswer): boolean =>
  revocations > 0 || isUnknown === true;

/** By thisUpdate, then CRL number, then revocations: the other would make a revoked certificate good again. */
export function isNewer(a: VerifiedAnswer, b: VerifiedAnswer): boolean {
  if (a.thisUpdate !== b.thisUpdate) return a.thisUpdate > b.thisUpdate;
  if (a.crlNumber !== null && b.crlNumber !== null && a.crlNumber !== b.crlNumber) return a.crlNumber > b.crlNumber;
  return a.revocations > b.revocations;
}

/** A later revocation does not: a CRL could lift a hold, and does not say that the certificate was issued. */
const endsUnknown = (good: VerifiedAnswer, { line, thisUpdate }: VerifiedAnswer): boolean =>
  good.line === line && !outlivesItsEnd(good) && good.thisUpdate > thisUpdate;

/** The one of `newest` (a result of {@link listNewest}) that counts in the place of `answer`; itself if there is none. */
export const findStandIn = (newest: readonly VerifiedAnswer[], answer: VerifiedAnswer): VerifiedAnswer =>
  newest.find((each) => each.line === answer.line && each.isUnknown === answer.isUnknown) ??
  newest.find((each) => endsUnknown(each, answer)) ??
  answer;

/** A source has one line, or two while its key or the scope of its CRL changes. */
const MAX_LINES = 4;

/**
 * The newest of each line, and beside it the newest "unknown" that no later good ended, in the order first seen. Of too
 * many lines those with an expired answer go first, then those seen last: a new line cannot displace a current one.
 */
export function listNewest(answers: readonly VerifiedAnswer[], now: Instant): VerifiedAnswer[] {
  const newest = new Map<string, VerifiedAnswer>();
  for (const answer of answers) {
    // an "unknown" must not take the place of a revocation, nor the other way round
    const place = answer.isUnknown ? `unknown ${answer.line}` : answer.line;
    const known = newest.get(place);
    if (!known || isNewer(answer, known)) newest.set(place, answer);
  }
  const all = [...newest.values()].filter(
    (answer, _, each) => !answer.isUnknown || !each.some((good) => endsUnknown(good, answer)),
  );
  if (all.length <= MAX_LINES) return all;
  const kept = all.toSorted((a, b) => Number(hasEnded(a, now)) - Number(hasEnded(b, now))).slice(0, MAX_LINES);
  return all.filter((answer) => kept.includes(answer));
}

export interface UpdateSpan {
  readonly thisUpdate: Instant;
  readonly nextUpdate: Instant | null;
}

/** A responder's clock may be ahead of `now`, the start of the request. It applies to the start of the period only. */
export const MAX_CLOCK_SKEW_MS = 60_000;

/** RFC 6960 section 4.2.2.1 allows an OCSP response without nextUpdate. It is accepted for this long. */
export const MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS = 3600;

/** Why an answer cannot be used. `message` completes the sentence "The answer cannot be used: ...". */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

export interface Revoked {
  readonly status: "revoked";
  readonly revokedAt: Instant;
  /** Name of the CRLReason, or null when none is given. */
  readonly reason: string | null;
}

export type Unusable = { readonly status: "unusable" } & Problem;

export const unusable = ({ reason, message }: Problem): Unusable => ({ status: "unusable", reason, message });

/** `error`: of the reader of what came. Any but a DerError is thrown again. */
export async function unreadable(bytes: Uint8Array, expected: "CRL" | "OCSP", error: unknown): Promise<Unusable> {
  if (!(error instanceof DerError)) throw error;
  // loaded where it is needed: nearly every answer can be read
  const { explainUnreadable } = await import("./sent-instead.ts");
  return unusable({ reason: "malformed", message: explainUnreadable(bytes, expected, error.message) });
}

/** `maxAgeSeconds` limits the age of thisUpdate. With null a nextUpdate is needed (RFC 5280 section 5.1.2.5). */
export function findAgeProblem(
  { thisUpdate, nextUpdate }: UpdateSpan,
  now: Instant,
  maxAgeSeconds: number | null,
): Problem | null {
  if (thisUpdate > now + MAX_CLOCK_SKEW_MS)
    return { reason: "not-yet-valid", message: `it is valid only from ${iso(thisUpdate)}` };
  if (nextUpdate !== null && nextUpdate < thisUpdate)
    return { reason: "stale", message: "its nextUpdate lies before its thisUpdate" };
  if (nextUpdate !== null && nextUpdate < now)
    return { reason: "stale", message: `a newer one was due at ${iso(nextUpdate)}` };
  if (maxAgeSeconds !== null && now - thisUpdate > maxAgeSeconds * 1000)
    return { reason: "stale", message: `it is of ${iso(thisUpdate)}, older than ${maxAgeSeconds} s` };
  if (nextUpdate === null && maxAgeSeconds === null)
    return { reason: "no-next-update", message: "it does not state how long it is valid (no nextUpdate)" };
  return null;
}

/** Answers are refreshed after half of their period, so that requests do not have to wait for the network. */
const REFRESH_AFTER_FRACTION = 0.5;

export const isDueForRefresh = (span: { thisUpdate: Instant; validUntil: Instant }, now: Instant): boolean =>
  now >= span.thisUpdate + (span.validUntil - span.thisUpdate) * REFRESH_AFTER_FRACTION;

export const validUntil = (span: UpdateSpan): Instant =>
  span.nextUpdate ?? span.thisUpdate + MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS * 1000;

export const hasEnded = (span: UpdateSpan, now: Instant): boolean => validUntil(span) < now;

const iso = (time: Instant): string => new Date(time).toISOString();
