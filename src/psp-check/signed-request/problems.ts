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

/** What to do, for the guide. Where nothing is said of the bank, it is the PSP's. */
export const SIGNATURE_CURES: Readonly<Record<SignatureProblemCode, string>> = {
  signature_missing: "Send all headers as you received them. Does your gateway drop Signature or x-jws-signature?",
  signature_ambiguous: "One signature, and each covered header once. A proxy that adds a header again is yours.",
  signature_unreadable:
    "Write the signature as its profile has it. A covered header has to be among those that you send.",
  algorithm_refused:
    "Sign by RSA with SHA-256 or SHA-512 and 2048 bits or more, or as its profile allows, and name it.",
  covered_too_little: "Cover all that the table above demands, and sign again. The message names what is missing.",
  date_missing: "Sign the time. The bank's require_date may demand it.",
  date_outside: "Set the clocks of both sides by NTP, and sign each request when it is sent.",
  digest_missing: "Send Digest or Content-Digest, also for an empty body.",
  digest_unknown: "Digest by SHA-256 or SHA-512. Your body_digest has to be by the same hash.",
  digest_differs: "Give the bytes as they were received: a JSON that was written anew has other bytes.",
  certificate_missing: "Send TPP-Signature-Certificate or x5c. Where the profile has none, you send it as eIDAS.",
  certificate_unreadable: "Send it as base64 of its DER, or as PEM on one line.",
  certificate_differs: "keyId has to name the certificate that is sent: the PSP has renewed one of the two.",
  issuer_differs: "iss has to be the subject or the organisation identifier of the certificate.",
  certificate_not_valid: "See its verdicts in the answer, and the guide on certificates.",
  certificate_no_seal: "Sign by the QSealC, not by the QWAC of the connection.",
  signature_wrong: "Compare sha256 with that of the bytes that the PSP signed. If it is the same, another key signed.",
  tls_certificate_not_valid: "See the verdicts of the certificate in your header eidas.",
  psp_differs: "Both certificates have to name one authorisation number.",
  replayed: "Send a new id, and sign it, for each request. The same id again may be an attack.",
};

export interface SignatureProblem {
  readonly code: SignatureProblemCode;
  readonly message: string;
}

export const problem = (code: SignatureProblemCode, message: string): SignatureProblem => ({ code, message });
