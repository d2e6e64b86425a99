/** Where we differ from a suite, and why: exceptions.json, one reason for each id. */
import exceptions from "./exceptions.json" with { type: "json" };
import type { CaseAnswer, CaseResult, SuiteCase } from "./suite.ts";

interface Exceptions {
  /** The suite says no, and we say yes, because of a rule that is not this service's to apply. */
  readonly notApplicable: Readonly<Record<string, string>>;
  /** The suite says yes and we say no. */
  readonly refused: Readonly<Record<string, string>>;
}

const known: Exceptions = exceptions;

/** The result of a case. A difference fails unless it is excused: a yes only by a rule that does not apply, a no also as an exception. */
export function judgeCase({ id, expected, expectsAccept }: SuiteCase, answer: CaseAnswer): CaseResult {
  const { actual, reason } = answer;
  if (answer.accepted === expectsAccept) return { id, expected, actual, outcome: "pass", reason };
  const refused = known.refused[id];
  const excuse = answer.accepted
    ? (answer.notApplicable ?? known.notApplicable[id])
    : refused && `exception: ${refused}`;
  return excuse === undefined
    ? { id, expected, actual, outcome: "fail", reason }
    : { id, expected, actual, outcome: "not-applicable", reason: excuse };
}
