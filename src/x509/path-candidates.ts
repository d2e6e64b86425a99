/** Which certificates may have issued the last one of a path: those of its issuer's name, in the order worth trying. */
import { sameBytes } from "../encoding.ts";
import type { Certificate } from "./certificate.ts";
import { readPathExtensions } from "./extensions.ts";
import { sameName } from "./names.ts";
import { MAX_INTERMEDIATES } from "./path-budget.ts";

/** Whether the key identifiers of child and issuer agree; a hint for the order of search, never a reason to accept. */
export type KeyIdentifierFit = "fits" | "unknown" | "differs";

export interface Candidate {
  readonly certificate: Certificate;
  readonly anchor: boolean;
  readonly fit: KeyIdentifierFit;
}

const ORDER: readonly KeyIdentifierFit[] = ["fits", "unknown", "differs"];

/**
 * Best fit first, and among equals anchors first. Those with a differing key identifier come too, last: an identifier
 * may be wrong where the signature is right.
 */
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

/** Going round by a name and key once more leads nowhere new (X.509's loop); an anchor ends the path anyway. */
const isOnPath = (path: readonly Certificate[], certificate: Certificate, anchor: boolean): boolean =>
  path.some(
    (each) =>
      each.fingerprint === certificate.fingerprint ||
      (!anchor &&
        sameBytes(each.publicKey.spki, certificate.publicKey.spki) &&
        sameName(each.subject, certificate.subject)),
  );

export function fitKeyIdentifier(child: Certificate, issuer: Certificate): KeyIdentifierFit {
  const wanted = readPathExtensions(child);
  const held = readPathExtensions(issuer);
  if (!wanted.ok || !held.ok) return "unknown";
  const { authorityKeyIdentifier } = wanted.extensions;
  const { subjectKeyIdentifier } = held.extensions;
  if (!authorityKeyIdentifier?.keyIdentifier || !subjectKeyIdentifier) return "unknown";
  return sameBytes(authorityKeyIdentifier.keyIdentifier, subjectKeyIdentifier) ? "fits" : "differs";
}
