/** The outcome of a record in a few words for people. Pure. */
import type { Scope } from "../../registers/entitlement.ts";
import type { LedgerRecord } from "./record.ts";

export interface OutcomeWords {
  /** `warn`: it was answered as asked, but the PSP was allowed nothing. */
  readonly state: "yes" | "warn" | "no";
  readonly words: string;
}

/**
 * A check is `ok` when the certificate is, several when they were answered: what the PSPs were allowed is said beside it,
 * of several as a number of the answers, one for each certificate and jurisdiction.
 */
export function describeOutcome({ outcome, event, checks }: LedgerRecord): OutcomeWords {
  if (outcome !== "ok") return { state: "no", words: outcome };
  const several = event === "psps.checked";
  const decisions = several || event === "psp.checked" ? checks.flatMap((check) => check.decisions) : [];
  const all = decisions.length;
  const count = (scope: Scope) => decisions.filter((decision) => decision[scope]).length;
  const [payments, accounts] = [count("payments"), count("accounts")];
  // of several checks each element may have been refused: then there is no decision, and nothing was allowed
  if (payments + accounts === 0 && (all > 0 || several)) return { state: "warn", words: "ok, nothing allowed" };
  if (payments === all && accounts === all) return { state: "yes", words: "ok" };
  if (payments === all && accounts === 0) return { state: "yes", words: "ok, payments only" };
  if (accounts === all && payments === 0) return { state: "yes", words: "ok, accounts only" };
  return { state: "yes", words: `ok, payments ${payments} of ${all}, accounts ${accounts} of ${all}` };
}
