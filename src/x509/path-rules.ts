/**
 * Checks a path whose signatures are verified against RFC 5280 section 6.1, from the anchor down, and each certificate
 * against section 4 (path-profile.ts). What the anchor says about itself is enforced, too (RFC 5937). Periods come last,
 * so that one is reported only if nothing else is wrong.
 */
import { sameBytes } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import type { Certificate } from "./certificate.ts";
import { KeyUsage, type PathExtensions, readPathExtensions } from "./extensions.ts";
import { sameName } from "./name.ts";
import { findForbiddenName, listConstrainedNames, type NameConstraints } from "./name-constraints.ts";
import type { PathBudget } from "./path-budget.ts";
import { findProfileProblem } from "./path-profile.ts";
import { applyPolicies, finishPolicies, type PolicyState, preparePolicies, startPolicies } from "./policies.ts";

export interface RuleInput {
  readonly path: readonly Certificate[];
  /** By its own key; one whose subject is its issuer counts as such anyway. */
  readonly anchorSelfSigned: boolean;
  readonly budget: PathBudget;
}

export interface Fault {
  readonly at: Certificate;
  readonly message: string;
}

/** The state variables of RFC 5280 section 6.1.2: what the certificates processed so far impose on those below. */
interface Walk {
  readonly constraints: NameConstraints[];
  readonly policies: PolicyState;
  allowed: number;
}

interface Step {
  readonly certificate: Certificate;
  readonly extensions: PathExtensions;
  readonly selfIssued: boolean;
  readonly last: boolean;
}

/** Returns the first violated rule, or null. Null means nothing if `budget` ran out meanwhile. */
export function findBrokenRule({ path, anchorSelfSigned, budget }: RuleInput): Fault | null {
  const walk: Walk = { constraints: [], policies: startPolicies(), allowed: Number.POSITIVE_INFINITY };
  for (const [depth, certificate] of [...path].reverse().entries()) {
    const reading = readPathExtensions(certificate);
    if (!reading.ok) return { at: certificate, message: reading.reason };
    const selfIssued = sameName(certificate.subject, certificate.issuer);
    const { extensions } = reading;
    const step = { certificate, extensions, selfIssued, last: depth === path.length - 1 };
    const message =
      (depth === 0 ? enterAnchor(walk, step) : enterCertificate(walk, step, budget)) ??
      findProfileProblem(certificate, extensions, {
        anchor: depth === 0,
        selfSigned: selfIssued || (depth === 0 && anchorSelfSigned),
      });
    if (message !== null) return { at: certificate, message };
  }
  return null;
}

function enterAnchor(walk: Walk, { certificate, extensions }: Step): string | null {
  layDown(walk, extensions);
  return findAlgorithmProblem(certificate) ?? findIssuerProblem(certificate, extensions, true);
}

/** RFC 5280 section 6.1.3, then 6.1.4 for an issuer or 6.1.5 for the leaf. */
function enterCertificate(walk: Walk, step: Step, budget: PathBudget): string | null {
  const { certificate, extensions, selfIssued, last } = step;
  const problem =
    findAlgorithmProblem(certificate) ??
    (selfIssued && !last ? null : findNameProblem(certificate, extensions, walk.constraints, budget)) ??
    applyPolicies(walk.policies, extensions, step);
  if (problem !== null) return problem;
  return last ? finishPolicies(walk.policies, extensions) : enterIssuer(walk, step);
}

function enterIssuer(walk: Walk, { certificate, extensions, selfIssued }: Step): string | null {
  const problem =
    findIssuerProblem(certificate, extensions, false) ?? preparePolicies(walk.policies, extensions, selfIssued);
  if (problem !== null) return problem;
  if (!selfIssued) walk.allowed--;
  if (walk.allowed < 0) return "it makes the path longer than its issuers allow";
  layDown(walk, extensions);
  return null;
}

function layDown(walk: Walk, { basicConstraints, nameConstraints }: PathExtensions): void {
  walk.allowed = Math.min(walk.allowed, basicConstraints?.pathLength ?? walk.allowed);
  if (nameConstraints) walk.constraints.push(nameConstraints);
}

/** RFC 5280 section 4.1.1.2: the signed algorithm field must equal the unsigned one. */
const findAlgorithmProblem = ({ tbsSignatureAlgorithm, signatureAlgorithm }: Certificate): string | null =>
  sameBytes(tbsSignatureAlgorithm.der, signatureAlgorithm.der) ? null : "its two signature algorithms differ";

/** RFC 5280 section 6.1.4 (k) and (n). An anchor may lack basicConstraints: the trusted list says that it is a CA. */
function findIssuerProblem(
  certificate: Certificate,
  { basicConstraints, keyUsage }: PathExtensions,
  anchor: boolean,
): string | null {
  if (!basicConstraints && !anchor)
    return certificate.version < 3 ? `it is of version ${certificate.version}, which cannot be a CA` : "it is not a CA";
  if (basicConstraints?.ca === false) return "it is not a CA";
  if (keyUsage !== null && (keyUsage & KeyUsage.keyCertSign) === 0)
    return "its key usage does not allow signing certificates";
  return null;
}

function findNameProblem(
  certificate: Certificate,
  { alternativeNames }: PathExtensions,
  constraints: readonly NameConstraints[],
  budget: PathBudget,
): string | null {
  if (constraints.length === 0) return null;
  const names = listConstrainedNames(certificate, alternativeNames);
  for (const constraint of constraints) {
    const problem = findForbiddenName(constraint, names, budget);
    if (problem !== null) return problem;
  }
  return null;
}

export interface PeriodFault extends Fault {
  readonly reason: "expired" | "not-yet-valid";
}

export function findPeriodFault(path: readonly Certificate[], now: Instant): PeriodFault | null {
  for (const at of path) {
    const problem = findPeriodProblem(at, now);
    if (problem) return { at, reason: problem.reason, message: `it ${problem.message}` };
  }
  return null;
}

/** Null if valid, else a verb phrase. In whole seconds, both ends inclusive (RFC 5280 section 4.1.2.5). */
export function findPeriodProblem(
  { notBefore, notAfter }: Certificate,
  now: Instant,
): Pick<PeriodFault, "reason" | "message"> | null {
  const second = Math.floor(now / 1000) * 1000;
  if (second > notAfter) return { reason: "expired", message: `expired on ${iso(notAfter)}` };
  if (second < notBefore) return { reason: "not-yet-valid", message: `is valid only from ${iso(notBefore)}` };
  return null;
}

const iso = (time: Instant): string => new Date(time).toISOString().replace(".000", "");
