/**
 * Finds the end-entity certificate among several certificates in any order: the one that issued none of the others.
 * Only names and key identifiers are compared; no signature is verified. The result is fully validated later, and so is
 * that what was sent before it has issued it (src/eidas/stranger.ts): else a stranger could have another's picked.
 */
import type { Certificate } from "./certificate.ts";
import { readPathExtensions } from "./extensions.ts";
import { sameName } from "./name.ts";
import { fitKeyIdentifier } from "./path-candidates.ts";

/**
 * Whether basicConstraints asserts cA (RFC 5280 section 4.2.1.9). False when the extensions cannot be read; path
 * validation refuses such a certificate anyway.
 */
export function isCa(certificate: Certificate): boolean {
  const reading = readPathExtensions(certificate);
  return reading.ok && reading.extensions.basicConstraints?.ca === true;
}

/**
 * Returns the first certificate that issued none of the others and is not a CA. Failing that, the first that issued
 * none of the others; failing that, because they issued each other, the first one. Null for an empty list. The number
 * of comparisons is quadratic in the number of certificates.
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
