/** Check digits of the numbers that companies have, by the rules of who gives them. Pure. */

const LETTER_A = 10 - "A".charCodeAt(0);

/** A Legal Entity Identifier with its check digits (ISO 17442-1, ISO 7064 MOD 97-10). */
export function isLei(text: string): boolean {
  if (!/^[0-9A-Z]{18}[0-9]{2}$/.test(text)) return false;
  const digits = text.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) + LETTER_A));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Nine digits of the French register of companies, the last by Luhn's rule (ISO/IEC 7812-1). */
export function isSiren(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const sum = digitsOf(text).reduce((total, digit, i) => total + (i % 2 === 1 ? crossSum(digit * 2) : digit), 0);
  return sum % 10 === 0;
}

const crossSum = (number: number): number => (number > 9 ? number - 9 : number);

const NIP_WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7];

/** Ten digits of the Polish tax office (NIP). */
export function isNip(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const digits = digitsOf(text);
  const sum = NIP_WEIGHTS.reduce((total, weight, i) => total + weight * (digits[i] ?? 0), 0);
  return sum % 11 === digits[9];
}

/** Eleven digits of the Croatian tax office (OIB), the last by ISO 7064 MOD 11,10. */
export function isOib(text: string): boolean {
  if (!/^\d{11}$/.test(text)) return false;
  const digits = digitsOf(text);
  const rest = digits.slice(0, 10).reduce((product, digit) => (((product + digit) % 10 || 10) * 2) % 11, 10);
  return (11 - rest) % 10 === digits[10];
}

const digitsOf = (text: string): number[] => [...text].map(Number);
