import { expect, test } from "vitest";
import exceptions from "../../conformance/exceptions.json" with { type: "json" };
import { judgeCase } from "../../conformance/exceptions.ts";

const judge = (id: string, expectsAccept: boolean, accepted: boolean, notApplicable: string | null = null) =>
  judgeCase(
    { id, expected: "expected", expectsAccept, run: () => Promise.reject(new Error("not run")) },
    { accepted, actual: "actual", reason: "because", notApplicable },
  ).outcome;

const [refused = ""] = Object.keys(exceptions.refused);
const [inapplicable = ""] = Object.keys(exceptions.notApplicable);

test.each([
  ["an expected yes", "any", true, true, "pass"],
  ["an expected no", "any", false, false, "pass"],
  ["an unexpected yes", "any", false, true, "fail"],
  ["an unexpected no", "any", true, false, "fail"],
  ["a no that is an exception", refused, true, false, "exception"],
  ["a yes where only a no is an exception", refused, false, true, "fail"],
  ["a yes by a rule that does not apply", inapplicable, false, true, "not-applicable"],
  ["a no where only a yes does not apply", inapplicable, true, false, "fail"],
])("%s", (_, id, expectsAccept, accepted, outcome) => {
  expect(judge(id, expectsAccept, accepted)).toBe(outcome);
});

test("a case about a server's name is excused only where the answer is yes", () => {
  expect(judge("any", false, true, "about a name")).toBe("not-applicable");
  expect(judge("any", true, false, "about a name")).toBe("fail");
});

test("every exception has a reason, a sentence", () => {
  for (const reason of [...Object.values(exceptions.refused), ...Object.values(exceptions.notApplicable)])
    expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});
