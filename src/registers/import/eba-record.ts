/**
 * Parses one record of the golden copy of the EBA's Payment Institutions Register. The records are entered by the
 * national authorities: a value may be a string or a list, properties are a list of objects with one key each, and a
 * key may occur twice.
 */
import { readCountry } from "../../platform/country.ts";
import type { Category, CategoryRecord, PaymentServices } from "../psp-record.ts";

/** Entity types with an authorisation or registration. PSD_EXC and PSD_ENL are not authorisations. */
const CATEGORIES: ReadonlyMap<string, Category | "Branch"> = new Map([
  ["PSD_PI", "Payment Institution"],
  ["PSD_EPI", "Exempt Payment Institution"],
  ["PSD_EMI", "E-Money Institution"],
  ["PSD_EEMI", "Exempt E-Money Institution"],
  ["PSD_AISP", "AISP"],
  ["PSD_BR", "Branch"],
]);
const NO_AUTHORISATIONS: ReadonlySet<string> = new Set(["PSD_EXC", "PSD_ENL"]);

interface EbaIdentity {
  /** The code of the NCA, which begins with the ISO code of its country: `FI_FIN-FSA`. */
  readonly owner: string;
  readonly country: string;
  /** `PSD_PI FI_FIN-FSA!2858394-9`: type and code, because one code may be both a PI and an EMI. */
  readonly key: string;
  /** One for each reference that the NCA gave to the entity. */
  readonly authNumbers: readonly string[];
  /** Null for a type that is not on the EBA's code list, and for an agent. */
  readonly category: CategoryRecord["category"];
}

export interface EbaInstitution extends EbaIdentity {
  readonly kind: "institution";
  /** Null for a branch that has its parent's name, and where a withdrawn one lacks its own. */
  readonly legalName: string | null;
  readonly parentCode: string | null;
  readonly code: string;
  /**
   * Days (YYYY-MM-DD) on which authorisation was alternately given and withdrawn. Null: the last turn is a withdrawal, and
   * it cannot be read when: the EBA's form has no other field for the status, so it is not known.
   */
  readonly days: readonly string[] | null;
  /** Country -> payment services there, for the home country and for passports. */
  readonly services: ReadonlyMap<string, PaymentServices>;
  /** yyyymmddhhmmssSSS. */
  readonly version: string;
}

interface EbaAgent extends EbaIdentity {
  readonly kind: "agent";
  readonly legalName: string;
}

export type EbaRecord =
  | EbaInstitution
  | EbaAgent
  /** Not the record of a payment service provider. */
  | { readonly kind: "other" }
  /** `identity` is null if the entity cannot be identified, or is an agent: no stored record depends on an agent's. */
  | { readonly kind: "malformed"; readonly identity: EbaIdentity | null; readonly reason: string };

export function readEbaRecord(value: unknown): EbaRecord {
  if (!isObject(value)) return malformed(null, "not an object");
  if ("__EBA_Disclaimer" in value) return { kind: "other" };
  const { CA_OwnerID: owner, EntityCode: code, EntityType: type, __EBA_EntityVersion: version } = value;
  if (typeof type === "string" && NO_AUTHORISATIONS.has(type)) return { kind: "other" };
  if (typeof owner !== "string" || typeof code !== "string" || typeof type !== "string") {
    return malformed(null, "CA_OwnerID, EntityCode or EntityType is missing");
  }
  const properties = mergeLists(value["Properties"]);
  if (!properties) return malformed(null, `${type} ${code}: Properties is not a list of objects`);
  const identity = identify(owner, code, type, properties.get("ENT_NAT_REF_COD") ?? []);
  if (!identity) return malformed(null, `${type} ${code}: no country or reference can be made of ${owner}`);

  const legalName = properties.get("ENT_NAM")?.[0]?.trim() || null;
  if (type === "PSD_AG") {
    return legalName ? { kind: "agent", ...identity, legalName } : malformed(null, `${type} ${code}: no ENT_NAM`);
  }
  const stated = properties.get("ENT_AUT") ?? [];
  // the last turn is a withdrawal: an earlier record that stayed without this one would be a wrong yes
  const ends = stated.length > 0 && stated.length % 2 === 0;
  if (legalName === null && identity.category !== "Branch" && !ends)
    return malformed(identity, `${type} ${code}: no ENT_NAM`);
  const days = areAscendingDays(stated) ? stated : null;
  if (!days && !ends) return malformed(identity, `${type} ${code}: ENT_AUT is not an ascending list of days`);
  const services = readServices(value["Services"]);
  if (!services && !ends) return malformed(identity, `${type} ${code}: Services is not a list of services by country`);
  const parentCode = properties.get("ENT_COD_PAR_ENT")?.[0] ?? null;
  return {
    ...{ kind: "institution", ...identity, legalName, parentCode, code },
    ...{ days, services: services ?? new Map() },
    version: typeof version === "string" ? version : "",
  };
}

const malformed = (identity: EbaIdentity | null, reason: string): EbaRecord => ({
  kind: "malformed",
  identity,
  reason,
});

/**
 * Composes PSDFI-FINFSA-2858394-9 from `FI_FIN-FSA` and `2858394-9`, as in certificates: the NCA in a number contains
 * no separator (ETSI TS 119 495, GEN-5.2.1-3).
 */
function identify(owner: string, code: string, type: string, references: readonly string[]): EbaIdentity | null {
  const [, countryCode = "", nca] = /^([A-Za-z]{2})_(.+)$/.exec(owner) ?? [];
  const country = readCountry(countryCode);
  const own = references.map((reference) => reference.trim()).filter((reference) => /[A-Za-z0-9]/.test(reference));
  // an entity without a reference has its code without the NCA: PSD_PI!PT_BP!8703 is 8703, and BE_NBB!0713629988!ES is
  // 0713629988!ES, a branch of 0713629988
  const tail = code.includes(`${owner}!`)
    ? code.slice(code.indexOf(`${owner}!`) + owner.length + 1)
    : code.split("!").at(-1);
  const distinct = [...new Set(own.length > 0 ? own : [tail ?? ""])];
  const acronym = nca?.replaceAll(/[-_\s]/g, "");
  if (country === null || !acronym || !distinct.every((reference) => /[\p{L}\p{N}]/u.test(reference))) return null;
  const authNumbers = distinct.map((reference) => `PSD${country}-${acronym}-${reference}`);
  return {
    owner: `${country}_${nca}`,
    country,
    key: `${type} ${code}`,
    authNumbers,
    category: CATEGORIES.get(type) ?? null,
  };
}

function areAscendingDays(days: readonly string[]): boolean {
  return days.every(
    (day, i) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) && (days[i - 1] ?? "") <= day,
  );
}

/** PS_010 is 1, PS_03A to PS_03C are 3. ES_010, the issuing of electronic money, is not a payment service. */
const serviceNumber = (code: string): number | null => {
  const [, digit] = /^PS_0([1-8])[0A-Z]$/.exec(code) ?? [];
  return digit === undefined ? null : Number(digit);
};

/** Equal lists share one object to save memory: there are few different ones, and an institution has about thirty. */
const knownServices = new Map<string, PaymentServices>();

function readServices(value: unknown): Map<string, PaymentServices> | null {
  const byCountry = mergeLists(value ?? []);
  if (!byCountry) return null;
  const services = new Map<string, PaymentServices>();
  for (const [code, codes] of byCountry) {
    const country = readCountry(code);
    if (country === null) return null;
    // EL and GR are one country
    const earlier = services.get(country) ?? [];
    const numbers = [...new Set([...earlier, ...codes.map(serviceNumber).filter((number) => number !== null)])].sort();
    const known = knownServices.get(numbers.join()) ?? numbers;
    knownServices.set(numbers.join(), known);
    services.set(country, known);
  }
  return services;
}

/**
 * Reads `[{"A": "1"}, {"B": ["2", "3"]}, {"A": "4"}]` as A -> 1, 4 and B -> 2, 3; null for any other shape. What is no
 * text is empty: without its place in a list, the day of a withdrawal would be that of an authorisation.
 */
function mergeLists(value: unknown): Map<string, readonly string[]> | null {
  if (!Array.isArray(value)) return null;
  const merged = new Map<string, string[]>();
  for (const item of value) {
    if (!isObject(item)) return null;
    for (const [key, one] of Object.entries(item)) {
      const list = merged.get(key) ?? [];
      for (const entry of Array.isArray(one) ? one : [one].filter(isScalar))
        list.push(isScalar(entry) ? String(entry) : "");
      merged.set(key, list);
    }
  }
  return merged;
}

const isScalar = (value: unknown): boolean => typeof value === "string" || typeof value === "number";

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
