/** The work of many checks in one request, at its limits. */
import { describe, expect, test } from "vitest";
import { makeCertificate } from "../../../fixtures/makers/certificate-maker.ts";
import { CHECK_LIMITS, CheckBudget, countCalls, NoCallsLeft } from "../../../src/psp-check/check-budget.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import { PATH_LIMITS } from "../../../src/x509/path-budget.ts";

const certificate = parseCertificate(await makeCertificate());
const chain = (issuers: number) => ({
  leaf: certificate,
  issuers: Array<typeof certificate>(issuers).fill(certificate),
});
const NOW = Date.UTC(2026, 5, 10);

/** How many checks are begun, one after another, that each spend this much of their path's signatures. */
function countBegun(budget: CheckBudget, cost: number, { issuers = 0, ends = true, at = NOW } = {}): number {
  for (let begun = 0; begun < 10_000; begun++) {
    const check = budget.begin(chain(issuers), at);
    if (!check) return begun;
    check.path.spend("cost", cost);
    if (ends) check.end();
  }
  throw new Error("no limit");
}

describe("signatures", () => {
  test("fifty checks of a usual cost are begun, and the dearest are limited to the sum", () => {
    expect(countBegun(new CheckBudget(NOW), 400)).toBeGreaterThanOrEqual(50);
    const dear = countBegun(new CheckBudget(NOW), PATH_LIMITS.cost);
    expect(dear * PATH_LIMITS.cost).toBeLessThanOrEqual(CHECK_LIMITS.signatures);
    expect(dear).toBeGreaterThan(10);
  });

  test("what is under way counts as the dearest until it ends", () => {
    const budget = new CheckBudget(NOW);
    const checks = Array.from({ length: 100 }, () => budget.begin(chain(0), NOW));
    const begun = checks.filter((check) => check !== null);
    expect(begun.length * PATH_LIMITS.cost).toBeLessThanOrEqual(CHECK_LIMITS.signatures);
    for (const check of begun) check.end();
    expect(budget.begin(chain(0), NOW)).not.toBeNull();
  });

  test("a path's own limit is that of a single check, and no more than it is charged", () => {
    const budget = new CheckBudget(NOW);
    const check = budget.begin(chain(0), NOW);
    expect(check?.path.spend("cost", PATH_LIMITS.cost)).toBe(true);
    expect(check?.path.exhausted).toBeNull();
    expect(check?.path.spend("cost", 1)).toBe(false);
    expect(check?.path.exhausted).toBe("cost");
    check?.end();
    expect(countBegun(budget, PATH_LIMITS.cost)).toBe(countBegun(new CheckBudget(NOW), PATH_LIMITS.cost) - 1);
  });
});

test("calls: a check that needs exactly what is left is begun, one that needs more is not", () => {
  for (const [spare, begins] of [
    [0, true],
    [1, false],
  ] as const) {
    const budget = new CheckBudget(NOW);
    const first = budget.begin(chain(0), NOW);
    first?.spendCalls(CHECK_LIMITS.calls - 2 * countCalls(chain(0)) + spare);
    first?.end();
    expect(budget.begin(chain(0), NOW) !== null).toBe(begins);
  }
});

test("calls: two for each chain without URLs and for each issuer to keep, in all fewer than the platform's thousand", () => {
  expect(countCalls(chain(0))).toBe(2);
  expect(countCalls(chain(3))).toBe(8);
  const begun = countBegun(new CheckBudget(NOW), 0, { issuers: 0 });
  expect(begun * 2).toBeLessThanOrEqual(CHECK_LIMITS.calls);
});

test("calls that a check needs beyond those are taken from the rest, and refused where there are none", () => {
  const budget = new CheckBudget(NOW);
  const check = budget.begin(chain(0), NOW);
  check?.spendCalls(CHECK_LIMITS.calls - 2);
  expect(budget.begin(chain(0), NOW)).toBeNull();
  expect(() => check?.spendCalls(1)).toThrow(NoCallsLeft);
});

test("no check is begun when the time is up", () => {
  const budget = new CheckBudget(NOW);
  expect(budget.begin(chain(0), NOW + CHECK_LIMITS.time - 1)).not.toBeNull();
  expect(budget.begin(chain(0), NOW + CHECK_LIMITS.time)).toBeNull();
});
