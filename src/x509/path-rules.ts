/**
 * Checks a path whose signatures are verified against RFC 5280 section 6.1, from the anchor down. What the anchor says
 * about itself is enforced, too (RFC 5937). Periods come last, so that one is reported only if nothing else is wrong.
 */
import { sameBytes } from "../platform/encoding.ts";
import type { Certificate } from "./certificate.ts";
import { KeyUsage, type PathExtensions, readPathExtensions } from "./extensions.ts";
import { sameName } from "./name.ts";
import { findForbiddenName, listConstrainedNames, type NameConstraints } from "./name-constraints.ts";
import type { PathBudget } from "./path-budget.ts";
import { findProfileProblem } from "./path-profile.ts";
import { applyPolicies, finishPolicies, type PolicyState, preparePolicies, startPolicies } from "./policies.ts";

export interface RuleInput {
  readonly path: readonly Certificate[];
  /** Maximum number of intermediates; self-issued ones are not counted. */
  readonly maxIntermediates: number;
  readonly purposes: readonly string[];
  /** Enables the additional rules of path-profile.ts. Null checks section 6 only. */
  readonly profile: { readonly anchorSelfSigned: boolean } | null;
  readonly budget: PathBudget;
}

export interface Fault {
  readonly at: Certificate;
  readonly message: string;
}

const ANY_PURPOSE = "2.5.29.37.0";

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
export function findBrokenRule(input: RuleInput): Fault | null {
  const { path, maxIntermediates } = input;
  const walk: Walk = { constraints: [], policies: startPolicies(), allowed: maxIntermediates };
  for (const [depth, certificate] of [...path].reverse().entries()) {
    const reading = readPathExtensions(certificate);
    if (!reading.ok) return { at: certificate, message: reading.reason };
    const selfIssued = sameName(certificate.subject, certificate.issuer);
    const step = { certificate, extensions: reading.extensions, selfIssued, last: depth === path.length - 1 };
    const message = depth === 0 ? enterAnchor(walk, step, input) : enterCertificate(walk, step, input);
    if (message !== null) return { at: certificate, message };
  }
  return null;
}

function enterAnchor(walk: Walk, { certificate, extensions, selfIssued }: Step, { profile }: RuleInput): string | null {
  layDown(walk, extensions);
  const role = { anchor: true, selfSigned: selfIssued || profile?.anchorSelfSigned === true };
  return (
    findAlgorithmProblem(certificate) ??
    (profile ? findProfileProblem(certificate, extensions, role) : null) ??
    findIssuerProblem(certificate, extensions, true)
  );
}

/** RFC 5280 section 6.1.3, then 6.1.4 for an issuer or 6.1.5 for the leaf. */
function enterCertificate(walk: Walk, step: Step, { profile, purposes, budget }: RuleInput): string | null {
  const { certificate, extensions, selfIssued, last } = step;
  const problem =
    findAlgorithmProblem(certificate) ??
    (profile ? findProfileProblem(certificate, extensions, { anchor: false, selfSigned: selfIssued }) : null) ??
    findPurposeProblem(extensions, purposes) ??
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
  for (const each of constraints) {
    const problem = findForbiddenName(each, names, budget);
    if (problem !== null) return problem;
  }
  return null;
}

/** RFC 5280 section 4.2.1.12, of each certificate below the anchor: a CA for other purposes issues none for this. */
function findPurposeProblem({ extendedKeyUsage }: PathExtensions, purposes: readonly string[]): string | null {
  if (!extendedKeyUsage || extendedKeyUsage.includes(ANY_PURPOSE)) return null;
  const missing = purposes.find((purpose) => !extendedKeyUsage.includes(purpose));
  return missing ? `its extended key usage does not include ${missing}` : null;
}

export interface PeriodFault extends Fault {
  readonly reason: "expired" | "not-yet-valid";
}

export function findPeriodFault(path: readonly Certificate[], now: number): PeriodFault | null {
  for (const at of path) {
    const problem = findPeriodProblem(at, now);
    if (problem) return { at, reason: problem.reason, message: `it ${problem.message}` };
  }
  return null;
}

/** Null if valid, else a verb phrase. In whole seconds, both ends inclusive (RFC 5280 section 4.1.2.5). */
export function findPeriodProblem(
  { notBefore, notAfter }: Certificate,
  now: number,
): Pick<PeriodFault, "reason" | "message"> | null {
  const second = Math.floor(now / 1000) * 1000;
  if (second > notAfter) return { reason: "expired", message: `expired on ${iso(notAfter)}` };
  if (second < notBefore) return { reason: "not-yet-valid", message: `is valid only from ${iso(notBefore)}` };
  return null;
}

const iso = (time: number): string => new Date(time).toISOString().replace(".000", "");
