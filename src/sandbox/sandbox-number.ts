/**
 * Who may be in a sandbox: PSPs of XX and XY, which ISO 3166-1 leaves to its users, by an authority that is none. So no
 * register of a country has such a number, and no real PSP's certificate does. Pure.
 */
import { parseAuthorisationNumber } from "../eidas/authorisation-number.ts";

export const SANDBOX_COUNTRIES = ["XX", "XY"] as const;
export type SandboxCountry = (typeof SANDBOX_COUNTRIES)[number];

export const isSandboxCountry = (country: string): country is SandboxCountry =>
  SANDBOX_COUNTRIES.some((one) => one === country);

export const authorityOf = (country: SandboxCountry) => ({
  ncaId: `${country}-TEST`,
  ncaName: `Test Authority of ${country}`,
});

export type SandboxNumber =
  | { readonly ok: true; readonly number: string; readonly country: SandboxCountry }
  /** A sentence's end, to follow the number. */
  | { readonly ok: false; readonly message: string };

/** In capitals. The reference has characters that a file and a host may be named by. */
export function parseSandboxNumber(text: string): SandboxNumber {
  const number = text.trim().toUpperCase();
  const parsed = parseAuthorisationNumber(number);
  if (!parsed.ok)
    return {
      ok: false,
      message: `is no authorisation number: one such as PSDXX-TEST-001001 is expected (${parsed.message})`,
    };
  if (!isSandboxCountry(parsed.country))
    return { ok: false, message: "is not of XX or XY: no PSP of a real country is ever in a sandbox" };
  if (!/^PSD(XX|XY)-TEST-[A-Z0-9]{1,32}$/.test(number))
    return { ok: false, message: `is not PSD${parsed.country}-TEST- and up to 32 letters and digits` };
  return { ok: true, number, country: parsed.country };
}

/** Those of one's own begin here; the recorded ones have lower numbers (fixtures/README.md). */
const FIRST_OWN = 1001;

/** The first number of XX that nobody has. */
export function nextSandboxNumber(taken: readonly string[]): string {
  for (let i = FIRST_OWN; ; i++) {
    const number = `PSDXX-TEST-${String(i).padStart(6, "0")}`;
    if (!taken.includes(number)) return number;
  }
}
