/** Whose keys may have signed CRLs beside the issuers on a path (RFC 5280 section 6.3.3 (f)). */
import type { Instant } from "../platform/instant.ts";
import type { SignerPath } from "../revocation/revocation-sources.ts";
import type { KnownAnchor, ListedAnchor } from "../trust/anchors.ts";
import { periodAt } from "../trust/service-status.ts";
import type { Certificate } from "../x509/certificate.ts";
import { sameAuthority } from "../x509/chain-order.ts";
import { sameName } from "../x509/name.ts";
import { buildPath } from "../x509/path.ts";
import type { PathBudget } from "../x509/path-budget.ts";
import { findPeriodProblem } from "../x509/path-rules.ts";

interface SignerSearch {
  readonly path: readonly Certificate[];
  /** Of the chain. They were sent, which proves nothing. */
  readonly issuers: readonly Certificate[];
  readonly anchors: readonly KnownAnchor[];
  readonly now: Instant;
  readonly budget: PathBudget;
}

/** Those on the path, those sent that an issuer on it certified, and those that the list grants to its provider. */
export async function listCrlSigners({ path, issuers, anchors, now, budget }: SignerSearch): Promise<SignerPath[]> {
  const above = path.slice(1);
  const anchor = above.at(-1);
  if (!anchor) return [];
  const isNamesake = (certificate: Certificate) =>
    above.some(({ subject }) => sameName(subject, certificate.subject)) &&
    !above.some((issuer) => sameAuthority(issuer, certificate));
  const trusted = anchors.filter(({ certificate }) => sameAuthority(certificate, anchor)).map(({ listed }) => listed);
  const paths = above.map((_, i) => above.slice(i));
  for (const { certificate, listed } of anchors)
    if (isNamesake(certificate) && trusted.some((one) => isSameTrust(one, listed)) && isGranted(listed, now))
      if (!findPeriodProblem(certificate, now)) paths.push([certificate]);
  for (const leaf of issuers.filter(isNamesake)) {
    const built = await buildPath({ leaf, issuers, anchors: [anchor], now, budget });
    // those on the path are checked for revocation with it
    if (built.ok && built.path.slice(1).every((each) => above.some((issuer) => isSame(issuer, each))))
      paths.push([...built.path]);
  }
  return paths.flatMap(([signer, ...more]): SignerPath[] => (signer ? [[signer, ...more]] : []));
}

/** One provider's services on one list: another's may have the same name. */
const isSameTrust = (a: ListedAnchor, b: ListedAnchor): boolean =>
  a.source === b.source && a.jurisdiction === b.jurisdiction && a.qtspName === b.qtspName;

const isGranted = ({ periods }: ListedAnchor, now: Instant): boolean => periodAt(periods, now)?.status === "granted";

const isSame = (a: Certificate, b: Certificate): boolean => a.fingerprint === b.fingerprint;
