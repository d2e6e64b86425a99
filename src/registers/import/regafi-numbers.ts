/**
 * Entities of REGAFI, the register of the ACPR (France), as its portal exports them in JSON (data set `prd-banque-entites`,
 * Licence Ouverte): a list of flat records. Certificates of payment institutions have the CIB, and the EBA's register the SIREN.
 *
 *     [{ "id_referentiel": "…", "siren": "…", "cib": "[{\"code\": \"12345\", \"date\": \"…\"}]", "denomination": "…", … }]
 *
 * `cib` is a list as JSON in a text, of codes or of objects with a code; a list itself is read, too. The form is as others
 * describe it, who have read the portal: no file of it was at hand.
 */
import { isSiren } from "../check-digits.ts";
import { isObject } from "./euclid-entity.ts";
import type { NationalEntity, NationalRegister } from "./national-numbers.ts";

export const REGAFI: NationalRegister = { country: "FR", source: "REGAFI", kind: "cib" };

/** A message to follow "the file" if it is none of REGAFI's. */
export function readRegafiFile(records: readonly unknown[]): NationalEntity[] | string {
  if (records.length === 0) return "has no record";
  const entities: NationalEntity[] = [];
  for (const [i, record] of records.entries()) {
    if (!isObject(record)) return `has no object as its record ${i + 1}`;
    if (!("siren" in record && "cib" in record)) return `has no siren or no cib in its record ${i + 1}`;
    const codes = readCodes(record["cib"] ?? []);
    if (codes === null) return `has a cib in its record ${i + 1} that is no list of codes`;
    entities.push({ ...toEntity(codes, record["siren"]), ended: false });
  }
  return entities;
}

function toEntity(codes: readonly string[], siren: unknown): Omit<NationalEntity, "ended"> {
  const text = typeof siren === "string" ? siren.replaceAll(/\s/g, "") : "";
  return {
    numbers: [...new Set(codes)].map((code) => `PSDFR-ACPR-${code}`),
    target: isSiren(text) ? { kind: "register_number", number: `PSDFR-ACPR-${text}` } : null,
  };
}

/** Null for what is no list of codes. */
function readCodes(value: unknown): string[] | null {
  const list = typeof value === "string" ? parseList(value) : value;
  if (!Array.isArray(list)) return null;
  const codes = list.map((one: unknown) => (isObject(one) ? one["code"] : one));
  return codes.every((code) => typeof code === "string") ? codes.map((code) => code.trim()) : null;
}

function parseList(text: string): unknown {
  if (text.trim() === "") return [];
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
