/** Why a PSP is not allowed a scope: all reasons of decision.ts. Codes are stable, and none is reused. */
import { WARNINGS } from "../eidas/warnings.ts";

/**
 * Who can remove the reason: the PSP with what it sends, its QTSP, the home NCA in its register, or the operator of
 * this service, whose data is missing or not clear.
 */
type Whose = "psp" | "qtsp" | "nca" | "source";

interface ReasonEntry {
  readonly whose: Whose;
  readonly meaning: string;
}

/** In the order of the conditions. A code that is also a warning's has the same meaning. */
export const REASONS = {
  certificate_expired: { whose: "psp", meaning: WARNINGS.certificate_expired },
  qtsp_invalid: { whose: "qtsp", meaning: WARNINGS.qtsp_invalid },
  signature_invalid: { whose: "psp", meaning: WARNINGS.signature_invalid },
  certificate_revoked: { whose: "psp", meaning: WARNINGS.certificate_revoked },
  revocation_unknown: { whose: "qtsp", meaning: WARNINGS.revocation_unknown },
  certificate_authorisation_number_missing: {
    whose: "psp",
    meaning: "the certificate has no PSD2 authorisation number",
  },
  role_not_on_certificate: { whose: "psp", meaning: "the certificate has no role for the scope's payment service" },
  register_unreadable: { whose: "source", meaning: "the home register could not be read" },
  register_not_loaded: { whose: "source", meaning: WARNINGS.register_not_loaded },
  register_ambiguous: { whose: "source", meaning: WARNINGS.register_ambiguous },
  not_in_register: { whose: "nca", meaning: WARNINGS.not_in_register },
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
