/** Countries as the interface spells them: ISO 3166, two capital letters. */
import { canonicalCountry } from "../eidas/country.ts";

/**
 * The ISO code of a two-letter country code in any case, GR for EL and GB for UK; null for anything else. Whether there
 * is such a country is not asked: fictitious ones have registers too.
 */
export const readCountry = (text: string): string | null =>
  /^[A-Za-z]{2}$/.test(text) ? canonicalCountry(text) : null;
