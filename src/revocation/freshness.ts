/** May an answer of this age still be believed? One rule for OCSP answers and CRLs; pure. */

/** The span for which an answer's issuer vouches, in milliseconds since 1970. */
export interface UpdateSpan {
  readonly thisUpdate: number;
  readonly nextUpdate: number | null;
}

/**
 * A responder's clock may run ahead of ours, and `now` is taken when the request began, some seconds before an
 * answer made on demand. Only the start of the span gets this grace, never its end.
 */
export const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * RFC 6960 section 4.2.2.1 allows an OCSP answer without nextUpdate ("newer information is available all the
 * time"): it is believed for this long after thisUpdate.
 */
export const MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS = 3600;

export interface FreshnessProblem {
  readonly ok: false;
  readonly reason: "not-yet-valid" | "stale" | "no-next-update";
  readonly message: string;
}

/**
 * Judges a span at `now`. `maxAgeSeconds`: how old thisUpdate may be at most, nextUpdate or not; null sets no such
 * limit, and then an answer without nextUpdate is refused, because nothing bounds its age (a CRL must have one:
 * RFC 5280 section 5.1.2.5).
 */
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
    return { ok: false, reason: "no-next-update", message: "it does not say until when it is valid (nextUpdate)" };
  return { ok: true };
}

/** Past half of its span an answer is due for a newer one, so that requests never wait for the network. */
const REFRESH_AFTER_FRACTION = 0.5;

/** Whether a still valid answer should be replaced in the background. `validUntil`: see `validUntil` below. */
export const isDueForRefresh = (span: { thisUpdate: number; validUntil: number }, now: number): boolean =>
  now >= span.thisUpdate + (span.validUntil - span.thisUpdate) * REFRESH_AFTER_FRACTION;

/** The last instant at which the answer may be used, in milliseconds since 1970. */
export const validUntil = (span: UpdateSpan): number =>
  span.nextUpdate ?? span.thisUpdate + MAX_AGE_WITHOUT_NEXT_UPDATE_SECONDS * 1000;

export const hasEnded = (span: UpdateSpan, now: number): boolean => validUntil(span) < now;

const iso = (time: number): string => new Date(time).toISOString();
