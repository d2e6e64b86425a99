/** The certificates of a history's PSPs, by their names. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findCertificate } from "./qtsp.ts";

/** Certificates of sandbox PSPs that may do both. Their QTSP's CRL is in the stores, and clears them. */
export const PSPS = ["scenario-1", "home-xy"] as const;

/** Certificates of PSPs whose authorisation is withdrawn and given again, by files that the operator imports. */
export const CHANGING = ["scenario-9", "scenario-10"] as const;
/** One whose authorisation the EBA's register alone tells of. */
export const BY_EBA = "home-xy";
/** A bank, of which the EBA's register of credit institutions alone tells. */
export const BY_BANKS = "credit-institution";
/** All that banks watch. */
export const WATCHED = [...CHANGING, BY_EBA, BY_BANKS] as const;
type Changing = (typeof CHANGING)[number];

export const isChanging = (name: string): name is Changing => CHANGING.some((each) => each === name);

export const NUMBERS: Readonly<Record<(typeof WATCHED)[number], string>> = {
  "scenario-9": "PSDXX-TEST-000009",
  "scenario-10": "PSDXX-TEST-000010",
  [BY_EBA]: "PSDXY-TEST-000001",
  [BY_BANKS]: "PSDXX-TEST-000013",
};

/** The bank stands in the EBA's register alone. */
export const isNoBank = ({ authNumber }: { readonly authNumber: string }): boolean => authNumber !== NUMBERS[BY_BANKS];

const pems = new Map<string, string>();

/** A certificate of a fixture or of the simulated QTSP, as the header `eidas` carries it. */
export function eidas(name: string): string {
  const file = join(import.meta.dirname, `../../fixtures/certificates/${name}.pem`);
  const read = () => readFileSync(file, "utf8").replaceAll(/-----[^-]+-----|\s/g, "");
  const known = pems.get(name) ?? findCertificate(name) ?? read();
  pems.set(name, known);
  return known;
}
