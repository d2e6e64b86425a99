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
import { REFUSING, VERDICT_CODES } from "../eidas/verdict-codes.ts";
import type { VerdictError, VerdictName } from "../eidas/verdicts.ts";
import type { Warning } from "../eidas/warnings.ts";
import type { Instant } from "../platform/instant.ts";
import { findStale, NO_AUTHORISATION_NUMBER } from "../registers/check.ts";
import { explainRefusal, findEntitlementRefusals, type Scope, SERVICE_OF_SCOPE } from "../registers/entitlement.ts";
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
  readonly now: Instant;
  /** If given, a reason from a stale register says so. A stale register decides nevertheless. */
  readonly maxAges?: RegisterMaxAges | undefined;
}

export function decide(input: DecisionInput): Decision {
  const shared = [...(input.verdicts ? findVerdictReasons(input.verdicts) : []), ...findNumberReason(input.pspId)];
  const verdictOn = (scope: Scope): ScopeVerdict => {
    const reasons = [...shared, ...findRoleReason(input, scope), ...findRegisterReasons(input, scope)];
    return { allowed: reasons.length === 0, reasons };
  };
  return { payments: verdictOn("payments"), accounts: verdictOn("accounts") };
}

/** The decision on a checked certificate; the other arguments are as in {@link DecisionInput}. */
export const decideOnCheck = (
  check: Pick<PspCheck, "psp" | "validity" | "warnings" | "home">,
  jurisdiction: string | null,
  now: Instant,
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

function findRegisterReasons(input: DecisionInput, scope: Scope): Reason[] {
  const { pspId, home, jurisdiction, now, maxAges } = input;
  if (pspId === null) return [];
  if (home === null) return [reason("register_unreadable", `the home register of PSP ${pspId} could not be read`)];
  return findEntitlementRefusals(home, scope, jurisdiction, now).map((code) => {
    const stale = maxAges ? findStale(home, maxAges, now).map(({ sentence }) => sentence) : [];
    return reason(code, [explainRefusal(code, pspId, scope, jurisdiction, home), ...stale].join("; "));
  });
}

export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  readonly whose: Whose;
}

const reason = (code: ReasonCode, message: string): Reason => ({ code, message, whose: WHOSE_REASON[code] });
