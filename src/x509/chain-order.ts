/**
 * Which certificate may have issued which, by name and key identifier only. Signatures and rules are checked in
 * path.ts.
 */
import type { Certificate } from "./certificate.ts";
import { readPathExtensions } from "./extensions.ts";
import { sameName } from "./name.ts";
import { fitKeyIdentifier } from "./path-candidates.ts";

/**
 * Whether basicConstraints asserts cA. False when the extensions cannot be read: path validation refuses them anyway.
 */
export function isCa(certificate: Certificate): boolean {
  const reading = readPathExtensions(certificate);
  return reading.ok && reading.extensions.basicConstraints?.ca === true;
}

/**
 * Returns the first that issued none of the others, if possible not a CA. If they issued each other, the first of all.
 */
export function findOwn(certificates: readonly Certificate[]): Certificate | null {
  const own = certificates.filter((each) => !certificates.some((other) => hasIssued(each, other)));
  return own.find((each) => !isCa(each)) ?? own[0] ?? certificates[0] ?? null;
}

/** Compares names, and key identifiers where both certificates have one. A root does not count as its own issuer. */
const hasIssued = (issuer: Certificate, child: Certificate): boolean =>
  issuer.fingerprint !== child.fingerprint &&
  sameName(issuer.subject, child.issuer) &&
  fitKeyIdentifier(child, issuer) !== "differs";
