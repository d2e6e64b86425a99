/** Amounts of money: decimal strings, never numbers, which would lose precision. */

/** The limit of UK Open Banking's payment initiation. */
const MAX_INTEGER_DIGITS = 13;

export const AMOUNT_PATTERN = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * The fault of an amount in a currency with `digits` fraction digits, as a phrase that follows the parameter's name;
 * null if it is valid. Fewer fraction digits than the currency has are allowed: 10.5 EUR is 10.50 EUR.
 */
export function findAmountFault(text: string, digits: number): string | null {
  const [, integer, fraction = ""] = AMOUNT_PATTERN.exec(text) ?? [];
  if (integer === undefined) return "is not a decimal number such as 165.88";
  if (integer.length > MAX_INTEGER_DIGITS) return `has more than ${MAX_INTEGER_DIGITS} digits before the point`;
  if (fraction.length > digits) return `has more than the ${digits} digits after the point that the currency has`;
  if (/^[0.]+$/.test(text)) return "is zero";
  return null;
}
