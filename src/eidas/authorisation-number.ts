/**
 * The PSP's authorisation number in organizationIdentifier (ETSI TS 119 495 clause 5.2.1, GEN-5.2.1-3): `PSD`, the
 * NCA's two-letter country, `-`, the NCA's identifier, `-`, the reference that the NCA gave.
 *
 * Its normal form identifies a PSP wherever two numbers are compared: codes, tokens, consents, registers, memory. It has
 * three parts, so that the border between NCA and reference counts: `PSDXX-TES-T000001` is not `PSDXX-TEST-000001`.
 *
 * - Case of ASCII letters and blanks do not count, anywhere.
 * - A dash of any script and the underscore are one separator. The first ends the country, the next the NCA: GEN-5.2.1-3
 *   takes separators out of the NCA's identifier, so `PSDXX-OB-TEST-000001` is of the NCA `OB`. `FIN-FSA` is `FINFSA`.
 * - Separators in the reference do not count: certificates say `PSDFI-FINFSA-29884997`, the EBA's register `2988499-7`.
 * - Every other character counts. Where a register has two entries that differ in nothing that counts, none is taken.
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
      /** In the normal form; null when nothing separates it from the reference. */
      readonly nca: string | null;
      /** The normal form: see {@link normaliseAuthorisationNumber}. */
      readonly pspId: string;
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

/**
 * The normal form: `PSDXX-TEST-000001`, or `PSDIT-1234567890` when nothing separates NCA and reference. Idempotent. A
 * text that does not begin as a number does is its own normal form.
 */
export function normaliseAuthorisationNumber(text: string): string {
  if (NORMAL_ALREADY.test(text)) return text;
  const parts = split(text);
  return parts ? join(parts) : text;
}

/** Most of the 300,000 numbers of an import are: it then takes half the time. */
const NORMAL_ALREADY = /^PSD(?!EL|UK)[A-Z]{2}-[0-9A-Z]+-[0-9A-Z!./]+$/;

interface Parts {
  /** The country as given, in capitals. */
  readonly code: string;
  readonly country: string;
  readonly nca: string | null;
  readonly reference: string;
}

const join = ({ country, nca, reference }: Parts): string =>
  nca === null ? `PSD${country}-${reference}` : `PSD${country}-${nca}-${reference}`;

// without the flag i: beside u it also takes the long s and the Kelvin sign for letters of ASCII
const BEGINNING = /^PSD([A-Z]{2,3})[\p{Pd}\u2212_]+(.*)$/su;
const SEPARATORS = /[\p{Pd}\u2212_]+/gu;
const UP_TO_SEPARATOR = /^[^\p{Pd}\u2212_]+/u;

/** The one NCA on the EBA's list whose code holds a separator, which some write in the number as well. */
const FINNISH_NCA = /^FIN[\p{Pd}\u2212_]+FSA(?=[\p{Pd}\u2212_])/u;

function split(text: string): Parts | null {
  // ASCII letters only: toUpperCase makes one number of two that differ, as dotless i and I
  const folded = text.replaceAll(/\s+/g, "").replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
  const [, code, local] = BEGINNING.exec(folded) ?? [];
  if (code === undefined || local === undefined) return null;
  const country = code.length === 2 ? canonicalCountry(code) : fromThreeLetters(code);
  if (country === null) return null;
  const [spelledNca = ""] = (country === "FI" && FINNISH_NCA.exec(local)) || UP_TO_SEPARATOR.exec(local) || [];
  const nca = spelledNca.replaceAll(SEPARATORS, "");
  const reference = local.slice(spelledNca.length).replaceAll(SEPARATORS, "");
  return reference === "" ? { code, country, nca: null, reference: nca } : { code, country, nca, reference };
}
