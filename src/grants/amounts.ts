/** Amounts of money: decimal strings, never numbers, so that nothing is lost on the way. */

/** As UK Open Banking's payment initiation has it. */
const MAX_INTEGER_DIGITS = 13;

const AMOUNT_PATTERN = /^(0|[1-9]\d*)(?:\.(\d+))?$/;

/**
 * What is wrong with an amount in a currency that has `digits` after the point, as a phrase that follows its name; null
 * when nothing is. Fewer digits than the currency has are an amount all the same: 10.5 euros are 10.50.
 */
export function findAmountFault(text: string, digits: number): string | null {
  const [, integer, fraction = ""] = AMOUNT_PATTERN.exec(text) ?? [];
  if (integer === undefined) return "is not a decimal number such as 165.88";
  if (integer.length > MAX_INTEGER_DIGITS) return `has more than ${MAX_INTEGER_DIGITS} digits before the point`;
  if (fraction.length > digits) return `has more than the ${digits} digits after the point that the currency has`;
  if (/^[0.]+$/.test(text)) return "is zero";
  return null;
}
