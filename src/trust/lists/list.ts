/** Converts a verified list to the data that the service stores and that the command `status` summarises. */

import type { Element } from "@xmldom/xmldom";
import { canonicalCountry } from "../../platform/country.ts";
import { fromBase64, sameBytes, toBase64 } from "../../platform/encoding.ts";
import { type Certificate, CertificateError, parseCertificate } from "../../x509/certificate.ts";
import { nameKey } from "../../x509/name.ts";
import {
  type CertificateUse,
  type ServiceStatus,
  type StatusPeriod,
  TRUSTED_LIST_SOURCE,
  type TrustAnchor,
} from "../anchors.ts";
import {
  childrenNamed,
  childText,
  elementsIn,
  findChild,
  preferEnglish,
  readInstant,
  requireChild,
  textOf,
} from "./elements.ts";
import { readQualifications } from "./qualifications.ts";
import { readCertificates, readScheme, type Scheme, signersFor } from "./scheme.ts";
import type { VerifiedList } from "./verify.ts";

export type TrustedList = ReturnType<typeof readList>;

export function readList({ root, signer, signatureAlgorithm }: VerifiedList) {
  const scheme = readScheme(root);
  const territory = canonicalCountry(scheme.territoryOnList);
  const { trustServiceProviders, services, caQc, skipped } = readServices(root);
  const granted = caQc.flatMap(currentPeriod).filter((period) => period.status === "granted");
  return {
    ...scheme,
    /** ISO 3166 code ("GR", "GB"), or "EU". */
    territory,
    trustServiceProviders,
    services,
    /** Services that issue qualified certificates; below, those granted now, in total and per use. */
    caQc: caQc.length,
    caQcGranted: granted.length,
    caQcGrantedForWebSiteAuthentication: countUse(granted, "web-authentication"),
    caQcGrantedForeSeals: countUse(granted, "seal"),
    /** One per certificate of each CA/QC service, whatever the service's status. */
    anchors: caQc.flatMap((service) => anchorsOf(service, territory)),
    /** What was left out of the anchors and of the pointers, and why; one sentence each. */
    skipped: [...scheme.skipped, ...skipped],
    /** What is odd about it, though it is used; one sentence each. */
    remarks: [...findOddSigner(scheme, signer), ...findRepeated(caQc)],
    signatureAlgorithm: signatureAlgorithm.name,
    signer: signer.fingerprint,
  };
}

/** PRO-4.1.4-10: who signs a list of lists is named by it. One that names nobody for itself retires nobody. */
function findOddSigner({ kind, pointers, territoryOnList }: Scheme, signer: Certificate): string[] {
  if (kind !== "list of lists") return [];
  const named = signersFor(pointers, territoryOnList);
  return named.length === 0 || named.some((der) => sameBytes(der, signer.der))
    ? []
    : ["it names for itself others than the one who signed it"];
}

/** PRO-4.3.4-05, -07, -09: two entries with one key, use and status. The answer is the same by either. */
function findRepeated(services: readonly QualifiedService[]): string[] {
  const entries = services.flatMap((service) =>
    [...new Set(service.certificates.map(keyOf))].flatMap((key) =>
      currentPeriod(service).flatMap(({ status, uses }) =>
        (uses ?? []).map((use) => ({ service, use, status, entry: `${key} ${use} ${status}` })),
      ),
    ),
  );
  return Array.from(Map.groupBy(entries, ({ entry }) => entry).values()).flatMap(([first, ...more]) =>
    first && more.length > 0
      ? [
          `${nameService(first.service)}: ${more.length + 1} entries for ${first.use} have its key, each ${first.status}`,
        ]
      : [],
  );
}

const nameService = ({ qtspName, serviceName }: QualifiedService): string => `${qtspName}: ${serviceName}`;

/** The name and public key. Only of a certificate that is readable. */
const keyOf = (certificate: string): string => {
  const { subject, publicKey } = parseCertificate(fromBase64(certificate) ?? new Uint8Array());
  return `${nameKey(subject)} ${toBase64(publicKey.spki)}`;
};

const currentPeriod = ({ periods }: QualifiedService): StatusPeriod[] => periods.slice(-1);

const countUse = (periods: readonly StatusPeriod[], use: CertificateUse): number =>
  periods.filter((period) => period.uses?.includes(use)).length;

const anchorsOf = ({ certificates, ...service }: QualifiedService, jurisdiction: string): TrustAnchor[] =>
  certificates.map((certificate) => ({ certificate, source: TRUSTED_LIST_SOURCE, jurisdiction, ...service }));

const CA_QC = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC";
const STATUS = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/";
const INFORMATION = "http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/";

/** TS 119 612 section 5.5.9.4. */
const USES: Readonly<Record<string, CertificateUse>> = {
  [`${INFORMATION}ForWebSiteAuthentication`]: "web-authentication",
  [`${INFORMATION}ForeSeals`]: "seal",
  [`${INFORMATION}ForeSignatures`]: "signature",
};

interface QualifiedService {
  readonly qtspName: string;
  readonly serviceName: string;
  /** Base64 DER. Several if the key has several certificates; empty if the list identifies the key in another way. */
  readonly certificates: readonly string[];
  readonly periods: StatusPeriod[];
}

export function readServices(root: Element) {
  const providers = childrenNamed(findChild(root, "TrustServiceProviderList"), "TrustServiceProvider");
  const caQc: QualifiedService[] = [];
  const skipped: string[] = [];
  let services = 0;
  for (const provider of providers) {
    const qtspName = preferEnglish(findChild(requireChild(provider, "TSPInformation"), "TSPName"), "Name") ?? "";
    for (const service of childrenNamed(requireChild(provider, "TSPServices"), "TSPService")) {
      services++;
      const information = requireChild(service, "ServiceInformation");
      if (childText(information, "ServiceTypeIdentifier") === CA_QC)
        caQc.push(readService(qtspName, service, information, skipped));
    }
  }
  return { trustServiceProviders: providers.length, services, caQc, skipped };
}

function readService(qtspName: string, service: Element, information: Element, skipped: string[]): QualifiedService {
  const serviceName = preferEnglish(findChild(information, "ServiceName"), "Name") ?? "";
  const where = `${qtspName}: ${serviceName}`;
  const identity = requireChild(information, "ServiceDigitalIdentity");
  const listed = readCertificates(identity, where, skipped);
  const named = listIdentityForms(identity);
  // section 5.5.3 asks for a certificate where the service has a key of its own
  if (!named.includes("X509Certificate"))
    skipped.push(
      `${where}: left out: the list has no certificate of it, and names it by ${named.join(", ") || "nothing"}`,
    );
  const periods = readPeriods(service, information);
  // TS 119 612 section 5.5.10 requires descending order. TS 119 615 PRO-4.3.4-03A ignores a history out of order
  const ordered = inOrder(periods);
  if (!ordered) skipped.push(`${where}: left out: its status history is not in order of time`);
  const certificates = ordered ? listed.filter((certificate) => isReadable(certificate, where, skipped)) : [];
  return { qtspName, serviceName, certificates, periods };
}

/** Such as X509SKI: each once, in the list's order. */
const listIdentityForms = (identity: Element): string[] => [
  ...new Set(
    childrenNamed(identity, "DigitalId")
      .flatMap(elementsIn)
      .map(({ localName }) => localName ?? ""),
  ),
];

/** A certificate that cannot be parsed cannot be an anchor. The rest of the list is still used. */
function isReadable(certificate: string, where: string, skipped: string[]): boolean {
  try {
    parseCertificate(fromBase64(certificate) ?? new Uint8Array());
    return true;
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    skipped.push(`${where}: certificate left out: ${error.message}`);
    return false;
  }
}

/** Oldest first. The history has no certificates (section 5.6.3): the current ones apply to all periods. */
function readPeriods(service: Element, information: Element): StatusPeriod[] {
  const entries = childrenNamed(findChild(service, "ServiceHistory"), "ServiceHistoryInstance");
  return [information, ...entries].map(readPeriod).reverse();
}

const inOrder = (periods: readonly StatusPeriod[]): boolean =>
  periods.every((period, i) => Date.parse(period.from) >= Date.parse(periods[i - 1]?.from ?? period.from));

function readPeriod(entry: Element): StatusPeriod {
  const type = childText(entry, "ServiceTypeIdentifier");
  // a service that was of another type ended what it was before, and its status is none of a CA/QC service
  if (type !== CA_QC) return { status: type, from: readInstant(requireChild(entry, "StatusStartingTime")), uses: null };
  const status = readStatus(entry);
  const extensions = findChild(entry, "ServiceInformationExtensions");
  const uses = extensions ? readUses(extensions) : [];
  const qualifications = extensions ? readQualifications(extensions) : [];
  return {
    status,
    from: readInstant(requireChild(entry, "StatusStartingTime")),
    // A granted CA/QC service must list its uses (section 5.5.9.4). Before eIDAS there were none to list.
    uses: uses.length > 0 || status === "granted" ? uses : null,
    ...(qualifications.length > 0 && { qualifications }),
  };
}

/** Returns the last part of the status URI. Other URIs are kept whole and match no rule. */
function readStatus(entry: Element): ServiceStatus {
  const uri = childText(entry, "ServiceStatus");
  return uri.startsWith(STATUS) ? uri.slice(STATUS.length) : uri;
}

function readUses(extensions: Element): CertificateUse[] {
  const uses = new Set<CertificateUse>();
  for (const extension of childrenNamed(extensions, "Extension"))
    for (const information of childrenNamed(extension, "AdditionalServiceInformation")) {
      const uri = textOf(requireChild(information, "URI"));
      const use = Object.hasOwn(USES, uri) ? USES[uri] : undefined;
      if (use) uses.add(use);
    }
  return [...uses];
}
