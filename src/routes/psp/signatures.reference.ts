/** The signed request of a PSP. */
import * as z from "zod";
import { HEADER_NAME, HEADER_VALUE } from "../../psp-check/signed-request/described-request.ts";
import { SIGNATURE_PROBLEMS } from "../../psp-check/signed-request/problems.ts";
import type { FieldTexts } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { LATEST, VERSION_1 } from "./eidas.reference.ts";
import { signatureCheck, signatureCheckLatest } from "./signatures.answer.ts";
import { body } from "./signatures.ts";

const headerValue = z.string().regex(HEADER_VALUE);

/** With what the handler reads by itself. */
const signedRequest = body().extend({
  headers: z.record(z.string().regex(HEADER_NAME), z.union([headerValue, z.array(headerValue)])),
  jurisdiction: z.string().regex(/^[A-Za-z]{2}$/),
});

const SIGNATURE: FieldTexts = {
  signature: "What is known of the signature.",
  "signature.profile": "Whose rules it follows; null if it follows none.",
  "signature.covered": "What was signed, as the signature names it; `body` is the whole body. See `binds`.",
  "signature.created": "When it was signed, as the signature covers it; null if it covers no instant.",
  "signature.verified": "True exactly if there are no problems.",
  "signature.sha256":
    "The digest of the signed bytes, in hexadecimal: it ties the bank's own log to the record. Null if nothing could be read.",
  "signature.problems": "Each reason for a no.",
  "signature.problems[].code": `Stable: ${Object.entries(SIGNATURE_PROBLEMS)
    .map(([code, meaning]) => `\`${code}\` (${meaning})`)
    .join("; ")}.`,
  "signature.problems[].message": "For people.",
};

const SIGNATURE_LATEST: FieldTexts = {
  "signature.binds":
    "What the PSP signed of `method`, `target` (path and query) and `body`. Of what is missing here nobody can tell whether the PSP sent it so. Empty unless `verified`. Only with version `latest`.",
  "signature.issuer":
    "Of UK Open Banking: is the claim `iss` that of the certificate? `same`; `differs`, a problem; `not_comparable`, such as organisation and software id of the Open Banking Directory, which no certificate has. Null without the claim or the certificate. Only with version `latest`.",
};

export const SIGNATURES: Resource = {
  operations: {
    "POST /v1/psp/signatures": {
      id: "checkSignature",
      tag: "PSP check",
      summary: "Verify a PSP's signed request",
      description:
        "Verifies that a PSP signed the request with its QSealC. The profile is recognised: Berlin Group, STET, RFC 9421, UK Open Banking or JAdES. The answer is that of GET /v1/psp/eidas on the certificate that signed, and `signature`. What is wrong with the signature is no error of the caller's: the answer is 200, and `problems` has a code for each. `binds` names the parts of the request that were signed. With the certificate of the TLS connection in the header `eidas`, both have to be of one PSP. Algorithms: RSA PKCS#1 v1.5 and PSS of 2,048 bits and more, ECDSA on P-256 and P-384, Ed25519.",
      psp: "optional",
      body: "SignatureCheckRequest",
      answers: ["SignatureCheck", "SignatureCheckLatest"],
      success: "Whether the PSP signed the request, and the check of the certificate that signed.",
    },
  },
  requests: {
    SignatureCheckRequest: signedRequest,
  },
  answers: {
    SignatureCheck: signatureCheck,
    SignatureCheckLatest: signatureCheckLatest,
  },
  texts: {
    SignatureCheckRequest: {
      method: "The request's method, as it was received: 1 to 32 characters.",
      target:
        "Path and query as they were received, or the whole address. Without an address the header `Host` names the host.",
      headers: "All headers as they were received: a value, or a list where the header came several times.",
      body: "The content, as text. Absent without one. Of other content send `body_digest`.",
      body_digest:
        "Instead of `body`: its digest by the bank, as `sha-256=:...:` (RFC 9530) or `SHA-256=...` (RFC 3230). A JWS over the body needs `body`.",
      jurisdiction: "The country where the bank holds the customer's account, as at GET /v1/psp/eidas.",
      eIDAS:
        "The certificate that signed, where the request does not carry it: RFC 9421, UK Open Banking, STET. The form is that of the header `eidas`.",
      require_date:
        "`true`: a request of the Berlin Group without `date` is a no. Since 1.3.4 PSPs may leave it out; the other profiles demand an instant anyway.",
      replay:
        "`refuse`: a request of the PSP whose covered `x-request-id`, or else whose signed bytes, this bank had verified before is a no.",
    },
    SignatureCheck: { ...VERSION_1, ...SIGNATURE },
    SignatureCheckLatest: { ...LATEST, ...SIGNATURE, ...SIGNATURE_LATEST },
  },
};
