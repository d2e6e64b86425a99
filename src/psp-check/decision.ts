/**
 * The decision: may this PSP initiate payments, may it read accounts. For each of the two scopes the PSP is allowed if
 *
 * 1. the four verdicts on its certificate are true,
 * 2. the certificate has the role for the scope's payment service (7 for payments, 8 for accounts),
 * 3. a category of its home register gives it this service and is Authorised or Registered, and
 * 4. where the jurisdiction is another country than home, the same category's passport to it has the service.
 *
 * What is unknown is never a yes. The host register does not count: it may be incomplete (interface, rule 6). Where no
 * certificate is shown, 1 and 2 have been checked before (tokens), or 1 has (CCG tokens, which hold the services of 2).
 */
import type { Validity } from "../eidas/validity.ts";
import { WARNINGS, type Warning, type WarningCode } from "../eidas/warnings.ts";
import { findStale, NO_AUTHORISATION_NUMBER } from "../registers/check.ts";
import { explainRefusal, findEntitlementRefusals, type Scope, SERVICE_OF_SCOPE } from "../registers/entitlement.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import type { PspCheck } from "./psp-check.ts";

/** Errors of http/errors/psps.ts, and reasons, too. */
export type VerdictError = "certificate_expired" | "qtsp_invalid" | "signature_invalid" | "certificate_revoked";

type Verdicts = Pick<PspCheck, "validity" | "warnings">;

interface ScopeVerdict {
  /** True exactly if there are no reasons. */
  readonly allowed: boolean;
  /** All reasons against it, in the order of the conditions. */
  readonly reasons: readonly Reason[];
}

export type Decision = Readonly<Record<Scope, ScopeVerdict>>;

export interface DecisionInput {
  /** The verdicts on the certificate and their sentences; null if no certificate is shown. */
  readonly verdicts: Verdicts | null;
  /** The payment services of the certificate's roles; null if no certificate is shown and none were kept. */
  readonly services: readonly number[] | null;
  /** The normal form of the PSP's authorisation number; null if its certificate has none. */
  readonly pspId: string | null;
  readonly home: RegisterReading | null;
  /** The country of the account: an ISO code in upper case; null for the home country. */
  readonly jurisdiction: string | null;
  readonly now: number;
  /** If given, a reason from a stale register says so. A stale register decides nevertheless. */
  readonly maxAges?: RegisterMaxAges | undefined;
}

export function decide(input: DecisionInput): Decision {
  const shared = [...(input.verdicts ? findVerdictReasons(input.verdicts) : []), ...findNumberReason(input.pspId)];
  const of = (scope: Scope): ScopeVerdict => {
    const reasons = [...shared, ...findRoleReason(input, scope), ...findRegisterReasons(input, scope)];
    return { allowed: reasons.length === 0, reasons };
  };
  return { payments: of("payments"), accounts: of("accounts") };
}

/** The decision on a checked certificate; the other arguments are as in {@link DecisionInput}. */
export const decideOnCheck = (
  check: Pick<PspCheck, "psp" | "validity" | "warnings" | "home">,
  jurisdiction: string | null,
  now: number,
  maxAges?: RegisterMaxAges,
): Decision =>
  decide({
    verdicts: check,
    services: check.psp.paymentServices,
    pspId: check.psp.pspId,
    home: check.home,
    jurisdiction,
    now,
    maxAges,
  });

/**
 * The codes of a false verdict's warnings, which are its reasons. The first is also the code of the 401, and of the log
 * line. In the order of the answer's fields, except that expiry comes first: it also breaks the path.
 */
export const VERDICT_CODES: Readonly<Record<keyof Validity, readonly [VerdictError, ...(ReasonCode & WarningCode)[]]>> =
  {
    notExpired: ["certificate_expired"],
    validQTSP: ["qtsp_invalid"],
    validSignature: ["signature_invalid"],
    notRevoked: ["certificate_revoked", "revocation_unknown"],
  };
const EXPIRY_FIRST = Object.keys(VERDICT_CODES) as (keyof Validity)[];

/** In the order of the answer's fields. */
export const VERDICTS = ["validQTSP", "validSignature", "notRevoked", "notExpired"] as const;

/** One reason for each warning about the verdict; at least one. */
function reasonsOf(verdict: keyof Validity, warnings: readonly Warning[]): Reason[] {
  const codes = VERDICT_CODES[verdict];
  const reasons = warnings.flatMap(({ code, sentence }) => {
    const known = codes.find((each) => each === code);
    return known === undefined ? [] : [reason(known, sentence)];
  });
  return reasons.length > 0 ? reasons : [reason(codes[0], `${verdict} is false`)];
}

const findVerdictReasons = ({ validity, warnings }: Verdicts): Reason[] =>
  EXPIRY_FIRST.filter((verdict) => !validity[verdict]).flatMap((failed) => reasonsOf(failed, warnings));

/** The error of a certificate that authenticates no PSP, with its sentence; null if all four verdicts are true. */
export function findVerdictError({ validity, warnings }: Verdicts): { code: VerdictError; message: string } | null {
  const failed = EXPIRY_FIRST.find((verdict) => !validity[verdict]);
  return failed ? { code: VERDICT_CODES[failed][0], message: reasonsOf(failed, warnings)[0]?.message ?? "" } : null;
}

/** The first false verdict, in the words of the 401s; `ok` if nothing is false. */
export const outcomeOf = (check: Pick<PspCheck, "psp" | "validity" | "warnings">) =>
  findVerdictError(check)?.code ?? (check.psp.pspId === null ? "certificate_authorisation_number_missing" : "ok");

const findNumberReason = (pspId: string | null): Reason[] =>
  pspId === null ? [reason("certificate_authorisation_number_missing", NO_AUTHORISATION_NUMBER)] : [];

function findRoleReason({ services, pspId }: DecisionInput, scope: Scope): Reason[] {
  const service = SERVICE_OF_SCOPE[scope];
  if (services === null || services.includes(service)) return [];
  const holder = pspId === null ? "" : ` of PSP ${pspId}`;
  const message = `the certificate${holder} has no role for payment service ${service}, which scope ${scope} needs`;
  return [reason("role_not_on_certificate", message)];
}

function findRegisterReasons(input: DecisionInput, scope: Scope): Reason[] {
  const { pspId, home, jurisdiction, now, maxAges } = input;
  if (pspId === null) return [];
  if (home === null) return [reason("register_unreadable", `the home register of PSP ${pspId} could not be read`)];
  return findEntitlementRefusals(home, scope, jurisdiction, now).map((code) => {
    const stale = maxAges ? findStale(home, maxAges, now).map(({ sentence }) => sentence) : [];
    return reason(code, [explainRefusal(code, pspId, scope, jurisdiction), ...stale].join("; "));
  });
}

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

const reason = (code: ReasonCode, message: string): Reason => ({ code, message, whose: REASONS[code].whose });
