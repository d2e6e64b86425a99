/**
 * Why a certificate is refused that a sandbox's list would approve: such a list vouches for PSPs of user-assigned countries
 * alone (trust/sandbox-source.ts). Without this its issuer would be said to be on no list. Loaded where such a list has a
 * service of the issuer's name.
 */
import type { Instant } from "../platform/instant.ts";
import type { KnownAnchor } from "../trust/anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
import { buildPath, type PathFailure } from "../x509/path.ts";
import type { PathBudget } from "../x509/path-budget.ts";
import { nameOf } from "./sought-issuers.ts";

export interface WithheldAnchors {
  /** With the services of sandboxes' lists, which do not count for this PSP: to no other one a path has led. */
  readonly anchors: readonly KnownAnchor[];
  /** Of the PSP's authorisation number; null if it has none. */
  readonly homeCountry: string | null;
}

interface Refused {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
  readonly withheld: WithheldAnchors;
  readonly now: Instant;
  readonly budget: PathBudget;
}

/** Null if no signatures lead from the certificate to a sandbox's service. */
export async function findSandboxIssuer({
  leaf,
  issuers,
  withheld,
  now,
  budget,
}: Refused): Promise<PathFailure | null> {
  const { anchors, homeCountry } = withheld;
  const built = await buildPath({ leaf, issuers, anchors: anchors.map(({ certificate }) => certificate), now, budget });
  if (!built.ok && !built.anchored) return null;
  const end = built.path.at(-1);
  const listed = anchors.find(({ certificate }) => certificate.fingerprint === end?.fingerprint)?.listed;
  const service = (end && nameOf(end.subject)) ?? listed?.serviceName;
  const psp = homeCountry === null ? "its authorisation number names no country" : `its PSP is of ${homeCountry}`;
  const message = `the certificate cannot be relied on: its QTSP, ${service}, is on the trusted list ${listed?.source}; a sandbox's list may vouch for PSPs of user-assigned countries such as XX and XY only, and ${psp}`;
  return { ok: false, reason: "rule", at: leaf, message, path: [], anchored: false };
}
