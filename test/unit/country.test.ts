import { expect, test } from "vitest";
import { canonicalCountry, fromThreeLetters, isCountry } from "../../src/country.ts";

test.each([
  ["EL", "GR"],
  ["el", "GR"],
  ["UK", "GB"],
  ["fi", "FI"],
  ["XX", "XX"],
])("%s is %s in ISO 3166-1", (code, country) => {
  expect(canonicalCountry(code)).toBe(country);
});

test("the sandbox's XX and XY are countries; EU, EL, UK and nonsense are not", () => {
  expect(["FI", "GR", "GB", "XX", "XY"].filter(isCountry)).toEqual(["FI", "GR", "GB", "XX", "XY"]);
  expect(["EU", "EL", "UK", "AB", "fi", "", "F", "FIN", "🇫🇮"].filter(isCountry)).toEqual([]);
});

test("three letters are read by the table, never cut to two", () => {
  expect(["FIN", "EST", "SWE", "POL", "PRT", "GBR"].map(fromThreeLetters)).toEqual([
    "FI",
    "EE",
    "SE",
    "PL",
    "PT",
    "GB",
  ]);
  expect(fromThreeLetters("ABC")).toBeNull();
});
