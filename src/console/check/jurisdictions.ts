/** The countries that the form offers: those of PSD2, and test countries that have a register here. */

import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import { countryName, isUserAssigned, PSD2_COUNTRIES } from "../../platform/country.ts";
import { callStore } from "../../platform/stores.ts";
import { REGISTER_MANIFESTS } from "../../registers/keys.ts";

export interface Jurisdiction {
  readonly code: string;
  readonly name: string;
}

/** `Ireland`; `XX (test country)` for a code that ISO 3166-1 leaves to its users. */
export const longCountryName = (code: string): string =>
  isUserAssigned(code) ? `${code} (test country)` : countryName(code);

/** By name, test countries first. One read of KV. Throws StoreError. */
export async function listJurisdictions(kv: KVNamespace): Promise<Jurisdiction[]> {
  // all user-assigned codes of countries that registers use begin so
  const { keys } = await callStore("KV", () => kv.list({ prefix: `${REGISTER_MANIFESTS}X` }));
  const loaded = keys.map(({ name }) => name.slice(REGISTER_MANIFESTS.length).split("/")[0] ?? "");
  const tests = [...new Set(loaded)].filter(isUserAssigned);
  const countries = PSD2_COUNTRIES.map((code) => ({ code, name: longCountryName(code) }));
  return [
    ...tests.map((code) => ({ code, name: longCountryName(code) })),
    ...countries.sort((a, b) => a.name.localeCompare(b.name, "en")),
  ];
}

/** The country of an institution, by its reference if that is an authorisation number; null if it is not. */
export function countryOfInstitution(fiReferenceId: string): string | null {
  const number = parseAuthorisationNumber(fiReferenceId);
  return number.ok ? number.country : null;
}
