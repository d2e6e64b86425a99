/**
 * What all records of the EBA's registers (EUCLID) share. The national authorities enter them: a value may be a string or a
 * list, properties are a list of objects with one key each, and a key may occur twice.
 */
import { readCountry } from "../../platform/country.ts";
import { isLei } from "../check-digits.ts";

export type Properties = ReadonlyMap<string, readonly string[]>;

/** Whose record it is. The owner's code begins with the country: `FI_FIN-FSA`. */
export interface Owner {
  /** With the ISO code of the country. */
  readonly code: string;
  readonly country: string;
  /** As in authorisation numbers: the NCA contains no separator there (ETSI TS 119 495, GEN-5.2.1-3). */
  readonly acronym: string;
}

/** Null for a code without a country or an NCA. */
export function readOwner(text: string): Owner | null {
  const [, countryCode = "", nca = ""] = /^([A-Za-z]{2})_(.+)$/.exec(text) ?? [];
  const country = readCountry(countryCode);
  const acronym = nca.replaceAll(/[-_\s]/g, "");
  return country === null || acronym === "" ? null : { code: `${country}_${nca}`, country, acronym };
}

/** Composes PSDFI-FINFSA-2858394-9 from an authority and its reference `2858394-9`, as in certificates. */
export const composeNumber = ({ country, acronym }: Owner, reference: string): string =>
  `PSD${country}-${acronym}-${reference}`;

/** The references that the authority gave, each once. An LEI is none: it is given by others. */
export const readReferences = (properties: Properties): string[] => [
  ...new Set(
    (properties.get("ENT_NAT_REF_COD") ?? [])
      .map((reference) => reference.trim())
      .filter((reference) => /[A-Za-z0-9]/.test(reference) && !isLei(reference)),
  ),
];

export interface Names {
  /** The first that is written in Latin letters, else the first. */
  readonly legalName: string;
  readonly otherNames: readonly string[];
}

/** Null where none is given. */
export function orderNames(given: readonly string[]): Names | null {
  const names = [...new Set(given.map((name) => name.trim()).filter((name) => name !== ""))];
  const legalName = names.find((name) => /\p{Script=Latin}/u.test(name)) ?? names[0];
  if (legalName === undefined) return null;
  return { legalName, otherNames: names.filter((name) => name !== legalName) };
}

/** Days (YYYY-MM-DD), none before the one before it. */
export const areAscendingDays = (days: readonly string[]): boolean =>
  days.every((day, i) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) && (days[i - 1] ?? "") <= day);

/**
 * Reads `[{"A": "1"}, {"B": ["2", "3"]}, {"A": "4"}]` as A -> 1, 4 and B -> 2, 3; null for any other shape. What is no
 * text is empty: without its place in a list, the day of a withdrawal would be that of an authorisation.
 */
export function mergeLists(value: unknown): Properties | null {
  if (!Array.isArray(value)) return null;
  const merged = new Map<string, string[]>();
  for (const item of value) {
    if (!isObject(item)) return null;
    for (const [key, one] of Object.entries(item)) {
      const list = merged.get(key) ?? [];
      for (const element of Array.isArray(one) ? one : [one].filter(isScalar))
        list.push(isScalar(element) ? String(element) : "");
      merged.set(key, list);
    }
  }
  return merged;
}

/** As the EBA writes it: `20260814223344848` -> `2026-08-14T22:33:44.848Z`; null for anything else. */
export function ebaInstant(version: string): string | null {
  const [, year, month, day, hour, minute, second, millisecond] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/.exec(version) ?? [];
  if (millisecond === undefined) return null;
  const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(instant) ? null : new Date(instant).toISOString();
}

export const countOne = (counts: Record<string, number>, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** Of a country's records the owner that most of them have: whose register it is. */
export function mostFrequent(values: readonly string[]): string | null {
  const counted = [...Map.groupBy(values, (value) => value)].sort(([, a], [, b]) => b.length - a.length);
  return counted[0]?.[0] ?? null;
}

const isScalar = (value: unknown): boolean => typeof value === "string" || typeof value === "number";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
