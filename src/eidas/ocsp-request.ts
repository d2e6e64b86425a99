/** The question to an OCSP responder (RFC 6960 section 4.1), and the id by which it names a certificate. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Certificate } from "./certificate.ts";
import { context, Tag } from "./der.ts";
import { encodeDer, encodeOid } from "./der-encode.ts";

export const OCSP_NONCE = "1.3.6.1.5.5.7.48.1.2";
export const OCSP_REQUEST_TYPE = "application/ocsp-request";

const SHA1 = "1.3.14.3.2.26";
const NULL = encodeDer(Tag.null);

/**
 * A request about one certificate, DER, unsigned. The id is made with SHA-1, which every responder knows (RFC 9654
 * section 3 still allows it: it only names the issuer, nothing rests on it). `nonce`: 1 to 128 bytes (RFC 9654
 * section 2.1), or null to accept an answer produced beforehand, as most QTSPs give.
 */
export function encodeOcspRequest(input: {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly nonce: Uint8Array | null;
}): Uint8Array<ArrayBuffer> {
  const { certificate, issuer, nonce } = input;
  const certId = encodeDer(
    Tag.sequence,
    encodeDer(Tag.sequence, encodeOid(SHA1), NULL),
    encodeDer(Tag.octetString, digest("sha1", certificate.issuer.der)),
    encodeDer(Tag.octetString, digest("sha1", issuer.publicKey.bits)),
    encodeDer(Tag.integer, Buffer.from(certificate.serialNumber, "hex")),
  );
  const requestList = encodeDer(Tag.sequence, encodeDer(Tag.sequence, certId));
  return encodeDer(Tag.sequence, encodeDer(Tag.sequence, requestList, ...(nonce ? [encodeNonce(nonce)] : [])));
}

function encodeNonce(nonce: Uint8Array): Uint8Array {
  const value = encodeDer(Tag.octetString, encodeDer(Tag.octetString, nonce));
  return encodeDer(context(2), encodeDer(Tag.sequence, encodeDer(Tag.sequence, encodeOid(OCSP_NONCE), value)));
}

/** A plain digest by its node:crypto name. */
export const digest = (algorithm: "sha1" | "sha256" | "sha384" | "sha512", bytes: Uint8Array): Uint8Array =>
  createHash(algorithm).update(bytes).digest();
