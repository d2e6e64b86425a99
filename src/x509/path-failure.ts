/** Why no path stands, ranked: of many failures the one that came closest is the one worth telling. */
import type { Certificate } from "./certificate.ts";
import { findAttribute } from "./name.ts";
import { EXHAUSTED, MAX_INTERMEDIATES, type Work } from "./path-budget.ts";
import type { Candidate } from "./path-candidates.ts";

/**
 * - `no-anchor`: the issuer of the last certificate is neither at hand nor trusted
 * - `signature`: a signature does not verify, or was made in a way that is not accepted
 * - `rule`: a rule of RFC 5280 is broken
 * - `expired`, `not-yet-valid`: the path reaches an anchor, and a period of validity is its only fault
 * - `budget`: the search was given up
 */
export type PathReason = "no-anchor" | "signature" | "rule" | "expired" | "not-yet-valid" | "budget";

export interface PathFailure {
  readonly ok: false;
  readonly reason: PathReason;
  /** The certificate at fault; null when the search was given up. */
  readonly at: Certificate | null;
  /** A sentence without its full stop: "the certificate expired on 2020-01-01T00:00:00Z". */
  readonly message: string;
  /** The path that came furthest, leaf first. For `signature`, its last certificate is the one whose key does not fit. */
  readonly path: readonly Certificate[];
  /** Whether that path ends at an anchor, with every signature on it verified. */
  readonly anchored: boolean;
}

export interface AnchoredFault {
  readonly reason: "rule" | "expired" | "not-yet-valid";
  readonly at: Certificate;
  /** Of the certificate: "it is not a CA". */
  readonly message: string;
}

/** A path that got no further than its last certificate. */
export function noteDeadEnd(
  path: readonly Certificate[],
  refused: readonly { readonly candidate: Candidate; readonly reason: string }[],
  anchors: readonly Certificate[],
): PathFailure {
  const [leaf] = path;
  const at = path[path.length - 1] ?? null;
  // a certificate of another key than the child names is not the issuer, whatever its name
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

/** A path that reached an anchor and breaks a rule. */
export function noteAnchoredFault(path: readonly Certificate[], { reason, at, message }: AnchoredFault): PathFailure {
  return {
    ok: false,
    reason,
    at,
    message: `${describe(at, path[0])} cannot be relied on: ${message}`,
    path,
    anchored: true,
  };
}

/** The search was given up: what it had found by then stays as the path. */
export const noteBudget = (exhausted: Work, { path, anchored }: PathFailure): PathFailure => ({
  ok: false,
  reason: "budget",
  at: null,
  message: `the search for a path was given up: ${EXHAUSTED[exhausted]}`,
  path,
  anchored,
});

/** The one that came further; the earlier of two that came equally far, because better candidates are tried first. */
export const keepBetter = (kept: PathFailure, next: PathFailure): PathFailure =>
  rank(next) > rank(kept) ? next : kept;

/** Period only, then a rule, then the longest verified part; there a wrong signature tells more than an absence. */
function rank({ reason, anchored, path }: PathFailure): number {
  if (reason === "expired" || reason === "not-yet-valid") return 2_000;
  if (anchored) return 1_000;
  return reason === "no-anchor" ? 2 * path.length : 2 * (path.length - 1) + 1;
}

const COMMON_NAME = "2.5.4.3";
const ORGANISATION = "2.5.4.10";

function describe(certificate: Certificate | null, leaf: Certificate | undefined): string {
  if (!certificate || certificate === leaf) return "the certificate";
  const name = findAttribute(certificate.subject, COMMON_NAME) ?? findAttribute(certificate.subject, ORGANISATION);
  return name === null ? "an issuer's certificate" : `the issuer's certificate "${name.slice(0, 100)}"`;
}
