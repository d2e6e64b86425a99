/** The comparison of `npm run coverage`. */
import { expect, test } from "vitest";
import { compareTotals, describeTotals, type Files } from "../coverage/totals.ts";

/** A file with a hundred lines and fifty branches of two ways, of which so many were run. */
function file(name: string, lines: number, ways: number): Files {
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  const at = (line: number) => ({ start: { line, column: 0 } });
  return {
    [`${process.cwd()}/src/${name}`]: {
      statementMap: Object.fromEntries(numbers(100).map((i) => [i, at(i)])),
      s: Object.fromEntries(numbers(100).map((i) => [i, i < lines ? 3 : 0])),
      branchMap: Object.fromEntries(numbers(50).map((i) => [i, { loc: at(i) }])),
      b: Object.fromEntries(numbers(50).map((i) => [i, [2 * i < ways ? 1 : 0, 2 * i + 1 < ways ? 1 : 0]])),
    },
  };
}

test.each<[lines: number, ways: number, apart: string[]]>([
  [90, 80, []],
  [89, 79, []],
  [91, 81, []],
  [88, 80, ["lines: 2.00 points apart; at most 1 is allowed"]],
  [90, 78, ["branches: 2.00 points apart; at most 1 is allowed"]],
  [100, 0, ["lines: 10.00 points apart; at most 1 is allowed", "branches: 80.00 points apart; at most 1 is allowed"]],
])("%d lines and %d ways of a hundred, beside 90 and 80", (lines, ways, apart) => {
  expect(compareTotals([file("x509/der.ts", 90, 80)], [file("x509/der.ts", lines, ways)])).toEqual(apart);
});

test("what any of several runs has run counts, once", () => {
  const [unit, worker] = [file("x509/der.ts", 90, 10), file("x509/der.ts", 20, 80)];
  expect(compareTotals([unit, worker], [file("x509/der.ts", 90, 80)])).toEqual([]);
});

test("folders stand side by side, all together at the end", () => {
  const top = file("app.ts", 100, 100);
  const whole = [file("x509/der.ts", 90, 90), file("x509/deep/name.ts", 90, 90), top];
  const bare = [file("x509/der.ts", 80, 70), file("x509/deep/name.ts", 80, 70), top];
  expect(describeTotals(whole, bare).split("\n").slice(2)).toEqual([
    "(top)               100.00    100.00    100.00    100.00",
    "x509                 90.00     80.00     90.00     70.00",
    "all                  93.33     86.67     93.33     80.00",
  ]);
});
