/** Decides whether an OCSP response or CRL is current. The same rules apply to both. */

/** The period covered by an answer, in milliseconds since 1970. */
export interface UpdateSpan {
  readonly thisUpdate: number;
  readonly nextUpdate: number | null;
}

/** A responder's clock may be ahead of `now`, the start of the request. It applies to the start of the period only. */
export const MAX_CLOCK_SKEW_MS = 60_000;

/** RFC 6960 section 4.2.2.1 allows an OCSP response without nextUpdate. It is accepted for this long. */
export const MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS = 3600;

export interface FreshnessProblem {
  readonly ok: false;
  readonly reason: "not-yet-valid" | "stale" | "no-next-update";
  readonly message: string;
}

/** `maxAgeSeconds` limits the age of thisUpdate. With null a nextUpdate is needed (RFC 5280 section 5.1.2.5). */
export function checkFreshness(
  span: UpdateSpan,
  now: number,
  maxAgeSeconds: number | null,
): { readonly ok: true } | FreshnessProblem {
  const { thisUpdate, nextUpdate } = span;
  if (thisUpdate > now + MAX_CLOCK_SKEW_MS)
    return { ok: false, reason: "not-yet-valid", message: `it is valid only from ${iso(thisUpdate)}` };
  if (nextUpdate !== null && nextUpdate < thisUpdate)
    return { ok: false, reason: "stale", message: "its nextUpdate lies before its thisUpdate" };
  if (nextUpdate !== null && nextUpdate < now)
    return { ok: false, reason: "stale", message: `a newer one was due at ${iso(nextUpdate)}` };
  if (maxAgeSeconds !== null && now - thisUpdate > maxAgeSeconds * 1000)
    return { ok: false, reason: "stale", message: `it is of ${iso(thisUpdate)}, older than ${maxAgeSeconds} s` };
  if (nextUpdate === null && maxAgeSeconds === null)
    return { ok: false, reason: "no-next-update", message: "it does not state how long it is valid (no nextUpdate)" };
  return { ok: true };
}

/** Answers are refreshed after half of their period, so that requests do not have to wait for the network. */
const REFRESH_AFTER_FRACTION = 0.5;

/** Whether an answer that is still valid should be refreshed after the response. */
export const isDueForRefresh = (span: { thisUpdate: number; validUntil: number }, now: number): boolean =>
  now >= span.thisUpdate + (span.validUntil - span.thisUpdate) * REFRESH_AFTER_FRACTION;

/** The last instant at which the answer may be used, in milliseconds since 1970. */
export const validUntil = (span: UpdateSpan): number =>
  span.nextUpdate ?? span.thisUpdate + MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS * 1000;

/** Whether the answer may no longer be used at `now` (milliseconds since 1970). */
export const hasEnded = (span: UpdateSpan, now: number): boolean => validUntil(span) < now;

const iso = (time: number): string => new Date(time).toISOString();
