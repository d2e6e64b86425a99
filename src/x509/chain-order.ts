/**
 * Which of several certificates is the holder's own, whatever order they stand in: the one that issued none of the
 * others. By names and key identifiers only, without any signature: what is found is judged whole afterwards, so that a
 * wrong guess costs the sender an answer and gives it nothing.
 */
import type { Certificate } from "./certificate.ts";
import { readPathExtensions } from "./extensions.ts";
import { sameName } from "./names.ts";
import { fitKeyIdentifier } from "./path-candidates.ts";

/** RFC 5280 section 4.2.1.9. False when its extensions cannot be read: no path stands on such a certificate anyway. */
export function isCa(certificate: Certificate): boolean {
  const reading = readPathExtensions(certificate);
  return reading.ok && reading.extensions.basicConstraints?.ca === true;
}

/**
 * The first that issued none of the others and is no CA's; else the first that issued none; else, where they issued each
 * other, the first. The number of comparisons grows with the square of the number of certificates.
 */
export function findOwn(certificates: readonly Certificate[]): Certificate | null {
  const own = certificates.filter((each) => !certificates.some((other) => hasIssued(each, other)));
  return own.find((each) => !isCa(each)) ?? own[0] ?? certificates[0] ?? null;
}

/** By name, and not by another key than the child names. A root has not issued itself here. */
const hasIssued = (issuer: Certificate, child: Certificate): boolean =>
  issuer.fingerprint !== child.fingerprint &&
  sameName(issuer.subject, child.issuer) &&
  fitKeyIdentifier(child, issuer) !== "differs";
