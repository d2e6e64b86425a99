/** Converts a verified list to the data that the service stores and that the command `status` summarises. */

import { canonicalCountry } from "../../platform/country.ts";
import type { CertificateUse, StatusPeriod, TrustAnchor } from "../anchors.ts";
import { TRUSTED_LIST_SOURCE } from "../loaded-list.ts";
import type { Scheme } from "./scheme.ts";
import { readScheme } from "./scheme.ts";
import { type QualifiedService, readServices } from "./services.ts";
import type { VerifiedList } from "./verify.ts";

export interface TrustedList extends Scheme {
  /** ISO 3166 code ("GR", "GB"), or "EU". */
  readonly territory: string;
  readonly trustServiceProviders: number;
  /** Number of services of all types. */
  readonly services: number;
  /** Number of services that issue qualified certificates (CA/QC); below, those granted now, in total and per use. */
  readonly caQc: number;
  readonly caQcGranted: number;
  readonly caQcGrantedForWebSiteAuthentication: number;
  readonly caQcGrantedForeSeals: number;
  /** One per certificate of each CA/QC service, whatever the service's status. */
  readonly anchors: readonly TrustAnchor[];
  /** What was left out of the anchors, and why; one sentence each. */
  readonly skipped: readonly string[];
  /** The fragment of the algorithm's URI, for example "rsa-sha512". */
  readonly signatureAlgorithm: string;
  /** SHA-256 of the signer's certificate in lower-case hex. */
  readonly signer: string;
}

export function readList({ root, signer, signatureAlgorithm }: VerifiedList): TrustedList {
  const scheme = readScheme(root);
  const territory = canonicalCountry(scheme.territoryOnList);
  const { trustServiceProviders, services, caQc, skipped } = readServices(root);
  const granted = caQc.flatMap(currentPeriod).filter((period) => period.status === "granted");
  return {
    ...scheme,
    territory,
    trustServiceProviders,
    services,
    caQc: caQc.length,
    caQcGranted: granted.length,
    caQcGrantedForWebSiteAuthentication: countUse(granted, "web-authentication"),
    caQcGrantedForeSeals: countUse(granted, "seal"),
    anchors: caQc.flatMap((service) => anchorsOf(service, territory)),
    skipped,
    signatureAlgorithm: signatureAlgorithm.name,
    signer: signer.fingerprint,
  };
}

const currentPeriod = ({ periods }: QualifiedService): StatusPeriod[] => periods.slice(-1);

const countUse = (periods: readonly StatusPeriod[], use: CertificateUse): number =>
  periods.filter((period) => period.uses?.includes(use)).length;

const anchorsOf = ({ certificates, ...service }: QualifiedService, jurisdiction: string): TrustAnchor[] =>
  certificates.map((certificate) => ({
    certificate,
    source: TRUSTED_LIST_SOURCE,
    jurisdiction,
    qtspName: service.qtspName,
    serviceName: service.serviceName,
    periods: [...service.periods],
  }));
