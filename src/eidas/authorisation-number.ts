/**
 * The PSP's authorisation number in organizationIdentifier (ETSI TS 119 495 clause 5.2.1, GEN-5.2.1-3): `PSD`, the
 * NCA's two-letter country, `-`, the NCA's identifier, `-`, the reference that the NCA gave.
 * Where the NCA ends is not told apart: in the wild both it and the reference hold dashes (`PSDXX-OB-TEST-000001`).
 */
import { canonicalCountry, fromThreeLetters, isCountry } from "../country.ts";

/** X.520 bounds organizationIdentifier nowhere; the longest real ones are under 60. */
const MAX_AUTHORISATION_NUMBER_CHARACTERS = 128;

export type AuthorisationNumber =
  | {
      readonly ok: true;
      /** As given. */
      readonly text: string;
      /** ISO 3166-1 alpha-2, capitalised; GR for EL, GB for UK. */
      readonly country: string;
      /** What follows the country: NCA, dash, reference. */
      readonly local: string;
      /** See {@link normaliseAuthorisationNumber}. */
      readonly normalised: string;
      /** What is not as the standard has it, a phrase each; empty for a flawless number. */
      readonly deviations: readonly string[];
    }
  | {
      readonly ok: false;
      readonly reason: "empty" | "too-long" | "other-scheme" | "no-country" | "no-reference";
      /** A phrase that goes on from "is not a PSD2 authorisation number: ". */
      readonly message: string;
    };

/** Reads an organizationIdentifier. A three-letter country is read by ISO 3166-1's own table; nothing is guessed. */
export function parseAuthorisationNumber(text: string): AuthorisationNumber {
  const trimmed = text.trim();
  if (trimmed === "") return { ok: false, reason: "empty", message: "it is empty" };
  if (trimmed.length > MAX_AUTHORISATION_NUMBER_CHARACTERS)
    return { ok: false, reason: "too-long", message: `${trimmed.length} characters` };
  if (!/^PSD/i.test(trimmed)) return { ok: false, reason: "other-scheme", message: "it does not begin with PSD" };
  const [, code, local] = /^PSD([A-Z]{2,3})-(.*)$/is.exec(trimmed) ?? [];
  const country = code === undefined ? null : readCountry(code);
  if (code === undefined || local === undefined || country === null)
    return { ok: false, reason: "no-country", message: "PSD is not followed by a two-letter country and a dash" };
  // a letter or digit, of any script
  if (!/[\p{L}\p{N}]/u.test(local))
    return { ok: false, reason: "no-reference", message: "nothing follows the country" };
  const deviations: string[] = [];
  if (trimmed !== text) deviations.push("blanks around it");
  if (code.length === 3) deviations.push(`the country ${code} has three letters; read as ${country}`);
  else if (code.toUpperCase() !== country) deviations.push(`the country ${code} is read as ${country}`);
  if (!isCountry(country)) deviations.push(`${country} is not a country`);
  if (/[a-z]/.test(trimmed.slice(0, 3 + code.length))) deviations.push("PSD and the country are not in capitals");
  if (!/^[A-Z]{2,8}-./s.test(local)) deviations.push("no NCA of 2 to 8 capitals and a reference after the country");
  return { ok: true, text, country, local, normalised: normaliseAuthorisationNumber(text), deviations };
}

/**
 * The form in which two spellings of one number are equal: capitals, without blanks, dashes and underscores, country
 * canonical. `PSDFI-FINFSA-2858394-9` and `PSDFI_FIN-FSA-28583949` are both `PSDFIFINFSA28583949`. Idempotent.
 * Other characters stay: they are part of the reference ("no restrictions on the characters used").
 */
export function normaliseAuthorisationNumber(text: string): string {
  const [, code, local] = /^\s*PSD([A-Z]{2,3})[-_](.*)$/is.exec(text) ?? [];
  const country = code === undefined ? null : readCountry(code);
  const whole = country === null || local === undefined ? text : `PSD${country}${local}`;
  // ASCII letters only: toUpperCase makes one number of two that differ, as dotless i and I
  return whole.replaceAll(/[\s\p{Pd}\u2212_]/gu, "").replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
}

const readCountry = (code: string): string | null =>
  code.length === 2 ? canonicalCountry(code) : fromThreeLetters(code.toUpperCase());
