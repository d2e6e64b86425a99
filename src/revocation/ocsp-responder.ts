/** Finds the authorised responder that signed (RFC 6960 section 4.2.2.2). None is trusted locally. */

import { sameBytes } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { type Certificate, CertificateError, findExtension, parseCertificate } from "../x509/certificate.ts";
import { allowsKeyUsage, findUnknownPart, KeyUsage, namesPurpose } from "../x509/extensions.ts";
import { sameName } from "../x509/name.ts";
import { CURRENT_LIMITS, type SignatureLimits, verifySignature } from "../x509/signature.ts";
import { keyHash } from "./ocsp-request.ts";
import type { BasicOcspResponse } from "./ocsp-response.ts";
import type { Problem } from "./verified-answer.ts";

const OCSP_SIGNING = "1.3.6.1.5.5.7.3.9";
const OCSP_NOCHECK = "1.3.6.1.5.5.7.48.1.5";
/** Responders send their own certificate and sometimes its issuer's. More certificates are not processed. */
const MAX_CERTIFICATES = 5;

export interface ResponderCheck {
  readonly basic: BasicOcspResponse;
  readonly issuer: Certificate;
  /** The certificate of a delegated responder must be valid at this time. */
  readonly now: Instant;
  readonly limits?: SignatureLimits;
}

export async function findResponder(check: ResponderCheck): Promise<Certificate | Problem> {
  const { basic, issuer, limits = CURRENT_LIMITS } = check;
  const verifyBy = ({ publicKey }: Certificate) =>
    verifySignature(
      { algorithm: basic.signatureAlgorithm, publicKey, data: basic.tbs, signature: basic.signature },
      limits,
    );
  if (isResponder(basic, issuer)) {
    const result = await verifyBy(issuer);
    if (result.ok) return issuer;
    // A responder may have the same name as its issuer. If certificates were sent, they decide.
    if (basic.certificates.length === 0)
      return { reason: "signature", message: `its signature does not verify: ${result.reason}` };
  }
  let problem: Problem = {
    reason: "unauthorised-responder",
    message: "it is signed neither by the issuer nor by a responder whose certificate it contains",
  };
  for (const responder of readCertificates(basic)) {
    if (!isResponder(basic, responder)) continue;
    const delegation = await findDelegationProblem(responder, { issuer, now: check.now, limits });
    if (delegation) {
      problem = { reason: "unauthorised-responder", message: delegation };
      continue;
    }
    const result = await verifyBy(responder);
    if (result.ok) return responder;
    problem = { reason: "signature", message: `its signature does not verify: ${result.reason}` };
  }
  return problem;
}

/** RFC 6960 section 4.2.2.2.1: with ocsp-nocheck the issuer says that its revocation need not be checked. */
export const isToBeChecked = (responder: Certificate, issuer: Certificate): boolean =>
  responder !== issuer && !findExtension(responder, OCSP_NOCHECK);

/** RFC 6960 section 4.2.1: a responder is identified by its name or by the SHA-1 of its public key. */
const isResponder = (basic: BasicOcspResponse, certificate: Certificate): boolean =>
  "name" in basic.responder
    ? sameName(basic.responder.name, certificate.subject)
    : sameBytes(basic.responder.keyHash, keyHash(certificate));

function readCertificates(basic: BasicOcspResponse): Certificate[] {
  return basic.certificates.slice(0, MAX_CERTIFICATES).flatMap((der) => {
    try {
      return [parseCertificate(der)];
    } catch (error) {
      // an unreadable certificate is skipped, because another one may be the responder's
      if (error instanceof CertificateError) return [];
      throw error;
    }
  });
}

async function findDelegationProblem(
  responder: Certificate,
  { issuer, now, limits }: Required<Omit<ResponderCheck, "basic">>,
): Promise<string | null> {
  if (!sameName(responder.issuer, issuer.subject)) return "the responder's certificate has another issuer";
  if (!namesPurpose(responder, OCSP_SIGNING)) return "the responder's certificate is not for OCSP signing";
  if (!allowsKeyUsage(responder, KeyUsage.digitalSignature | KeyUsage.nonRepudiation))
    return "the responder's key usage does not allow signing";
  // those that are known are checked here, or apply only to certificates that this one would issue
  const [unknown] = responder.extensions.flatMap((each) => (each.critical ? (findUnknownPart(each) ?? []) : []));
  if (unknown) return `the responder's certificate has the unknown critical ${unknown}`;
  // of two purposes the first alone would have been asked
  const twice = responder.extensions.find((extension) => findExtension(responder, extension.oid) !== extension);
  if (twice) return `the responder's certificate has the extension ${twice.oid} twice`;
  if (now < responder.notBefore || now > responder.notAfter)
    return "the responder's certificate is not valid at this time";
  if (!sameBytes(responder.tbsSignatureAlgorithm.der, responder.signatureAlgorithm.der))
    return "the responder's certificate names two signature algorithms";
  const { signatureAlgorithm: algorithm, tbs: data, signature } = responder;
  const result = await verifySignature({ algorithm, publicKey: issuer.publicKey, data, signature }, limits);
  return result.ok ? null : `the responder's certificate is not signed by the issuer: ${result.reason}`;
}
