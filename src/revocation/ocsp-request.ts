/** OCSP requests (RFC 6960 section 4.1). The CertID has SHA-1: it only identifies, and every responder supports it. */

import { Buffer } from "node:buffer";
import { sameBytes, toHex } from "../platform/encoding.ts";
import { createHash } from "../platform/node-crypto.ts";
import { type Certificate, readAlgorithm } from "../x509/certificate.ts";
import { children, context, type Der, DerError, encodeDer, encodeOid, expect, Tag } from "../x509/der.ts";
import { readInteger } from "../x509/der-values.ts";
import { sameName } from "../x509/name.ts";

export const OCSP_NONCE = "1.3.6.1.5.5.7.48.1.2";
export const OCSP_REQUEST_TYPE = "application/ocsp-request";

/** With a nonce (1 to 128 bytes, RFC 9654 section 2.1) a response cannot be produced in advance, as most QTSPs do. */
export function encodeOcspRequest(input: {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly nonce: Uint8Array | null;
}): Uint8Array<ArrayBuffer> {
  const { certificate, issuer, nonce } = input;
  const requestList = encodeDer(Tag.sequence, encodeDer(Tag.sequence, encodeCertificateId(certificate, issuer)));
  return encodeDer(Tag.sequence, encodeDer(Tag.sequence, requestList, ...(nonce ? [encodeNonce(nonce)] : [])));
}

function encodeNonce(nonce: Uint8Array): Uint8Array {
  const value = encodeDer(Tag.octetString, encodeDer(Tag.octetString, nonce));
  return encodeDer(context(2), encodeDer(Tag.sequence, encodeDer(Tag.sequence, encodeOid(OCSP_NONCE), value)));
}

export interface CertificateId {
  readonly algorithm: string;
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  readonly serialNumber: Uint8Array;
}

const SHA1 = "1.3.14.3.2.26";
const DIGESTS: Readonly<Record<string, string>> = {
  [SHA1]: "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

export const encodeCertificateId = (certificate: Certificate, issuer: Certificate): Uint8Array =>
  encodeDer(
    Tag.sequence,
    encodeDer(Tag.sequence, encodeOid(SHA1), encodeDer(Tag.null)),
    encodeDer(Tag.octetString, digest("sha1", certificate.issuer.der)),
    encodeDer(Tag.octetString, keyHash(issuer)),
    encodeDer(Tag.integer, Buffer.from(certificate.serialNumber, "hex")),
  );

/** SHA-1 of the public key bits, which may also identify a responder. */
export const keyHash = ({ publicKey }: Certificate): Uint8Array => digest("sha1", publicKey.bits);

export function readCertificateId(der: Der | undefined): CertificateId {
  const what = "certID";
  const [algorithm, name, key, serialNumber, ...more] = children(expect(der, Tag.sequence, what), what);
  if (more.length > 0) throw new DerError(`${what}: more than four parts`);
  return {
    algorithm: readAlgorithm(algorithm, `${what}.hashAlgorithm`).oid,
    issuerNameHash: expect(name, Tag.octetString, `${what}.issuerNameHash`).content,
    issuerKeyHash: expect(key, Tag.octetString, `${what}.issuerKeyHash`).content,
    serialNumber: readInteger(serialNumber, `${what}.serialNumber`),
  };
}

/** Whether the CertID identifies this certificate of this issuer; with null, any certificate of the issuer. */
export function isIdOf(id: CertificateId, certificate: Certificate | null, issuer: Certificate): boolean {
  const algorithm = DIGESTS[id.algorithm];
  if (!algorithm) return false;
  if (certificate && !sameName(certificate.issuer, issuer.subject)) return false;
  if (certificate && toHex(id.serialNumber) !== certificate.serialNumber) return false;
  // the name as encoded in the certificate, because the issuer may encode its own name differently
  const { der: name } = certificate?.issuer ?? issuer.subject;
  return (
    sameBytes(id.issuerNameHash, digest(algorithm, name)) &&
    sameBytes(id.issuerKeyHash, digest(algorithm, issuer.publicKey.bits))
  );
}

const digest = (algorithm: string, bytes: Uint8Array): Uint8Array => createHash(algorithm).update(bytes).digest();
