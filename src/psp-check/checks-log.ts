/**
 * What the log line says of many checks in one request: counts, and for an audit what a line of the single check says
 * of each certificate. No certificate, and not the caller's own ids, which may name a person.
 */
import type { Validity } from "../eidas/validity.ts";
import { type Decision, findVerdictError } from "./decision.ts";
import type { PspCheck } from "./psp-check.ts";

interface CheckedLog {
  /** The normal form of the authorisation number; null if the certificate has none. */
  readonly psp: string | null;
  /** As of the single check: the first false verdict, or ok. */
  readonly outcome: string;
  /** The false verdicts. */
  readonly verdicts: readonly (keyof Validity)[];
  /** All that were asked for, and those where the PSP is allowed each scope. */
  readonly jurisdictions: readonly string[];
  readonly payments: readonly string[];
  readonly accounts: readonly string[];
}

/** An element that was refused as a whole: its first error code. */
type RefusedLog = Pick<CheckedLog, "outcome">;

export interface ChecksLog {
  readonly checks: {
    readonly asked: number;
    /** Answers with the result of a check, one for each jurisdiction. */
    readonly results: number;
    /** Elements and jurisdictions with errors; those that were postponed among them. */
    readonly refused: number;
    readonly postponed: number;
    /** In the order of the request. */
    readonly each: readonly (CheckedLog | RefusedLog)[];
  };
}

/** `decisions`: by jurisdiction, in the order of the request. */
export function describeForLog(
  { psp, validity, warnings }: Pick<PspCheck, "psp" | "validity" | "warnings">,
  decisions: readonly (readonly [jurisdiction: string, decision: Decision])[],
): CheckedLog {
  const allowed = (scope: keyof Decision) =>
    decisions.flatMap(([jurisdiction, decision]) => (decision[scope].allowed ? [jurisdiction] : []));
  return {
    psp: psp.pspId,
    outcome: outcomeOf({ psp, validity, warnings }),
    verdicts: VERDICTS.filter((verdict) => !validity[verdict]),
    jurisdictions: decisions.map(([jurisdiction]) => jurisdiction),
    payments: allowed("payments"),
    accounts: allowed("accounts"),
  };
}

/** The first false verdict, in the words of the 401s; `ok` if nothing is false. */
export const outcomeOf = (check: Pick<PspCheck, "psp" | "validity" | "warnings">) =>
  findVerdictError(check)?.code ?? (check.psp.pspId === null ? "certificate_authorisation_number_missing" : "ok");

/** In the order of the answer's fields. */
export const VERDICTS = ["validQTSP", "validSignature", "notRevoked", "notExpired"] as const;
