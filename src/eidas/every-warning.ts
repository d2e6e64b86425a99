/**
 * Every warning of the PSP check: what its code means, and what a bank does about it. Whoever can remove the cause is named
 * first. No code changes or is reused. Only people read these texts, so no start evaluates them.
 */
import { VERDICTS, type VerdictCode } from "./verdicts.ts";

interface WarningEntry {
  /** Of a warning that is a reason of a decision, too: see psp-check/every-reason.ts. */
  readonly whose?: string;
  readonly meaning: string;
  readonly cure: string;
}

const ANOTHER_CERTIFICATE =
  "Ask the PSP for a certificate that its QTSP has issued anew; until then this one is no proof.";
const TELL_QTSP = "The PSP should tell its QTSP. Nothing else is to be done: the check goes by what is certain.";
const NO_ROLES =
  "Ask the PSP for its certificate for PSD2 (ETSI TS 119 495): this one has no roles, so nothing is allowed.";
const ASK_NCA = "Ask the PSP, or the NCA that keeps the register. Do not go by the certificate alone.";
const IMPORT =
  "The operator of this service imports the register (register import) or waits for the next refresh, then the check is repeated.";

type OfVerdict = (typeof VERDICTS)[keyof typeof VERDICTS]["warnings"][number];

const OF_VERDICTS = Object.fromEntries(
  Object.values(VERDICTS).flatMap(({ warnings }) => warnings.map(({ code, ...entry }) => [code, entry])),
) as { readonly [Code in VerdictCode]: Omit<Extract<OfVerdict, { code: Code }>, "code"> };

export const WARNINGS = {
  // false verdicts: their sentences begin with the field's name
  ...OF_VERDICTS,
  // issuers' certificates that were not sent
  issuer_found: {
    meaning: "the certificate of an issuer was not sent; it was fetched from where the certificate says, or is kept",
    cure: "The PSP should send its issuers' certificates after its own. Nothing else is to be done.",
  },
  issuer_pending: {
    meaning: "the certificate of an issuer was not sent and is being fetched: ask again",
    cure: "Repeat the check in a few seconds. The PSP can spare the wait by sending its issuers' certificates.",
  },
  issuer_unavailable: {
    meaning: "the certificate of an issuer was not sent and cannot be fetched",
    cure: "Ask the PSP to send its issuers' certificates after its own, or repeat the check in a minute.",
  },
  // the trusted list
  trusted_list_stale: {
    meaning:
      "the next update of the trusted list that has the QTSP is overdue, or of the list of lists; or none will come: the list is closed",
    cure: "The operator of this service looks at the refresh of this trusted list (status). The answer is based on the last one that was loaded.",
  },
  // an OCSP responder
  ocsp_responder_unchecked: {
    meaning: "an OCSP response counts though no CRL says whether its responder, which has no ocsp-nocheck, is revoked",
    cure: TELL_QTSP,
  },
  // the subject
  authorisation_number_missing: {
    meaning: "the certificate has no authorisation number",
    cure: "Ask the PSP for its certificate for PSD2: without an authorisation number no register can be asked.",
  },
  authorisation_number_invalid: {
    meaning: "an organizationIdentifier is no PSD2 authorisation number",
    cure: TELL_QTSP,
  },
  authorisation_number_unusual: {
    meaning:
      "the authorisation number deviates from ETSI TS 119 495, or has characters that are invisible or not Latin",
    cure: TELL_QTSP,
  },
  authorisation_number_ambiguous: {
    meaning: "several different authorisation numbers, so none is used",
    cure: ANOTHER_CERTIFICATE,
  },
  organisation_missing: { meaning: "the subject has no organizationName", cure: TELL_QTSP },
  country_invalid: { meaning: "the subject's countryName is not two capital letters", cure: TELL_QTSP },
  country_contradicts: {
    meaning: "the subject's countryName is not the authorisation number's; the number counts",
    cure: TELL_QTSP,
  },
  precertificate: {
    meaning: "a certificate for Certificate Transparency logs, not for use",
    cure: "Ask the PSP for the certificate itself. What it sent was made for a public log only.",
  },
  // QCStatements
  qc_statements_missing: {
    meaning: "the extension QCStatements is absent, so neither roles nor NCA are known",
    cure: NO_ROLES,
  },
  qc_statements_malformed: {
    meaning: "QCStatements is malformed: the part is skipped or read all the same",
    cure: TELL_QTSP,
  },
  qc_statement_repeated: { meaning: "a QCStatement appears twice; the first counts, of QcType each", cure: TELL_QTSP },
  qc_compliance_missing: {
    meaning: "the certificate does not claim to be a qualified one (QcCompliance)",
    cure: ANOTHER_CERTIFICATE,
  },
  qc_type_missing: { meaning: "the certificate does not state its purpose (QcType)", cure: ANOTHER_CERTIFICATE },
  qc_type_invalid: {
    meaning: "QcType is unknown, has several purposes, or is for signatures of persons",
    cure: ANOTHER_CERTIFICATE,
  },
  psd2_statement_missing: { meaning: "there is no PSD2 statement, so neither roles nor NCA are known", cure: NO_ROLES },
  psd2_statement_malformed: {
    meaning: "the PSD2 statement is malformed: the part is skipped or read all the same",
    cure: TELL_QTSP,
  },
  role_missing: { meaning: "the PSD2 statement has no role", cure: NO_ROLES },
  role_unknown: { meaning: "an OID is not a role of ETSI TS 119 495", cure: TELL_QTSP },
  role_without_service: {
    meaning: "a role that gives no payment service",
    cure: "Nothing is to be done: the role is a right one, but not one for payment services.",
  },
  role_name_unusual: { meaning: "a role's name is absent or not the one of its OID; the OID counts", cure: TELL_QTSP },
  role_repeated: { meaning: "a role appears twice", cure: TELL_QTSP },
  nca_missing: { meaning: "the name or the identifier of the NCA is absent, or the name is empty", cure: TELL_QTSP },
  nca_id_invalid: { meaning: "the NCA's identifier is not a country, a dash and 2 to 8 capitals", cure: TELL_QTSP },
  nca_id_contradicts: {
    meaning: "the NCA's identifier is not that of the authorisation number; the number counts",
    cure: TELL_QTSP,
  },
  // registers
  home_country_unknown: {
    meaning: "the authorisation number does not name the PSP's home country",
    cure: ANOTHER_CERTIFICATE,
  },
  not_in_register: { whose: "nca", meaning: "the home register has no entry for the PSP", cure: ASK_NCA },
  not_in_host_register: {
    meaning: "the host register has no entry for the PSP; it may be incomplete",
    cure: "Nothing is to be done: a host register may be incomplete, and the passport in the home register counts.",
  },
  register_ambiguous: {
    whose: "source",
    meaning: "several register entries match the authorisation number, so none is used",
    cure: "The operator of this service looks at the register's entries of this number and tells the NCA: two entries must not share it.",
  },
  sources_disagree: {
    whose: "source",
    meaning: "two registers of the country contradict each other on the PSP; the stricter counts",
    cure: "Ask the NCA which of its entries is right. The operator of this service looks at the age of both registers (status).",
  },
  register_not_loaded: { whose: "source", meaning: "no register of the country is loaded", cure: IMPORT },
  register_stale: {
    meaning: "a register, or the PSP's entry in it, is older than it may be; it is used",
    cure: IMPORT,
  },
  // all
  warnings_omitted: {
    meaning: "there are more warnings than are listed",
    cure: "Ask the PSP for a certificate in order: this one has more faults than are listed.",
  },
} as const satisfies Readonly<Record<string, WarningEntry>>;

export type WarningCode = keyof typeof WARNINGS;
