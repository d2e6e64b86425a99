/** Errors of the PSP: its certificate, its CCG token, its scopes. */
import { VERDICTS, type VerdictError } from "../../eidas/verdicts.ts";
import { type Entry, table } from "./entry.ts";

const OF_VERDICTS = Object.fromEntries(
  Object.values(VERDICTS).map(({ error, warnings: [{ code, whose }] }): [string, Entry] => [
    code,
    { statuses: [401], ...error, whose },
  ]),
) as Readonly<Record<VerdictError, Entry>>;

export const PSPS = table("caller", {
  certificate_missing: {
    statuses: [401, 404, 400],
    title: "The eIDAS certificate is missing",
    rule: "The PSP's certificate is sent in the header eidas (401 if missing, 404 at GET /v1/psp/eidas); for POST /v1/obie/ccg_tokens and POST /v1/psp/checks in the body as eIDAS (400). At POST /v1/introspect it is optional, but not empty (400).",
    cause:
      "The PSP showed none; it was sent as x-eidas, its name before version 1.7, or as eidas in a body; or a proxy removed a long header.",
    cure: "Forward the certificate of the PSP's TLS connection or seal as base64 without line breaks.",
    example: "eidas: MIIE8TCCA9mgAwIBAgIU...",
  },
  certificate_unreadable: {
    statuses: [401, 404, 400],
    title: "The eIDAS certificate cannot be read",
    rule: "The value is one X.509 certificate, or the certificate and its issuers: base64, PEM or the byte sequences of RFC 9440.",
    cause:
      "It was truncated, or is something else, such as a key; or a proxy added a value to what the client had sent. The title says what was found.",
    cure: "Send the text between the BEGIN and END lines of the PEM file on one line. A proxy must replace the header.",
    example: "sed '/^-/d' psp.pem | tr -d '\\n'",
    whose: "psp",
  },
  certificate_authorisation_number_missing: {
    statuses: [401],
    title: "The certificate contains no PSP authorisation number",
    rule: "The subject's organizationIdentifier contains the PSP's authorisation number (ETSI TS 119 495 section 5.2.1).",
    cause: "It is not a PSD2 certificate, or it has a VAT or company number instead.",
    cure: "Ask the PSP for its PSD2 certificate.",
    example: "organizationIdentifier = PSDFI-FINFSA-1234567-8",
    whose: "psp",
  },
  ...OF_VERDICTS,
  ccg_token_missing: {
    statuses: [401],
    title: "Header ccg_token is missing",
    rule: "All /v1/obie endpoints except POST /v1/obie/ccg_tokens need the PSP's CCG token in the header ccg_token.",
    cause: "It was sent as x-ccg-token, the header's name before version 1.7, or as a Bearer token.",
    cure: "Obtain one from POST /v1/obie/ccg_tokens, and send its access_token with every later request for this PSP.",
    example: "ccg_token: <access_token of POST /v1/obie/ccg_tokens>",
  },
  ccg_token_invalid: {
    statuses: [401],
    title: "ccg_token is not valid",
    rule: "A CCG token is sent unchanged, by the institution that obtained it.",
    cause: "It was truncated, is an access token or a certificate, or was obtained with another fi_reference_id.",
    cure: "Obtain one with the same fi_reference_id. Store it without truncation.",
    example: "One CCG token for each pair of fi_reference_id and PSP",
  },
  ccg_token_expired: {
    statuses: [401],
    title: "ccg_token is expired",
    rule: "A CCG token is valid for expires_in seconds, but never longer than the certificate that it was issued for.",
    cause: "It was used after that time.",
    cure: "Obtain a new one. Consents and access tokens are not affected.",
    example: '"expires_in": 3600 is an hour',
    retry: "now",
  },
  payment_service_invalid: {
    statuses: [403],
    title: "The PSP may not use the requested scope",
    rule: "The certificate has the role for the payment service, and the home register lists the service: 7 for payments, 8 for accounts.",
    cause:
      "The role or the service is missing, the PSP's authorisation was withdrawn, the CCG token is for the other scope, or the scope is unknown.",
    cure: "Request a scope whose service GET /v1/psp/eidas shows for the PSP. The title says what is missing.",
    example: '"scope": "accounts" for a PSP with "pspPaymentServices": [8]',
    whose: "psp",
  },
});
