/** Encodes OCSP requests (RFC 6960 section 4.1). */
import type { Certificate } from "../x509/certificate.ts";
import { context, Tag } from "../x509/der.ts";
import { encodeDer, encodeOid } from "../x509/der-encode.ts";
import { encodeCertificateId } from "./ocsp-certificate-id.ts";

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
