/** The outcome of a record in a few words for people. Pure. */
import type { LedgerRecord } from "./record.ts";

export interface OutcomeWords {
  /** `warn`: it was answered as asked, but the PSP was allowed nothing. */
  readonly state: "yes" | "warn" | "no";
  readonly words: string;
}

/** A check is `ok` when the certificate is: what its PSP was allowed is said beside it, where one was asked about. */
export function describeOutcome({ outcome, event, checks }: LedgerRecord): OutcomeWords {
  if (outcome !== "ok") return { state: "no", words: outcome };
  const decision = event === "psp.checked" ? checks[0]?.decisions[0] : undefined;
  if (!decision || (decision.payments && decision.accounts)) return { state: "yes", words: "ok" };
  if (decision.payments) return { state: "yes", words: "ok, payments only" };
  return decision.accounts
    ? { state: "yes", words: "ok, accounts only" }
    : { state: "warn", words: "ok, nothing allowed" };
}
