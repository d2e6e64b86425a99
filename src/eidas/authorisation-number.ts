/**
 * The PSP's authorisation number in organizationIdentifier (ETSI TS 119 495 clause 5.2.1, GEN-5.2.1-3): `PSD`, the
 * country, `-`, the NCA, `-`, the reference. Numbers are compared by a normal form of these three parts.
 * - The case of ASCII letters and blanks do not count. A dash of any script and the underscore are one separator.
 * - The first separator ends the country, the second the NCA. Those in the reference are ignored, as registers differ.
 * - Every other character is significant. If two entries of a register have one normal form, neither is used.
 */
import { canonicalCountry, fromThreeLetters, isCountry } from "../platform/country.ts";

/** X.520 sets no limit for organizationIdentifier. The longest values in use are under 60 characters. */
const MAX_AUTHORISATION_NUMBER_CHARACTERS = 128;

export type AuthorisationNumber =
  | {
      readonly ok: true;
      readonly text: string;
      /** ISO 3166-1 alpha-2 in upper case; GR for EL, GB for UK. */
      readonly country: string;
      /** In normal form; null if no separator follows it. */
      readonly nca: string | null;
      /** The normal form: see {@link normaliseAuthorisationNumber}. */
      readonly pspId: string;
      /** Deviations from the standard, one phrase each; empty if there are none. */
      readonly deviations: readonly string[];
    }
  | {
      readonly ok: false;
      readonly reason: "empty" | "too-long" | "other-scheme" | "no-country" | "no-reference";
      /** A phrase to follow "is not a PSD2 authorisation number: ". */
      readonly message: string;
    };

/** Parses an organizationIdentifier. A three-letter country code is mapped by ISO 3166-1; nothing else is guessed. */
export function parseAuthorisationNumber(text: string): AuthorisationNumber {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, reason: "empty", message: "it is empty" };
  if (trimmed.length > MAX_AUTHORISATION_NUMBER_CHARACTERS)
    return { ok: false, reason: "too-long", message: `${trimmed.length} characters` };
  if (!/^PSD/i.test(trimmed)) return { ok: false, reason: "other-scheme", message: "it does not begin with PSD" };
  const parts = split(trimmed);
  if (!parts)
    return { ok: false, reason: "no-country", message: "PSD is not followed by a two-letter country and a dash" };
  const { code, country, nca, reference } = parts;
  // a letter or digit, of any script
  if (!/[\p{L}\p{N}]/u.test(`${nca ?? ""}${reference}`))
    return { ok: false, reason: "no-reference", message: "nothing follows the country" };
  const deviations: string[] = [];
  if (trimmed !== text) deviations.push("blanks around it");
  if (code.length === 3) deviations.push(`the country ${code} has three letters; read as ${country}`);
  else if (code !== country) deviations.push(`the country ${code} is read as ${country}`);
  if (!isCountry(country)) deviations.push(`${country} is not a country`);
  if (/[a-z]/.test(trimmed.slice(0, 3 + code.length))) deviations.push("PSD and the country are not in capitals");
  if (!/^-[A-Z]{2,8}-./s.test(trimmed.slice(3 + code.length)))
    deviations.push("no NCA of 2 to 8 capitals and a reference after the country");
  return { ok: true, text, country, nca, pspId: join(parts), deviations };
}

/** In normal form. The Open Banking Directory of the United Kingdom gives numbers of its own, in the place of an NCA's. */
export const isDirectoryNumber = (pspId: string): boolean => pspId.startsWith("PSDGB-OB-");

/** Idempotent. A text that does not begin with PSD, a country and a separator is returned unchanged. */
export function normaliseAuthorisationNumber(text: string): string {
  if (NORMAL_ALREADY.test(text)) return text;
  const parts = split(text);
  return parts ? join(parts) : text;
}

/** A shortcut that halves the time of an import: most of its 300,000 numbers are in normal form already. */
const NORMAL_ALREADY = /^PSD(?!EL|UK)[A-Z]{2}-[0-9A-Z]+-[0-9A-Z!./]+$/;

/** Of TS 119 495 (annex D; Spain GEN-5.2.1-3), and of the EBA's register. Latvia's authority changed. */
const ABBREVIATIONS: Readonly<Record<string, readonly string[]>> = {
  ES: ["BDE", "BE"],
  HR: ["CNB", "HNB"],
  IS: ["FME", "CBI"],
  LV: ["FCMC", "LV"],
};

/** Luxembourg's banks: `B00000351` in certificates is `LUB00351` in the EBA's register. */
const LUXEMBOURG = /^(PSDLU-CSSF-)(?:B000|LUB)(\d{5})$/;

/** Whether two numbers of which one finds the other are two, and not one in two spellings. */
export function isOtherByRule(one: string, other: string): boolean {
  const [a, b] = [normaliseAuthorisationNumber(one), normaliseAuthorisationNumber(other)];
  return a !== b && LUXEMBOURG.test(a) && LUXEMBOURG.test(b);
}

/**
 * The normal forms in registers: each abbreviation of its NCA, a Belgian number with and without dots, both numbers of a
 * bank of Luxembourg. At most two.
 */
export function registeredNumbers(authNumber: string): readonly string[] {
  const normal = normaliseAuthorisationNumber(authNumber);
  const [, luxembourg, digit] = LUXEMBOURG.exec(normal) ?? [];
  if (luxembourg !== undefined) return [`${luxembourg}B000${digit}`, `${luxembourg}LUB${digit}`];
  if (/^PSDBE-[^-]+-[\d.]+\.[\d.]+$/.test(normal)) return [normal, normal.replaceAll(".", "")];
  const [, belgian, ...digits] = /^(PSDBE-[^-]+-)(\d{4})(\d{3})(\d{3})$/.exec(normal) ?? [];
  if (belgian !== undefined) return [normal, `${belgian}${digits.join(".")}`];
  const [, country = "", nca = "", reference] = /^PSD([A-Z]{2})-([^-]+)(-.+)$/s.exec(normal) ?? [];
  const abbreviations = ABBREVIATIONS[country] ?? [];
  return abbreviations.includes(nca) ? abbreviations.map((each) => `PSD${country}-${each}${reference}`) : [normal];
}

interface Parts {
  readonly code: string;
  readonly country: string;
  readonly nca: string | null;
  readonly reference: string;
}

const join = ({ country, nca, reference }: Parts): string =>
  nca === null ? `PSD${country}-${reference}` : `PSD${country}-${nca}-${reference}`;

// not with the flag i: together with u it also matches U+017F (long s) and U+212A (Kelvin sign) as ASCII letters
const BEGINNING = /^PSD([A-Z]{2,3})[\p{Pd}\u2212_]+(.*)$/su;
const SEPARATORS = /[\p{Pd}\u2212_]+/gu;
const UP_TO_SEPARATOR = /^[^\p{Pd}\u2212_]+/u;

/** The only NCA on the EBA's list whose code contains a separator. Some certificates keep it in the number. */
const FINNISH_NCA = /^FIN[\p{Pd}\u2212_]+FSA(?=[\p{Pd}\u2212_])/u;

function split(text: string): Parts | null {
  // ASCII letters only: toUpperCase on other letters makes different numbers equal, such as dotless i and I
  const folded = text.replaceAll(/\s+/g, "").replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
  const beginning = BEGINNING.exec(folded);
  if (!beginning) return null;
  const [, code = "", local = ""] = beginning;
  const country = code.length === 2 ? canonicalCountry(code) : fromThreeLetters(code);
  if (country === null) return null;
  const [spelledNca = ""] = (country === "FI" && FINNISH_NCA.exec(local)) || UP_TO_SEPARATOR.exec(local) || [];
  const nca = spelledNca.replaceAll(SEPARATORS, "");
  const reference = local.slice(spelledNca.length).replaceAll(SEPARATORS, "");
  return reference === "" ? { code, country, nca: null, reference: nca } : { code, country, nca, reference };
}
