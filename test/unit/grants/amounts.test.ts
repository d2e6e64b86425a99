import { expect, test } from "vitest";
import { findAmountFault, findCurrencyDigits } from "../../../src/grants/payment-initiation.ts";

test.each([
  ["165.88", 2],
  ["10", 2],
  ["10.5", 2],
  ["0.01", 2],
  ["1000", 0],
  ["1.125", 3],
  ["9999999999999.99", 2],
])("%s is an amount in a currency with %i digits", (text, digits) => expect(findAmountFault(text, digits)).toBeNull());

test.each([
  ["165.888", 2, "has more than the 2 digits after the point that the currency has"],
  ["1.0", 0, "has more than the 0 digits after the point that the currency has"],
  ["10000000000000", 2, "has more than 13 digits before the point"],
  ["0.00", 2, "is zero"],
  ["0", 2, "is zero"],
  ["-1.00", 2, "is not a decimal number such as 165.88"],
  ["+1.00", 2, "is not a decimal number such as 165.88"],
  ["01.00", 2, "is not a decimal number such as 165.88"],
  ["1,00", 2, "is not a decimal number such as 165.88"],
  ["1.", 2, "is not a decimal number such as 165.88"],
  [".5", 2, "is not a decimal number such as 165.88"],
  ["1e3", 2, "is not a decimal number such as 165.88"],
  ["١٢", 2, "is not a decimal number such as 165.88"],
  ["1\n", 2, "is not a decimal number such as 165.88"],
  ["", 2, "is not a decimal number such as 165.88"],
])("%j with %i digits is refused: it %s", (text, digits, fault) => expect(findAmountFault(text, digits)).toBe(fault));

test.each([
  ["EUR", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
  // where Intl has the digits of everyday use instead of the standard's
  ["HUF", 2],
  ["ISK", 0],
  ["LAK", 2],
])("%s has %i digits after the point", (code, digits) => expect(findCurrencyDigits(code)).toBe(digits));

test.each(["eur", "EURO", "", "XXX", "DEM", "BGN", "__proto__", "constructor"])("%j is no currency", (code) =>
  expect(findCurrencyDigits(code)).toBeNull(),
);
