/**
 * Why a signed request is not verified. Each problem is a code, which is stable, and a sentence. One is enough for a no: what
 * is unknown is never a yes.
 */

export const SIGNATURE_PROBLEMS = {
  signature_missing: "the request has no signature of a known profile",
  signature_ambiguous: "the request has several signatures, or a header that counts more than once",
  signature_unreadable: "the signature, or what it names, cannot be read",
  algorithm_refused: "the algorithm or the key is obsolete, weak, unknown or not stated",
  covered_too_little: "the signature does not cover what its profile demands",
  date_missing: "the signature covers no instant where its profile or the bank demands one, or one that cannot be read",
  date_outside: "the request was signed more than five minutes before or after now, or its signature has expired",
  digest_missing: "the header with the body's digest is missing or cannot be read",
  digest_unknown: "the digest cannot be compared: it has no SHA-256 or SHA-512, or the caller gave another one",
  digest_differs: "the digest is not that of the body",
  certificate_missing: "neither the request nor the caller has the certificate that signed",
  certificate_unreadable: "the certificate that signed cannot be read",
  certificate_differs: "the signature names another certificate than the one it is verified with",
  issuer_differs: "the claim iss names another than the certificate that signed",
  certificate_not_valid: "a verdict on the certificate that signed is false",
  certificate_no_seal: "the certificate that signed is not qualified for seals: it is no QSealC",
  signature_wrong: "the signature was not made with the certificate's key over this request",
  tls_certificate_not_valid: "a verdict on the certificate of the TLS connection is false",
  psp_differs: "the certificates of the signature and of the TLS connection are not of one PSP",
  replayed: "a request with this id, or the same signed bytes, was verified before",
} as const;

export type SignatureProblemCode = keyof typeof SIGNATURE_PROBLEMS;

export interface SignatureProblem {
  readonly code: SignatureProblemCode;
  readonly message: string;
}

export const problem = (code: SignatureProblemCode, message: string): SignatureProblem => ({ code, message });
