import { expect, test } from "vitest";
import {
  canonicalCountry,
  countryName,
  fromThreeLetters,
  isCountry,
  isUserAssigned,
  readKnownCountry,
} from "../../../src/platform/country.ts";

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

test.each([
  ["fi", "FI"],
  ["EL", "GR"],
  ["uk", "GB"],
  ["GB", "GB"],
  ["xx", "XX"],
  ["XK", "XK"],
  ["EU", null],
  ["AB", null],
  ["ZX", null],
  ["FIN", null],
  ["F1", null],
  ["", null],
  ["ſE", null],
])("a jurisdiction %j is %s", (text, country) => {
  expect(readKnownCountry(text)).toBe(country);
});

test("a user-assigned code is told apart from a country's", () => {
  expect(["XX", "XK", "AA", "QM", "ZZ", "FI", "GB", "EU"].filter(isUserAssigned)).toEqual([
    "XX",
    "XK",
    "AA",
    "QM",
    "ZZ",
  ]);
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

test("countries have names, codes that parties agreed on have none", () => {
  expect(["FI", "GR", "GB", "XX", "XA", "XK", "ZZ", "EU", "EL", ""].map(countryName)).toEqual([
    ...["Finland", "Greece", "United Kingdom"],
    ...["XX", "XA", "XK", "ZZ", "EU", "EL", ""],
  ]);
});
