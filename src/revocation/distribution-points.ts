/** Where the revocation status is published: OCSP responders (RFC 5280 section 4.2.2.1), CRLs (section 4.2.1.13). */
import { type Certificate, findExtension } from "../x509/certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "../x509/der.ts";
import { readOid } from "../x509/der-values.ts";
import { Oid } from "../x509/extensions.ts";
import { type Attribute, type Name, readAttribute, sameName } from "../x509/name.ts";
import { type AlternativeName, readAlternativeName, readAlternativeNames } from "../x509/name-forms.ts";

const AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";
const OCSP_ACCESS_METHOD = "1.3.6.1.5.5.7.48.1";
const ISSUERS_ACCESS_METHOD = "1.3.6.1.5.5.7.48.2";

/** More than any real certificate lists. Limits the fetches that one certificate can cause. */
const MAX_URLS_PER_CERTIFICATE = 3;

export type DistributionPointName =
  | { readonly type: "full"; readonly names: readonly AlternativeName[] }
  | { readonly type: "relative"; readonly rdn: readonly Attribute[] };

export interface DistributionPoint {
  readonly name: DistributionPointName | null;
  readonly someReasons: boolean;
  /** The signer of an indirect CRL, when it is not the certificate's issuer; otherwise null. */
  readonly crlIssuer: readonly AlternativeName[] | null;
}

export function readDistributionPoints(certificate: Certificate): DistributionPoint[] {
  const extension = findExtension(certificate, Oid.cRLDistributionPoints);
  if (!extension) return [];
  const what = "cRLDistributionPoints";
  const points = children(expect(readDer(extension.value, what), Tag.sequence, what), what);
  if (points.length === 0) throw new DerError(`${what}: empty`);
  return points.map((point) => {
    const fields = children(expect(point, Tag.sequence, what), what);
    const name = fields[0]?.tag === context(0) ? readDistributionPointName(fields.shift(), what) : null;
    const reasons = fields[0]?.tag === context(1, false) ? fields.shift() : undefined;
    const signer = fields[0]?.tag === context(2) ? readAlternativeNames(fields[0], what) : null;
    if (signer) fields.shift();
    if (fields.length > 0) throw new DerError(`${what}: data after a point`);
    if (!name && !signer) throw new DerError(`${what}: a point with neither name nor cRLIssuer`);
    // RFC 5280 section 4.2.1.13 has issuers leave out their own name. Who finds it knows no less
    const crlIssuer = signer && isOnly(signer, certificate.issuer) ? null : signer;
    return { name, someReasons: reasons !== undefined, crlIssuer };
  });
}

const isOnly = (names: readonly AlternativeName[], name: Name): boolean =>
  names.every((each) => each.form === "directory" && sameName(each.name, name));

export function readDistributionPointName(der: Der | undefined, what: string): DistributionPointName {
  const [choice, ...more] = children(expect(der, context(0), what), what);
  if (!choice || more.length > 0) throw new DerError(`${what}: malformed distributionPoint`);
  if (choice.tag === context(0)) return { type: "full", names: readAlternativeNames(choice, what) };
  const rdn = children(expect(choice, context(1), what), what).map((attribute) => readAttribute(attribute, what));
  return { type: "relative", rdn };
}

export const appendRdn = (issuer: Name, rdn: readonly Attribute[]): Name => ({
  der: new Uint8Array(0),
  rdns: [...issuer.rdns, rdn],
});

/** Returns the first three http(s) URLs of the certificate's OCSP responders; none if the extension is malformed. */
export const listOcspUrls = (certificate: Certificate): readonly string[] =>
  orNone(() => httpUrls(readOcspLocations(certificate)));

/** Returns the first three http(s) URLs of the issuer's certificate (caIssuers); none if the extension is malformed. */
export const listIssuerUrls = (certificate: Certificate): readonly string[] =>
  orNone(() => httpUrls(readAccessLocations(certificate, ISSUERS_ACCESS_METHOD)));

/** None from points for some reasons only, or with another CRL issuer: their CRLs would be refused. */
export const listCrlUrls = (certificate: Certificate): readonly string[] =>
  orNone(() =>
    httpUrls(
      readDistributionPoints(certificate).flatMap((point) =>
        point.name?.type === "full" && !point.someReasons && !point.crlIssuer ? point.name.names : [],
      ),
    ),
  );

function orNone(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}

function readOcspLocations(certificate: Certificate): AlternativeName[] {
  return readAccessLocations(certificate, OCSP_ACCESS_METHOD);
}

function readAccessLocations(certificate: Certificate, wanted: string): AlternativeName[] {
  const extension = findExtension(certificate, AUTHORITY_INFORMATION_ACCESS);
  if (!extension) return [];
  const what = "authorityInfoAccess";
  return children(expect(readDer(extension.value, what), Tag.sequence, what), what).flatMap((access) => {
    const [method, location, ...more] = children(expect(access, Tag.sequence, what), what);
    if (!location || more.length > 0) throw new DerError(`${what}: malformed access description`);
    return readOid(method, what) === wanted ? [readAlternativeName(location, what)] : [];
  });
}

function httpUrls(names: readonly AlternativeName[]): string[] {
  const urls = names.flatMap((name) => (name.form === "uri" && /^https?:\/\//i.test(name.text) ? [name.text] : []));
  return [...new Set(urls)].slice(0, MAX_URLS_PER_CERTIFICATE);
}

/** Why there is no URL to ask. Completes the sentence "its status is unknown because ...". */
export function describeSilence(certificate: Certificate): string {
  const ocsp = orFault("its authority information access", () => findOcspFault(certificate));
  const crl = orFault("its list of CRLs", () => findCrlFault(certificate));
  if (ocsp === null && crl === null) return "it names neither an OCSP responder nor a CRL";
  return `${ocsp ?? "it names no OCSP responder"}, and ${crl ?? "it names no CRL"}`;
}

function orFault(what: string, find: () => string | null): string | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof DerError) return `${what} cannot be read (${error.message})`;
    throw error;
  }
}

const findOcspFault = (certificate: Certificate): string | null =>
  readOcspLocations(certificate).length > 0 ? "its OCSP responder has no http address" : null;

function findCrlFault(certificate: Certificate): string | null {
  const points = readDistributionPoints(certificate);
  const direct = points.filter(({ crlIssuer }) => !crlIssuer);
  if (points.length === 0) return null;
  if (direct.length === 0) return "its CRLs are another issuer's (indirect), which is not supported";
  if (direct.every(({ someReasons }) => someReasons))
    return "its CRLs cover only some reasons of revocation, which is not supported";
  return "its CRLs have no http address";
}
