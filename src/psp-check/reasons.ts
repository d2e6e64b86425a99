/** Why a PSP is not allowed a scope: all reasons of decision.ts. Codes are stable, and none is reused. */

/**
 * Who can remove the reason: the PSP with what it sends, its QTSP, the home NCA in its register, or the operator of
 * this service, whose data is missing or not clear.
 */
type Whose = "psp" | "qtsp" | "nca" | "source";

interface ReasonEntry {
  readonly whose: Whose;
  readonly meaning: string;
}

/** In the order of the conditions. The first five are also codes of warnings (eidas/warnings.ts). */
export const REASONS = {
  certificate_expired: { whose: "psp", meaning: "the certificate is expired or not yet valid (notExpired)" },
  qtsp_invalid: { whose: "qtsp", meaning: "no trusted list approves the certificate's issuer (validQTSP)" },
  signature_invalid: { whose: "psp", meaning: "the certificate's path is incomplete or broken (validSignature)" },
  certificate_revoked: { whose: "psp", meaning: "a certificate of the path is revoked (notRevoked)" },
  revocation_unknown: {
    whose: "qtsp",
    meaning: "whether a certificate of the path is revoked is unknown (notRevoked)",
  },
  certificate_authorisation_number_missing: {
    whose: "psp",
    meaning: "the certificate has no PSD2 authorisation number",
  },
  role_not_on_certificate: { whose: "psp", meaning: "the certificate has no role for the scope's payment service" },
  register_unreadable: { whose: "source", meaning: "the home register could not be read" },
  register_not_loaded: { whose: "source", meaning: "no register of the home country is loaded" },
  register_ambiguous: { whose: "source", meaning: "several register entries match the authorisation number" },
  not_in_register: { whose: "nca", meaning: "the home register has no entry for the PSP" },
  service_not_in_register: { whose: "nca", meaning: "no authorised category of the home register gives the service" },
  authorisation_withdrawn: { whose: "nca", meaning: "the home register says Withdrawn" },
  unauthorised: { whose: "nca", meaning: "the home register says Unauthorised" },
  status_not_documented: {
    whose: "nca",
    meaning: "the home register documents no status: an agent, a branch, an undocumented category",
  },
  service_not_passported: {
    whose: "nca",
    meaning: "the home register has no passport for the service to the jurisdiction",
  },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

export type ReasonCode = keyof typeof REASONS;

export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  readonly whose: Whose;
}

export const reason = (code: ReasonCode, message: string): Reason => ({ code, message, whose: REASONS[code].whose });
