/** The command line of `npm run load`. */
import { expect, test } from "vitest";
import { parseLoadOptions } from "../../load/options.ts";

test("what is not given has a default", () => {
  expect(parseLoadOptions([])).toEqual({ minutes: 10, connections: 16, seed: 1, heap: true, largeHeaders: false });
});

test("all of it can be given", () => {
  const args = ["--minutes", "0.5", "--connections", "4", "--seed", "7", "--no-heap", "--large-headers"];
  expect(parseLoadOptions(args)).toEqual({ minutes: 0.5, connections: 4, seed: 7, heap: false, largeHeaders: true });
});

test.each([
  ["--minutes", "0"],
  ["--minutes", "ten"],
  ["--minutes", ""],
  ["--connections", "0"],
  ["--connections", "2.5"],
  ["--connections", "1001"],
  ["--seed", "0.1"],
])("%s %s is refused with what is expected", (name, value) => {
  expect(() => parseLoadOptions([name, value])).toThrow(`${name} ${value}: a `);
});

test("an option that there is not is refused", () => {
  expect(() => parseLoadOptions(["--hours", "1"])).toThrow("--hours");
});
