/** Every reason of a decision: whose it is, what its code means, and what a bank does about it. For people, like warnings. */
import { WARNINGS, type WarningCode } from "../eidas/every-warning.ts";
import { REFUSING, VERDICT_CODES } from "../eidas/verdict-codes.ts";
import type { VerdictCode } from "../eidas/verdicts.ts";

/**
 * Who can remove the reason: the PSP with what it sends, its QTSP, the home NCA in its register, or the operator of
 * this service, whose data is missing or not clear.
 */
export const WHOSE = ["psp", "qtsp", "nca", "source"] as const;
export type Whose = (typeof WHOSE)[number];

interface ReasonEntry {
  readonly whose: Whose;
  readonly meaning: string;
  readonly cure: string;
}

const OF_VERDICTS = Object.fromEntries(
  REFUSING.flatMap((name) => VERDICT_CODES[name]).map((code) => [code, WARNINGS[code]]),
) as Pick<typeof WARNINGS, VerdictCode>;

/** In the order of the conditions. A code that is also a warning's has the same entry. */
export const REASONS = {
  ...OF_VERDICTS,
  certificate_authorisation_number_missing: {
    whose: "psp",
    meaning: "the certificate has no PSD2 authorisation number",
    cure: WARNINGS.authorisation_number_missing.cure,
  },
  role_not_on_certificate: {
    whose: "psp",
    meaning: "the certificate has no role for the scope's payment service",
    cure: "If the PSP offers this service, it needs a certificate with the role. Ask it for one.",
  },
  register_unreadable: {
    whose: "source",
    meaning: "the home register could not be read",
    cure: "Repeat the check. If it stays so, the operator of this service looks at its stores (doctor).",
  },
  register_not_loaded: WARNINGS.register_not_loaded,
  register_ambiguous: WARNINGS.register_ambiguous,
  not_in_register: WARNINGS.not_in_register,
  outside_psd2: {
    whose: "nca",
    meaning: "the home register lists the PSP as excluded from PSD2, or as entitled under national law only",
    cure: "Do not let the PSP act: it has no authorisation under PSD2. If it says otherwise, ask its NCA.",
  },
  service_not_in_register: {
    whose: "nca",
    meaning: "no authorised category of the home register gives the service",
    cure: WARNINGS.not_in_register.cure,
  },
  authorisation_withdrawn: {
    whose: "nca",
    meaning: "the home register says Withdrawn",
    cure: "Do not let the PSP act. If it says otherwise, ask its NCA.",
  },
  unauthorised: {
    whose: "nca",
    meaning: "the home register says Unauthorised",
    cure: "Do not let the PSP act. If it says otherwise, ask its NCA.",
  },
  status_not_documented: {
    whose: "nca",
    meaning: "the home register documents no status: an agent, a branch, an undocumented category",
    cure: WARNINGS.not_in_register.cure,
  },
  service_not_passported: {
    whose: "nca",
    meaning: "the home register has no passport for the service to the jurisdiction",
    cure: "The PSP may use the service in its home country only. It asks its NCA for the passport, and the register shows it once it is given.",
  },
  passport_not_published: {
    whose: "source",
    meaning:
      "the home register has a bank, and no branch of it in the jurisdiction; its passports are published nowhere",
    cure: "Your institution may choose to accept a bank's authorisation at home: the operator sets it by fi set --bank-passports accept. Else ask the bank for the confirmation of its NCA.",
  },
} as const satisfies Readonly<Record<string, ReasonEntry>>;

export type ReasonCode = keyof typeof REASONS;

/** All that a check says of a PSP. */
export const FINDINGS: Readonly<Record<WarningCode | ReasonCode, { readonly meaning: string; readonly cure: string }>> =
  {
    ...WARNINGS,
    ...REASONS,
  };
