/** Whether the extensions of a CRL and its entries make it unusable (RFC 5280 sections 5.2 and 5.3). */
import { toHex } from "../platform/encoding.ts";
import { findExtension } from "../x509/certificate.ts";
import { readDer } from "../x509/der.ts";
import { readInteger } from "../x509/der-values.ts";
import { Oid } from "../x509/extensions.ts";
import type { Crl } from "./crl.ts";
import { ISSUING_DISTRIBUTION_POINT } from "./issuing-distribution-point.ts";

const CRL_NUMBER = "2.5.29.20";
const DELTA_CRL_INDICATOR = "2.5.29.27";
const KNOWN_EXTENSIONS = [CRL_NUMBER, ISSUING_DISTRIBUTION_POINT, Oid.authorityKeyIdentifier, DELTA_CRL_INDICATOR];
/** RFC 5280 section 5.2.3. */
const MAX_CRL_NUMBER_BYTES = 20;

export interface ProfileProblem {
  readonly reason: "delta" | "indirect" | "critical-extension" | "crl-number";
  readonly message: string;
}

/** Returns a problem for a delta CRL, which lists only the changes since another CRL; null for a complete CRL. */
export const findDeltaProblem = (crl: Crl): ProfileProblem | null =>
  findExtension(crl, DELTA_CRL_INDICATOR) && { reason: "delta", message: "it is a delta CRL, which is not supported" };

/** Returns why the CRL is unusable for any certificate, or null. */
export function findExtensionProblem(crl: Crl): ProfileProblem | null {
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

/**
 * RFC 5280 section 5.2.3. That a version 2 CRL has a number is asked of issuers only (section 6.3.3). Throws DerError.
 */
export function findNumberProblem(crl: Crl): ProfileProblem | null {
  const refuse = (message: string): ProfileProblem => ({ reason: "crl-number", message });
  const extension = findExtension(crl, CRL_NUMBER);
  if (!extension) return null;
  if (extension.critical) return refuse("its CRL number is marked critical");
  const number = readInteger(readDer(extension.value, "cRLNumber"), "cRLNumber");
  if ((number[0] ?? 0) >= 0x80 || number.length > MAX_CRL_NUMBER_BYTES)
    return refuse("its CRL number is negative or longer than 20 bytes");
  return null;
}
