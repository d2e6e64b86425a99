/** Whether the extensions of a CRL and its entries make it unusable (RFC 5280 sections 5.2 and 5.3). */
import { toHex } from "../platform/encoding.ts";
import { type Certificate, findExtension } from "../x509/certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "../x509/der.ts";
import { readBoolean, readInteger } from "../x509/der-values.ts";
import { Oid, readPathExtensions } from "../x509/extensions.ts";
import { type Name, sameName } from "../x509/name.ts";
import type { Crl } from "./crl.ts";
import {
  appendRdn,
  type DistributionPointName,
  readDistributionPointName,
  readDistributionPoints,
} from "./distribution-points.ts";
import type { Problem } from "./verified-answer.ts";

const CRL_NUMBER = "2.5.29.20";
const ISSUING_DISTRIBUTION_POINT = "2.5.29.28";
const DELTA_CRL_INDICATOR = "2.5.29.27";
const KNOWN_EXTENSIONS = [CRL_NUMBER, ISSUING_DISTRIBUTION_POINT, Oid.authorityKeyIdentifier, DELTA_CRL_INDICATOR];
const MAX_CRL_NUMBER_BYTES = 20;

export const findDeltaProblem = (crl: Crl): Problem | null =>
  findExtension(crl, DELTA_CRL_INDICATOR) && { reason: "delta", message: "it is a delta CRL, which is not supported" };

export function findExtensionProblem(crl: Crl): Problem | null {
  const { namesOtherIssuer, unknownCritical } = crl.scan;
  if (namesOtherIssuer) return { reason: "indirect", message: "it is an indirect CRL, which is not supported" };
  const unknown = crl.extensions.find(({ oid, critical }) => critical && !KNOWN_EXTENSIONS.includes(oid));
  if (unknown) return { reason: "critical-extension", message: `its critical extension ${unknown.oid} is not known` };
  if (unknownCritical)
    return { reason: "critical-extension", message: `an entry's critical extension ${unknownCritical} is not known` };
  return null;
}

/** It increases with each CRL of the same issuer and scope; null when there is none. Throws DerError. */
export function readCrlNumber(crl: Crl): bigint | null {
  const extension = findExtension(crl, CRL_NUMBER);
  return extension && BigInt(`0x${toHex(readInteger(readDer(extension.value, "cRLNumber"), "cRLNumber"))}`);
}

/** Distinguishes CRLs signed by the same key: by the certificates they cover, and by whether they are complete. */
export function readScope(crl: Crl): string {
  const point = findExtension(crl, ISSUING_DISTRIBUTION_POINT);
  return `${findDeltaProblem(crl) ? "delta" : "complete"} ${point ? toHex(point.value) : ""}`;
}

/** RFC 5280 section 5.2.3. That a version 2 CRL has a number is asked of issuers only (section 6.3.3). */
export function findNumberProblem(crl: Crl): Problem | null {
  const refuse = (message: string): Problem => ({ reason: "crl-number", message });
  const extension = findExtension(crl, CRL_NUMBER);
  if (!extension) return null;
  if (extension.critical) return refuse("its CRL number is marked critical");
  const number = readInteger(readDer(extension.value, "cRLNumber"), "cRLNumber");
  if ((number[0] ?? 0) >= 0x80 || number.length > MAX_CRL_NUMBER_BYTES)
    return refuse("its CRL number is negative or longer than 20 bytes");
  return null;
}

interface IssuingDistributionPoint {
  readonly name: DistributionPointName | null;
  readonly only: "user" | "ca" | "attribute" | null;
  readonly someReasons: boolean;
  readonly indirect: boolean;
}

/** Null if the CRL covers the certificate for all reasons (RFC 5280 sections 5.2.5 and 6.3.3 (b)). Throws DerError. */
export function findScopeProblem(crl: Crl, certificate: Certificate | null): Problem | null {
  const point = readIssuingDistributionPoint(crl);
  if (point?.indirect) return { reason: "indirect", message: "it is an indirect CRL, which is not supported" };
  if (point?.only === "attribute")
    return { reason: "other-certificates", message: "it lists attribute certificates only" };
  if (certificate) {
    if (point?.only && point.only !== kindOf(certificate))
      return {
        reason: "other-certificates",
        message: `it lists certificates of ${point.only === "ca" ? "CAs" : "users"} only`,
      };
    const problem = findPointProblem(crl, point?.name ?? null, certificate);
    if (problem) return problem;
  }
  // checked last, so that the caller can still use a revocation reported by such a CRL
  if (point?.someReasons)
    return { reason: "some-reasons", message: "it covers only some reasons of revocation, which is not supported" };
  return null;
}

function readIssuingDistributionPoint(crl: Crl): IssuingDistributionPoint | null {
  const what = "issuingDistributionPoint";
  const extension = findExtension(crl, ISSUING_DISTRIBUTION_POINT);
  if (!extension) return null;
  const fields = children(expect(readDer(extension.value, what), Tag.sequence, what), what);
  // RFC 5280 section 5.2.5: must not be an empty SEQUENCE
  if (fields.length === 0) throw new DerError(`${what}: empty`);
  const name = fields[0]?.tag === context(0) ? readDistributionPointName(fields.shift(), what) : null;
  const user = readFlag(fields, 1, what);
  const ca = readFlag(fields, 2, what);
  const someReasons = fields[0]?.tag === context(3, false) && fields.shift() !== undefined;
  const indirect = readFlag(fields, 4, what);
  const attribute = readFlag(fields, 5, what);
  if (fields.length > 0) throw new DerError(`${what}: data after it`);
  if (Number(user) + Number(ca) + Number(attribute) > 1)
    throw new DerError(`${what}: contains only more than one kind`);
  return { name, only: user ? "user" : ca ? "ca" : attribute ? "attribute" : null, someReasons, indirect };
}

function readFlag(fields: Der[], n: number, what: string): boolean {
  if (fields[0]?.tag !== context(n, false)) return false;
  const field = fields.shift();
  // an implicitly tagged BOOLEAN; DER omits the default FALSE
  if (!field || !readBoolean({ ...field, tag: Tag.boolean }, what)) throw new DerError(`${what}: FALSE written out`);
  return true;
}

/** Returns "user" or "ca", or null if the certificate does not say: version 1 or 2, or unreadable extensions. */
function kindOf(certificate: Certificate): "user" | "ca" | null {
  const reading = readPathExtensions(certificate);
  if (certificate.version !== 3 || !reading.ok) return null;
  return reading.extensions.basicConstraints?.ca ? "ca" : "user";
}

/** RFC 5280 section 6.3.3 (b)(2)(i): the CRL's point must be one of the certificate's, or its issuer. */
function findPointProblem(crl: Crl, name: DistributionPointName | null, certificate: Certificate): Problem | null {
  const points = readDistributionPoints(certificate);
  const direct = points.filter((point) => !point.crlIssuer);
  if (points.length > 0 && direct.length === 0)
    return { reason: "indirect", message: "the certificate leaves its revocation to another issuer's (indirect) CRL" };
  const complete = direct.filter((point) => !point.someReasons);
  if (points.length > 0 && complete.length === 0)
    return { reason: "some-reasons", message: "the certificate's distribution points cover only some reasons" };
  if (!name) return null;
  const own = nameKeys(name, crl.issuer);
  const theirs = points.length > 0 ? complete : [{ name: null }];
  const matches = theirs.some((point) =>
    // A point without a name, and a certificate without points, mean the issuer's name (section 6.3.3, last paragraph).
    point.name
      ? shareName(own, nameKeys(point.name, certificate.issuer))
      : own.some((each) => typeof each !== "string" && sameName(each, certificate.issuer)),
  );
  if (matches) return null;
  return { reason: "other-distribution-point", message: "it is for another distribution point than the certificate's" };
}

/** Directory names are compared as names, URIs as text. Other forms do not locate a CRL and are ignored. */
function nameKeys(name: DistributionPointName, issuer: Name): (Name | string)[] {
  if (name.type === "relative") return [appendRdn(issuer, name.rdn)];
  return name.names.flatMap((generalName): (Name | string)[] => {
    if (generalName.form === "directory") return [generalName.name];
    return generalName.form === "uri" ? [generalName.text] : [];
  });
}

const shareName = (a: readonly (Name | string)[], b: readonly (Name | string)[]): boolean =>
  a.some((x) => b.some((y) => (typeof x === "string" || typeof y === "string" ? x === y : sameName(x, y))));
