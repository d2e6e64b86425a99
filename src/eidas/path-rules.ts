/**
 * The rules for a path whose signatures verify: RFC 5280 section 6.1, from the anchor down. The anchor is what a trusted
 * list holds, a whole certificate, and what it says of itself binds (RFC 5937): that it is a CA, its path length, its name
 * constraints, its period. Revocation is asked elsewhere (revocation.ts).
 */
import { sameBytes } from "../encoding.ts";
import type { Certificate } from "./certificate.ts";
import { KEY_CERT_SIGN, type PathExtensions, readPathExtensions } from "./extensions.ts";
import { findForbiddenName, listConstrainedNames, type NameConstraints } from "./name-constraints.ts";
import { sameName } from "./names.ts";
import type { PathBudget } from "./path-budget.ts";
import { findProfileProblem } from "./path-profile.ts";
import { applyPolicies, finishPolicies, preparePolicies, startPolicies } from "./policies.ts";

export interface RuleInput {
  /** Leaf first, anchor last. */
  readonly path: readonly Certificate[];
  /** Intermediates allowed, those that are self-issued not counted. */
  readonly maxIntermediates: number;
  readonly purposes: readonly string[];
  /** What is asked beyond section 6 (path-profile.ts): nothing when null. */
  readonly profile: { readonly anchorSelfSigned: boolean } | null;
  readonly budget: PathBudget;
}

/** `message` says of the certificate `at` what is wrong: "it is not a CA". */
export interface Fault {
  readonly at: Certificate;
  readonly message: string;
}

/** Of the period of validity, which RFC 5280 has as whole seconds, both ends included. */
export interface PeriodFault extends Fault {
  readonly reason: "expired" | "not-yet-valid";
}

/** The first certificate, leaf first, that is not valid at `now`, in milliseconds since 1970; or null. */
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

const ANY_PURPOSE = "2.5.29.37.0";

/** The first rule that the path breaks, or null. When `budget` runs out, the answer means nothing. */
export function findBrokenRule(input: RuleInput): Fault | null {
  const { path, profile, budget } = input;
  const readings = path.map((certificate) => ({ certificate, reading: readPathExtensions(certificate) }));
  const constraints: NameConstraints[] = [];
  const policies = startPolicies(path.length - 1);
  let allowed = input.maxIntermediates;
  for (const [index, { certificate, reading }] of [...readings.entries()].reverse()) {
    const fault = (message: string | null): Fault | null => (message === null ? null : { at: certificate, message });
    if (!reading.ok) return fault(reading.reason);
    const { extensions } = reading;
    const anchor = index === path.length - 1;
    const selfIssued = isSelfIssued(certificate);
    const role = { anchor, last: index === 0, selfIssued };
    const problem =
      findAlgorithmProblem(certificate) ??
      (profile
        ? findProfileProblem(certificate, extensions, {
            anchor,
            selfSigned: selfIssued || (anchor && profile.anchorSelfSigned),
          })
        : null) ??
      (role.anchor ? null : findPurposeProblem(extensions, input.purposes)) ??
      (role.anchor || (role.selfIssued && !role.last)
        ? null
        : findNameProblem(certificate, extensions, constraints, budget)) ??
      (role.anchor ? null : applyPolicies(policies, extensions, role)) ??
      (role.last ? finishPolicies(policies, extensions) : findIssuerProblem(certificate, extensions, role.anchor)) ??
      (role.last || role.anchor ? null : preparePolicies(policies, extensions, role.selfIssued));
    if (problem !== null) return fault(problem);
    if (role.last) return null;
    if (!role.anchor && !role.selfIssued && --allowed < 0)
      return fault("it makes the path longer than its issuers allow");
    allowed = Math.min(allowed, extensions.basicConstraints?.pathLength ?? allowed);
    if (extensions.nameConstraints) constraints.push(extensions.nameConstraints);
  }
  return null;
}

const isSelfIssued = ({ subject, issuer }: Certificate): boolean => sameName(subject, issuer);

/** RFC 5280 4.1.1.2: the algorithm that is signed is the one that was used. */
const findAlgorithmProblem = ({ tbsSignatureAlgorithm, signatureAlgorithm }: Certificate): string | null =>
  sameBytes(tbsSignatureAlgorithm.der, signatureAlgorithm.der) ? null : "its two signature algorithms differ";

/** Section 6.1.4 (k) and (n). An anchor may be silent: that it issues certificates is what the trusted list says. */
function findIssuerProblem(
  certificate: Certificate,
  { basicConstraints, keyUsage }: PathExtensions,
  anchor: boolean,
): string | null {
  if (!basicConstraints && !anchor)
    return certificate.version < 3 ? `it is of version ${certificate.version} and so no CA` : "it is not a CA";
  if (basicConstraints?.ca === false) return "it is not a CA";
  if (keyUsage !== null && (keyUsage & KEY_CERT_SIGN) === 0) return "its key usage does not allow signing certificates";
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

/** RFC 5280 4.2.1.12. Asked of every certificate below the anchor: a CA for other purposes cannot pass this one on. */
function findPurposeProblem({ extendedKeyUsage }: PathExtensions, purposes: readonly string[]): string | null {
  if (!extendedKeyUsage || extendedKeyUsage.includes(ANY_PURPOSE)) return null;
  const missing = purposes.find((purpose) => !extendedKeyUsage.includes(purpose));
  return missing ? `its extended key usage does not include ${missing}` : null;
}
