/** The rule of repetitions, for any outcome. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { findWait, type Outcome, readRetryAfter } from "../../../src/client/answer.ts";

const outcome = fc.record<Outcome>({
  status: fc.option(fc.integer({ min: 100, max: 599 })),
  code: fc.option(
    fc.constantFrom("rate_limit_exceeded", "temporarily_unavailable", "internal_error", "code_used", "new_code"),
  ),
  retryAfter: fc.option(fc.nat(100_000)),
});
const policy = fc.record({
  limit: fc.nat(50),
  random: fc.double({ min: 0, max: 1, noNaN: true }).map((chance) => () => chance),
});
const attempt = fc.integer({ min: 1, max: 100 });

test("a redemption is never repeated", () => {
  fc.assert(
    fc.property(policy, attempt, outcome, (rule, count, result) => {
      expect(wait("never", rule, count, result)).toBeNull();
    }),
  );
});

test("what may have been done is repeated only in the service's own words that it was not", () => {
  fc.assert(
    fc.property(policy, attempt, outcome, (rule, count, result) => {
      const said = result.code === "rate_limit_exceeded" || result.code === "temporarily_unavailable";
      expect(wait("unless_done", rule, count, result) !== null).toBe(said && count <= rule.limit);
    }),
  );
});

test("a wait is never shorter than asked for, nor longer by more than eight seconds; attempts are limited", () => {
  fc.assert(
    fc.property(policy, attempt, outcome, (rule, count, result) => {
      const found = wait("always", rule, count, result);
      if (count > rule.limit) expect(found).toBeNull();
      if (found === null) return;
      const asked = (result.retryAfter ?? 0) * 1000;
      expect(found).toBeGreaterThan(asked);
      expect(found).toBeLessThanOrEqual(asked + 8_000);
    }),
  );
});

function wait(
  repeat: Parameters<typeof findWait>[1],
  ...[rule, count, result]: [Policy, number, Outcome]
): number | null {
  return findWait(rule, repeat, count, result);
}
type Policy = Parameters<typeof findWait>[0];

test.each([
  [{}, null],
  [{ "Retry-After": "0" }, 0],
  [{ "Retry-After": "120" }, 120],
  [{ "Retry-After": "-1" }, null],
  [{ "Retry-After": "1.5" }, null],
  [{ "Retry-After": "soon" }, null],
  // without a date of the answer the clocks may differ by hours
  [{ "Retry-After": "Sun, 22 Nov 2026 04:00:09 GMT" }, null],
  [{ "Retry-After": "Sun, 22 Nov 2026 04:00:09 GMT", Date: "Sun, 22 Nov 2026 04:00:00 GMT" }, 9],
  [{ "Retry-After": "Sun, 22 Nov 2026 03:00:00 GMT", Date: "Sun, 22 Nov 2026 04:00:00 GMT" }, 0],
])("the headers %o ask for %s seconds", (headers, expected) => {
  expect(readRetryAfter(new Headers(headers as Record<string, string>))).toBe(expected);
});
