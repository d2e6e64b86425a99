/** Countries as the interface spells them: ISO 3166, two capital letters. */

/** EU lists and registers write EL and UK where ISO 3166 says GR and GB. */
const EU_CODES: Readonly<Record<string, string>> = { EL: "GR", UK: "GB" };

/** The ISO code of a two-letter country code in any case; null for anything else. Fictitious codes such as XX are codes. */
export function readCountry(text: string): string | null {
  if (!/^[A-Za-z]{2}$/.test(text)) return null;
  const code = text.toUpperCase();
  return EU_CODES[code] ?? code;
}
