/** The explanations of catalogue/psps.ts. */
import type { PSPS } from "../psps.ts";
import type { Explanations } from "./explanation.ts";

export const PSPS_EXPLAINED: Explanations<typeof PSPS> = {
  certificate_missing: {
    rule: "The PSP's certificate is sent in the header eidas (401 if missing, 404 at GET /v1/psp/eidas); for POST /v1/obie/ccg_tokens and POST /v1/psp/checks in the body as eIDAS (400). At POST /v1/introspect it is optional, but not empty (400).",
    cause:
      "The PSP showed none; it was sent as x-eidas, the name until version 1.6, or as eidas in a body; or a proxy removed a long header.",
    cure: "Forward the certificate of the PSP's TLS connection or seal as base64 without line breaks.",
    example: "eidas: MIIE8TCCA9mgAwIBAgIU...",
    retry: "never",
    whose: "caller",
  },
  certificate_unreadable: {
    rule: "The value is one X.509 certificate, or the certificate and its issuers: base64, PEM or the byte sequences of RFC 9440.",
    cause:
      "It was truncated, or is something else, such as a key; or a proxy added a value to what the client had sent. The title says what was found.",
    cure: "Send the text between the BEGIN and END lines of the PEM file on one line. A proxy must replace the header.",
    example: "sed '/^-/d' psp.pem | tr -d '\\n'",
    retry: "never",
    whose: "psp",
  },
  certificate_authorisation_number_missing: {
    rule: "The subject's organizationIdentifier contains the PSP's authorisation number (ETSI TS 119 495 section 5.2.1).",
    cause: "It is not a PSD2 certificate, or it has a VAT or company number instead.",
    cure: "Ask the PSP for its PSD2 certificate.",
    example: "organizationIdentifier = PSDFI-FINFSA-1234567-8",
    retry: "never",
    whose: "psp",
  },
  qtsp_invalid: {
    rule: "The certificate's path ends at a CA/QC service that was granted on a trusted list when the certificate was issued, and still is.",
    cause: "The issuer is not on a trusted list or was withdrawn, or an intermediate certificate was not sent.",
    cure: "Send the issuers' certificates after the PSP's. The warnings of GET /v1/psp/eidas say what is missing.",
    example: "cat psp.pem issuer.pem > eidas.pem",
    retry: "never",
    whose: "qtsp",
  },
  signature_invalid: {
    rule: "Every certificate on the path is signed with the key of the next, and none is expired.",
    cause:
      "A certificate was altered, was sent with a different CA of the same name, or an issuer's certificate is expired.",
    cure: "Send the issuers' certificates that the QTSP publishes for this certificate.",
    example: "openssl verify -untrusted issuer.pem -CAfile anchor.pem psp.pem",
    retry: "never",
    whose: "psp",
  },
  certificate_revoked: {
    rule: "OCSP or a CRL confirms for every certificate on the path that it is not revoked. If the status is unknown, the certificate is treated as revoked.",
    cause: "The QTSP revoked it, or neither its OCSP responder nor its CRL could be reached and verified.",
    cure: "The title says which. If it is revoked, the PSP needs a new certificate; if the status is unknown, try again later.",
    example: "openssl x509 -in psp.pem -noout -ext authorityInfoAccess,crlDistributionPoints",
    retry: "never",
    whose: "psp",
  },
  certificate_expired: {
    rule: "The time of the request lies between the certificate's notBefore and notAfter.",
    cause: "The PSP has renewed its certificate, and the old one is still configured somewhere.",
    cure: "Send the current one. Codes, tokens and consents belong to the PSP and stay valid with its new certificate.",
    example: "openssl x509 -in psp.pem -noout -dates",
    retry: "never",
    whose: "psp",
  },
  tpp_id_invalid: {
    rule: "In the forms of version 1.6 tpp_id may be left out. If it is sent, it is the authorisation number on the certificate, or of the CCG token.",
    cause: "The requests of two PSPs were mixed up, or tpp_id is an identifier of the bank's own.",
    cure: "Find out which PSP the request is of before it is sent again. Since version 1.7 only the certificate says it.",
    example: '"tpp_id": "PSDXX-TEST-000001"',
    retry: "never",
    whose: "caller",
  },
  psd2_role_invalid: {
    rule: "In the forms of version 1.6 psd2_role is 7 for payment initiation or 8 for account information, and agrees with the scope.",
    cause: "The scope and the role were set in different places, or the role is a name such as PSP_AI.",
    cure: "Send both of one service, or the scope alone.",
    example: '"psd2_role": "8", "scope": "Account information services"',
    retry: "never",
    whose: "caller",
  },
  ccg_token_missing: {
    rule: "All /v1/obie endpoints except POST /v1/obie/ccg_tokens need the PSP's CCG token in the header ccg_token.",
    cause: "It was sent as x-ccg-token, the header's name until version 1.6, or as a Bearer token.",
    cure: "Obtain one from POST /v1/obie/ccg_tokens, and send its access_token with every later request for this PSP.",
    example: "ccg_token: <access_token of POST /v1/obie/ccg_tokens>",
    retry: "never",
    whose: "caller",
  },
  ccg_token_invalid: {
    rule: "A CCG token is sent unchanged, by the institution that obtained it.",
    cause: "It was truncated, is an access token or a certificate, or was obtained with another fi_reference_id.",
    cure: "Obtain one with the same fi_reference_id. Store it without truncation.",
    example: "One CCG token for each pair of fi_reference_id and PSP",
    retry: "never",
    whose: "caller",
  },
  ccg_token_expired: {
    rule: "A CCG token is valid for expires_in seconds, but never longer than the certificate that it was issued for.",
    cause: "It was used after that time.",
    cure: "Obtain a new one. Consents and access tokens are not affected.",
    example: '"expires_in": 3600 is an hour',
    retry: "now",
    whose: "caller",
  },
  payment_service_invalid: {
    rule: "The certificate has the role for the payment service, and the home register lists the service: 7 for payments, 8 for accounts.",
    cause:
      "The role or the service is missing, the PSP's authorisation was withdrawn, the CCG token is for the other scope, or the scope is unknown.",
    cure: "Request a scope whose service GET /v1/psp/eidas shows for the PSP. The title says what is missing.",
    example: '"scope": "accounts" for a PSP with "pspPaymentServices": [8]',
    retry: "never",
    whose: "psp",
  },
};
