/** The comparison of `npm run coverage`. */
import { expect, test } from "vitest";
import { compareTotals, describeTotals, type Totals } from "../coverage/totals.ts";

const counts = (lines: number, branches: number) => ({
  lines: { total: 1_000, covered: lines },
  branches: { total: 100, covered: branches },
});
const totals = (lines: number, branches: number): Totals => ({
  total: counts(1, 1),
  [`${process.cwd()}/src/x509/der.ts`]: counts(lines, branches),
  [`${process.cwd()}/src/x509/deep/name.ts`]: counts(lines, branches),
  [`${process.cwd()}/src/app.ts`]: counts(1_000, 100),
});

test.each<[lines: number, branches: number, apart: string[]]>([
  [900, 90, []],
  [885, 90, []],
  [884, 90, ["lines: 1.07 points apart; at most 1 is allowed"]],
  [900, 88, ["branches: 1.33 points apart; at most 1 is allowed"]],
  [1_000, 100, ["lines: 6.67 points apart; at most 1 is allowed", "branches: 6.67 points apart; at most 1 is allowed"]],
])("%d lines and %d branches of a thousand and a hundred, beside 900 and 90", (lines, branches, apart) => {
  expect(compareTotals(totals(900, 90), totals(lines, branches))).toEqual(apart);
});

test("folders stand side by side, all together at the end", () => {
  expect(describeTotals(totals(900, 90), totals(800, 70)).split("\n").slice(2)).toEqual([
    "(top)               100.00    100.00    100.00    100.00",
    "x509                 90.00     80.00     90.00     70.00",
    "all                  93.33     86.67     93.33     80.00",
  ]);
});
