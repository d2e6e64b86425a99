/**
 * The decision: may this PSP initiate payments, may it read accounts. For each of the two scopes the PSP is allowed if
 *
 * 1. the four verdicts on its certificate are true,
 * 2. the certificate has the role for the scope's payment service (7 for payments, 8 for accounts),
 * 3. a category of its home register gives it this service and is Authorised or Registered, and
 * 4. where the jurisdiction is another country than home, the same category's passport to it has the service.
 *
 * Passports of banks are published nowhere. So an institution may choose to do without 4 for a bank that meets 3 in another
 * state of the EEA. What it accepts so is said beside the decision.
 *
 * What is unknown is never a yes. The host register does not count: it may be incomplete (interface, rule 6). Where no
 * certificate is shown, 1 and 2 have been checked before (tokens), or 1 has (CCG tokens, which hold the services of 2).
 */
import { REFUSING, VERDICT_CODES } from "../eidas/verdict-codes.ts";
import type { VerdictError, VerdictName } from "../eidas/verdicts.ts";
import type { Warning } from "../eidas/warnings.ts";
import type { BankPassports } from "../institutions/financial-institutions.ts";
import type { Instant } from "../platform/instant.ts";
import { findStale, NO_AUTHORISATION_NUMBER } from "../registers/check.ts";
import {
  type EntitlementRefusal,
  explainRefusal,
  findEntitlementRefusals,
  type Scope,
  SERVICE_OF_SCOPE,
} from "../registers/entitlement.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import type { RegisterMaxAges } from "../registers/manifest.ts";
import type { ReasonCode, Whose } from "./every-reason.ts";
import type { PspCheck } from "./psp-check.ts";
import { WHOSE_REASON } from "./whose-reason.ts";

type Verdicts = Pick<PspCheck, "validity" | "warnings">;

interface ScopeVerdict {
  /** True exactly if there are no reasons. */
  readonly allowed: boolean;
  /** All reasons against it, in the order of the conditions. */
  readonly reasons: readonly Reason[];
  /** What would be a reason, had the institution not chosen to accept it; absent if there is nothing. */
  readonly accepted?: readonly Reason[];
}

export type Decision = Readonly<Record<Scope, ScopeVerdict>>;

/** Where the account is, and what its institution chose. */
export interface Place {
  /** An ISO code in upper case; null for the home country. */
  readonly jurisdiction: string | null;
  /** Null: it never chose. Undefined: as in records of earlier releases, where nobody could choose: `service_not_passported`. */
  readonly bankPassports: BankPassports | null | undefined;
}

/** In its home country a PSP needs no passport. */
export const AT_HOME: Place = { jurisdiction: null, bankPassports: null };

export interface DecisionInput extends Place {
  /** The verdicts on the certificate and their sentences; null if no certificate is shown. */
  readonly verdicts: Verdicts | null;
  /** The payment services of the certificate's roles; null if no certificate is shown and none were kept. */
  readonly services: readonly number[] | null;
  /** The normal form of the PSP's authorisation number; null if its certificate has none. */
  readonly pspId: string | null;
  readonly home: RegisterReading | null;
  readonly now: Instant;
  /** If given, a reason from a stale register says so. A stale register decides nevertheless. */
  readonly maxAges?: RegisterMaxAges | undefined;
}

export function decide(input: DecisionInput): Decision {
  const shared = [...(input.verdicts ? findVerdictReasons(input.verdicts) : []), ...findNumberReason(input.pspId)];
  const verdictOn = (scope: Scope): ScopeVerdict => {
    const { refusing, accepted } = findRegisterReasons(input, scope);
    const reasons = [...shared, ...findRoleReason(input, scope), ...refusing];
    return { allowed: reasons.length === 0, reasons, ...(accepted.length > 0 && { accepted }) };
  };
  return { payments: verdictOn("payments"), accounts: verdictOn("accounts") };
}

/** The decision on a checked certificate; the other arguments are as in {@link DecisionInput}. */
export const decideOnCheck = (
  check: Pick<PspCheck, "psp" | "validity" | "warnings" | "home">,
  place: Place,
  now: Instant,
  maxAges?: RegisterMaxAges,
): Decision =>
  decide({
    verdicts: check,
    services: check.psp.paymentServices,
    pspId: check.psp.pspId,
    home: check.home,
    ...place,
    now,
    maxAges,
  });

/** One reason for each warning about the verdict; at least one. */
function reasonsOf(verdict: VerdictName, warnings: readonly Warning[]): Reason[] {
  const codes = VERDICT_CODES[verdict];
  const reasons = warnings.flatMap(({ code, sentence }) => {
    const known = codes.find((each) => each === code);
    return known === undefined ? [] : [reason(known, sentence)];
  });
  return reasons.length > 0 ? reasons : [reason(codes[0], `${verdict} is false`)];
}

const findVerdictReasons = ({ validity, warnings }: Verdicts): Reason[] =>
  REFUSING.filter((verdict) => !validity[verdict]).flatMap((failed) => reasonsOf(failed, warnings));

/** The error of a certificate that authenticates no PSP, with its sentence; null if all four verdicts are true. */
export function findVerdictError({ validity, warnings }: Verdicts): { code: VerdictError; message: string } | null {
  const failed = REFUSING.find((verdict) => !validity[verdict]);
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

interface RegisterReasons {
  readonly refusing: readonly Reason[];
  readonly accepted: readonly Reason[];
}

const refuse = (...refusing: readonly Reason[]): RegisterReasons => ({ refusing, accepted: [] });

function findRegisterReasons(input: DecisionInput, scope: Scope): RegisterReasons {
  const { pspId, home, jurisdiction, bankPassports, now, maxAges } = input;
  if (pspId === null) return refuse();
  if (home === null)
    return refuse(reason("register_unreadable", `the home register of PSP ${pspId} could not be read`));
  const explain = (code: EntitlementRefusal, ...more: readonly string[]) => {
    const stale = maxAges ? findStale(home, maxAges, now).map(({ sentence }) => sentence) : [];
    return reason(code, [explainRefusal(code, pspId, scope, jurisdiction, home), ...more, ...stale].join("; "));
  };
  const refusals = findEntitlementRefusals(home, scope, jurisdiction, now);
  // with another refusal its authorisation at home does not stand
  if (bankPassports === "accept" && refusals.every((code) => code === UNPUBLISHED))
    return {
      refusing: [],
      accepted: refusals.map((code) => explain(code, "the institution accepts its authorisation at home")),
    };
  return refuse(
    ...refusals.map((code) => {
      if (code !== UNPUBLISHED) return explain(code);
      if (bankPassports === undefined) return explain("service_not_passported");
      return explain(code, "an institution may choose to accept its authorisation at home");
    }),
  );
}

const UNPUBLISHED = "passport_not_published" satisfies EntitlementRefusal;

export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  readonly whose: Whose;
}

const reason = (code: ReasonCode, message: string): Reason => ({ code, message, whose: WHOSE_REASON[code] });
