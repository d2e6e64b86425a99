/** Describes why no path was found. Of several failures, the one that came closest to success is reported. */
import type { Certificate } from "./certificate.ts";
import type { Candidate } from "./chain-order.ts";
import { findHolder } from "./name.ts";
import { EXHAUSTED, MAX_INTERMEDIATES, type Work } from "./path-budget.ts";
import type { Fault } from "./path-rules.ts";

/**
 * - `no-anchor`: the issuer of the path's last certificate is unknown or not trusted
 * - `signature`: a signature does not verify, or its algorithm or key is not accepted
 * - `rule`: a rule of RFC 5280 is violated
 * - `expired`, `not-yet-valid`: the path reaches an anchor and its only fault is a validity period
 * - `budget`: the search exceeded its work limit (path-budget.ts)
 */
type PathReason = "no-anchor" | "signature" | "rule" | "expired" | "not-yet-valid" | "budget";

export interface PathFailure {
  readonly ok: false;
  readonly reason: PathReason;
  readonly at: Certificate | null;
  /** A sentence without its full stop, for example "the certificate expired on 2020-01-01T00:00:00Z". */
  readonly message: string;
  /** The path that came furthest, leaf first. For `signature` it ends with the certificate whose key did not verify. */
  readonly path: readonly Certificate[];
  /** Whether that path ends at an anchor and all its signatures verify. */
  readonly anchored: boolean;
}

export function noteDeadEnd(
  path: readonly Certificate[],
  refused: readonly { readonly candidate: Candidate; readonly reason: string }[],
  anchors: readonly Certificate[],
): PathFailure {
  const [leaf] = path;
  const at = path[path.length - 1] ?? null;
  // A certificate whose key identifier differs is not the issuer, even if the name matches.
  const named = refused.find(({ candidate }) => candidate.fit !== "differs");
  const failure = { ok: false, at, anchored: false } as const;
  if (named) {
    const { candidate, reason } = named;
    const message = `the signature on ${describe(at, leaf)} does not verify: ${reason}`;
    return { ...failure, reason: "signature", message, path: [...path, candidate.certificate] };
  }
  if (leaf && path.length === 1 && anchors.some(({ fingerprint }) => fingerprint === leaf.fingerprint))
    return {
      ...failure,
      reason: "rule",
      message: "the certificate is itself a trust anchor, and no path leads to it",
      path,
    };
  const message =
    path.length > MAX_INTERMEDIATES
      ? `the path has more than ${MAX_INTERMEDIATES} intermediate certificates`
      : `no trusted issuer of ${describe(at, leaf)} is known`;
  return { ...failure, reason: "no-anchor", message, path };
}

export function noteAnchoredFault(
  path: readonly Certificate[],
  { reason, at, message }: Fault & Pick<PathFailure, "reason">,
): PathFailure {
  return {
    ok: false,
    reason,
    at,
    message: `${describe(at, path[0])} cannot be relied on: ${message}`,
    path,
    anchored: true,
  };
}

/** Describes a search that exceeded its budget; keeps the path of the best failure found so far. */
export const noteBudget = (exhausted: Work, { path, anchored }: PathFailure): PathFailure => ({
  ok: false,
  reason: "budget",
  at: null,
  message: `the search for a path was given up: ${EXHAUSTED[exhausted]}`,
  path,
  anchored,
});

/** In a tie the earlier one is kept, because better candidates are tried first. */
export const keepBetter = (kept: PathFailure, next: PathFailure): PathFailure =>
  rank(next) > rank(kept) ? next : kept;

/** Only a period is wrong; an anchor was reached; the verified length. A bad signature ranks above no issuer. */
function rank({ reason, anchored, path }: PathFailure): number {
  if (reason === "expired" || reason === "not-yet-valid") return 2_000;
  if (anchored) return 1_000;
  return reason === "no-anchor" ? 2 * path.length : 2 * (path.length - 1) + 1;
}

function describe(certificate: Certificate | null, leaf: Certificate | undefined): string {
  if (!certificate || certificate === leaf) return "the certificate";
  const name = findHolder(certificate.subject);
  return name === null ? "an issuer's certificate" : `the issuer's certificate "${name.slice(0, 100)}"`;
}
