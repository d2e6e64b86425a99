/** Where we differ from a suite, and why: exceptions.json, one reason for each id. */
import exceptions from "./exceptions.json" with { type: "json" };
import type { CaseAnswer, CaseResult, SuiteCase } from "./suite.ts";

type Reasons = Readonly<Record<string, string>>;

interface Exceptions {
  /** The suite says no, and we say yes, because of a rule that is not this service's to apply. */
  readonly notApplicable: Reasons;
  /** The suite says no by RFC 5280, and we say yes: real certificates break the rule. */
  readonly accepted: Reasons;
  /** The suite says yes and we say no. */
  readonly refused: Reasons;
}

const known: Exceptions = exceptions;

/** The result of a case. A difference fails unless it is excused: by a rule that does not apply, or as an exception. */
export function judgeCase({ id, expected, expectsAccept }: SuiteCase, answer: CaseAnswer): CaseResult {
  const { accepted, actual, reason } = answer;
  const told = { id, expected, actual };
  if (accepted === expectsAccept) return { ...told, outcome: "pass", reason };
  const exception = (accepted ? known.accepted : known.refused)[id];
  if (exception !== undefined) return { ...told, outcome: "exception", reason: exception };
  const foreign = accepted ? (known.notApplicable[id] ?? answer.notApplicable) : null;
  return foreign === null
    ? { ...told, outcome: "fail", reason }
    : { ...told, outcome: "not-applicable", reason: foreign };
}

/** Of one suite. Where all cases of an id pass, an excuse is no longer true: they fail until it is gone. PKITS has ids of several cases. */
export function failNeedless(results: readonly CaseResult[]): CaseResult[] {
  const needed = new Set(results.filter(({ outcome }) => outcome !== "pass").map(({ id }) => id));
  const isNeedless = (id: string) =>
    !needed.has(id) && Object.values(known).some((reasons: Reasons) => Object.hasOwn(reasons, id));
  return results.map((one) => (isNeedless(one.id) ? { ...one, outcome: "fail", reason: NEEDLESS } : one));
}

const NEEDLESS = "it passes, and exceptions.json excuses it: take it out there";
