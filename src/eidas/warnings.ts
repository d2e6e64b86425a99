/** The warnings of the PSP check: sentences for people, each with a code. No code changes or is reused. */

export const WARNINGS = {
  // false verdicts: their sentences begin with the field's name
  qtsp_invalid: "validQTSP is false: no trusted list approves the issuer for such a certificate, then and now",
  signature_invalid:
    "validSignature is false: there is no certificate path, or it is broken or has an expired certificate",
  certificate_revoked:
    "notRevoked is false: a certificate of the path is revoked, or counts as revoked because one is expired",
  revocation_unknown: "notRevoked is false: no OCSP response or CRL says whether a certificate of the path is revoked",
  certificate_expired: "notExpired is false: the certificate is expired or not yet valid",
  // issuers' certificates that were not sent
  issuer_found: "the certificate of an issuer was not sent; it was fetched from where the certificate says, or is kept",
  issuer_pending: "the certificate of an issuer was not sent and is being fetched: ask again",
  issuer_unavailable: "the certificate of an issuer was not sent and cannot be fetched",
  // the trusted list
  trusted_list_stale:
    "the next update of the trusted list that has the QTSP is overdue, or none will come: the list is closed",
  // an OCSP responder
  ocsp_responder_unchecked:
    "an OCSP response counts though no CRL says whether its responder, which has no ocsp-nocheck, is revoked",
  // the subject
  authorisation_number_missing: "the certificate has no authorisation number",
  authorisation_number_invalid: "an organizationIdentifier is no PSD2 authorisation number",
  authorisation_number_unusual:
    "the authorisation number deviates from ETSI TS 119 495, or has characters that are invisible or not Latin",
  authorisation_number_ambiguous: "several different authorisation numbers, so none is used",
  organisation_missing: "the subject has no organizationName",
  country_invalid: "the subject's countryName is not two capital letters",
  country_contradicts: "the subject's countryName is not the authorisation number's; the number counts",
  precertificate: "a certificate for Certificate Transparency logs, not for use",
  // QCStatements
  qc_statements_missing: "the extension QCStatements is absent, so neither roles nor NCA are known",
  qc_statements_malformed: "QCStatements is malformed: the part is skipped or read all the same",
  qc_statement_repeated: "a QCStatement appears twice; the first counts, of QcType each",
  qc_compliance_missing: "the certificate does not claim to be a qualified one (QcCompliance)",
  qc_type_missing: "the certificate does not state its purpose (QcType)",
  qc_type_invalid: "QcType is unknown, has several purposes, or is for signatures of persons",
  psd2_statement_missing: "there is no PSD2 statement, so neither roles nor NCA are known",
  psd2_statement_malformed: "the PSD2 statement is malformed: the part is skipped or read all the same",
  role_missing: "the PSD2 statement has no role",
  role_unknown: "an OID is not a role of ETSI TS 119 495",
  role_without_service: "a role that gives no payment service",
  role_name_unusual: "a role's name is absent or not the one of its OID; the OID counts",
  role_repeated: "a role appears twice",
  nca_missing: "the name or the identifier of the NCA is absent, or the name is empty",
  nca_id_invalid: "the NCA's identifier is not a country, a dash and 2 to 8 capitals",
  nca_id_contradicts: "the NCA's identifier is not that of the authorisation number; the number counts",
  // registers
  home_country_unknown: "the authorisation number does not name the PSP's home country",
  not_in_register: "the home register has no entry for the PSP",
  not_in_host_register: "the host register has no entry for the PSP; it may be incomplete",
  register_ambiguous: "several register entries match the authorisation number, so none is used",
  register_not_loaded: "no register of the country is loaded",
  register_stale: "a register, or the PSP's entry in it, is older than it may be; it is used",
  // all
  warnings_omitted: "there are more warnings than are listed",
} as const;

export type WarningCode = keyof typeof WARNINGS;

export interface Warning {
  readonly code: WarningCode;
  readonly sentence: string;
}

export const warning = (code: WarningCode, sentence: string): Warning => ({ code, sentence });

export const withPlace = (place: string, warnings: readonly Warning[]): Warning[] =>
  warnings.map(({ code, sentence }) => ({ code, sentence: `${place}: ${sentence}` }));

/** The members `warning` and, with `codes`, `warning_codes` of an answer, in the same order; neither if there are none. */
export function writeWarnings(
  warnings: readonly Warning[],
  codes: boolean,
): { warning?: string[]; warning_codes?: WarningCode[] } {
  if (warnings.length === 0) return {};
  return {
    warning: warnings.map(({ sentence }) => sentence),
    ...(codes && { warning_codes: warnings.map(({ code }) => code) }),
  };
}
