/** Which certificate may have issued which, by name and key identifier only. path.ts checks the rest. */

import { sameBytes } from "../platform/encoding.ts";
import type { Certificate } from "./certificate.ts";
import { readPathExtensions } from "./extensions.ts";
import { sameName } from "./name.ts";
import { MAX_INTERMEDIATES } from "./path-budget.ts";

/** Whether basicConstraints asserts cA. False when unreadable: path validation refuses such a certificate anyway. */
export function isCa(certificate: Certificate): boolean {
  const reading = readPathExtensions(certificate);
  return reading.ok && reading.extensions.basicConstraints?.ca === true;
}

/** The first that issued none of the others, if possible not a CA. If they issued each other, the first of all. */
export function findOwn(certificates: readonly Certificate[]): Certificate | null {
  const own = certificates.filter((each) => !certificates.some((other) => hasIssued(each, other)));
  return own.find((each) => !isCa(each)) ?? own[0] ?? certificates[0] ?? null;
}

/** Compares names, and key identifiers where both certificates have one. A root does not count as its own issuer. */
const hasIssued = (issuer: Certificate, child: Certificate): boolean =>
  issuer.fingerprint !== child.fingerprint &&
  sameName(issuer.subject, child.issuer) &&
  fitKeyIdentifier(child, issuer) !== "differs";

/** By the key identifiers. It orders the search and never makes an issuer acceptable. */
const ORDER = ["fits", "unknown", "differs"] as const;
type KeyIdentifierFit = (typeof ORDER)[number];

export interface Candidate {
  readonly certificate: Certificate;
  readonly anchor: boolean;
  readonly fit: KeyIdentifierFit;
}

/** Sorted by key identifier, then anchors first. Those that differ are still tried: an identifier can be wrong. */
export function listCandidates(
  child: Certificate,
  path: readonly Certificate[],
  { anchors, issuers }: { readonly anchors: readonly Certificate[]; readonly issuers: readonly Certificate[] },
): Candidate[] {
  const full = path.length > MAX_INTERMEDIATES;
  const find = (certificates: readonly Certificate[], anchor: boolean) =>
    certificates
      .filter((certificate) => sameName(certificate.subject, child.issuer) && !isOnPath(path, certificate, anchor))
      .map((certificate) => ({ certificate, anchor, fit: fitKeyIdentifier(child, certificate) }));
  const found = [...find(anchors, true), ...(full ? [] : find(issuers, false))];
  return found.length < 2 ? found : ORDER.flatMap((fit) => found.filter((candidate) => candidate.fit === fit));
}

/** A name and key on the path would be a loop. An anchor ends the path: only the same certificate is one. */
const isOnPath = (path: readonly Certificate[], certificate: Certificate, anchor: boolean): boolean =>
  path.some((each) => each.fingerprint === certificate.fingerprint || (!anchor && sameAuthority(each, certificate)));

/** Whether two certificates are for one name and key. */
export const sameAuthority = (a: Certificate, b: Certificate): boolean =>
  sameBytes(a.publicKey.spki, b.publicKey.spki) && sameName(a.subject, b.subject);

export function fitKeyIdentifier(child: Certificate, issuer: Certificate): KeyIdentifierFit {
  const wanted = readPathExtensions(child);
  const held = readPathExtensions(issuer);
  if (!wanted.ok || !held.ok) return "unknown";
  const { authorityKeyIdentifier } = wanted.extensions;
  const { subjectKeyIdentifier } = held.extensions;
  if (!authorityKeyIdentifier?.keyIdentifier || !subjectKeyIdentifier) return "unknown";
  return sameBytes(authorityKeyIdentifier.keyIdentifier, subjectKeyIdentifier) ? "fits" : "differs";
}
