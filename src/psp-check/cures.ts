/**
 * What a bank does about each warning and reason of a PSP check. For people: `psp check` and the console print it.
 * Whoever can remove the cause is named first.
 */
import type { WarningCode } from "../eidas/warnings.ts";
import type { ReasonCode } from "./decision.ts";

const ANOTHER_CERTIFICATE =
  "Ask the PSP for a certificate that its QTSP has issued anew; until then this one is no proof.";
const TELL_QTSP = "The PSP should tell its QTSP. Nothing else is to be done: the check goes by what is certain.";
const NO_ROLES =
  "Ask the PSP for its certificate for PSD2 (ETSI TS 119 495): this one has no roles, so nothing is allowed.";
const ASK_NCA = "Ask the PSP, or the NCA that keeps the register. Do not go by the certificate alone.";
const IMPORT =
  "The operator of this service imports the register (register import) or waits for the next refresh, then the check is repeated.";

export const CURES: Readonly<Record<WarningCode | ReasonCode, string>> = {
  qtsp_invalid:
    "Do not rely on the certificate. Ask the PSP for one from a QTSP that a trusted list approves; if the list of its country is missing here, the operator loads it.",
  signature_invalid:
    "Do not rely on the certificate. Ask the PSP for all certificates from its own up to its QTSP's, and for new ones where one has ended.",
  certificate_revoked: "Do not rely on the certificate. Ask the PSP for a new one.",
  revocation_unknown:
    "A broken path comes first. Else repeat the check in a minute: a QTSP that goes on not to answer is for the PSP to ask. Until then the certificate does not count as valid.",
  certificate_expired: "Ask the PSP for its current certificate.",
  issuer_found: "The PSP should send its issuers' certificates after its own. Nothing else is to be done.",
  issuer_pending: "Repeat the check in a few seconds. The PSP can spare the wait by sending its issuers' certificates.",
  issuer_unavailable: "Ask the PSP to send its issuers' certificates after its own, or repeat the check in a minute.",
  trusted_list_stale:
    "The operator of this service looks at the refresh of this trusted list (status). The answer is based on the last one that was loaded.",
  ocsp_responder_unchecked: TELL_QTSP,
  authorisation_number_missing:
    "Ask the PSP for its certificate for PSD2: without an authorisation number no register can be asked.",
  authorisation_number_invalid: TELL_QTSP,
  authorisation_number_unusual: TELL_QTSP,
  authorisation_number_ambiguous: ANOTHER_CERTIFICATE,
  organisation_missing: TELL_QTSP,
  country_invalid: TELL_QTSP,
  country_contradicts: TELL_QTSP,
  precertificate: "Ask the PSP for the certificate itself. What it sent was made for a public log only.",
  qc_statements_missing: NO_ROLES,
  qc_statements_malformed: TELL_QTSP,
  qc_statement_repeated: TELL_QTSP,
  qc_compliance_missing: ANOTHER_CERTIFICATE,
  qc_type_missing: ANOTHER_CERTIFICATE,
  qc_type_invalid: ANOTHER_CERTIFICATE,
  psd2_statement_missing: NO_ROLES,
  psd2_statement_malformed: TELL_QTSP,
  role_missing: NO_ROLES,
  role_unknown: TELL_QTSP,
  role_without_service: "Nothing is to be done: the role is a right one, but not one for payment services.",
  role_name_unusual: TELL_QTSP,
  role_repeated: TELL_QTSP,
  nca_missing: TELL_QTSP,
  nca_id_invalid: TELL_QTSP,
  nca_id_contradicts: TELL_QTSP,
  home_country_unknown: ANOTHER_CERTIFICATE,
  not_in_register: ASK_NCA,
  not_in_host_register:
    "Nothing is to be done: a host register may be incomplete, and the passport in the home register counts.",
  register_ambiguous:
    "The operator of this service looks at the register's entries of this number and tells the NCA: two entries must not share it.",
  register_not_loaded: IMPORT,
  register_stale: IMPORT,
  warnings_omitted: "Ask the PSP for a certificate in order: this one has more faults than are listed.",
  certificate_authorisation_number_missing:
    "Ask the PSP for its certificate for PSD2: without an authorisation number no register can be asked.",
  role_not_on_certificate: "If the PSP offers this service, it needs a certificate with the role. Ask it for one.",
  register_unreadable: "Repeat the check. If it stays so, the operator of this service looks at its stores (doctor).",
  service_not_in_register: ASK_NCA,
  authorisation_withdrawn: "Do not let the PSP act. If it says otherwise, ask its NCA.",
  unauthorised: "Do not let the PSP act. If it says otherwise, ask its NCA.",
  status_not_documented: ASK_NCA,
  service_not_passported:
    "The PSP may use the service in its home country only. It asks its NCA for the passport, and the register shows it once it is given.",
};
