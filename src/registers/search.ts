/**
 * Searches what registers have loaded, by a part of a name, a number, or an LEI. Reads every institution of the countries that
 * are searched, a hundred in a call: for people, who ask seldom. Agents are not searched: there are 300,000, most of them persons.
 */

import { normaliseAuthorisationNumber, parseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import type { Instant } from "../platform/instant.ts";
import { bulkReads, callStore, inLanes, LONG_STORE_TIMEOUT_MS } from "../platform/stores.ts";
import { entryKey, entryNumber, indexKey, isPsp } from "./keys.ts";
import { listRegisters, type ManifestReader, type RegisterManifest } from "./manifest.ts";
import { listAbroad, type Passport } from "./passport.ts";
import { type EntityNumber, type EntryLink, type PspRecord, servicesOf } from "./psp-record.ts";
import type { StoredPsps } from "./register.ts";
import type { RegisterSource } from "./sources.ts";
import { statusAt } from "./status.ts";

export const MIN_SOUGHT_CHARACTERS = 3;
export const MOST_FOUND = 50;

/** The connections that an invocation may have at once. */
const CALLS_AT_ONCE = 6;

interface SearchReader extends ManifestReader {
  get(key: string, type: "json"): Promise<unknown>;
  get(keys: string[], type: "json"): Promise<Map<string, unknown>>;
}

export interface FoundEntry {
  readonly country: string;
  readonly source: RegisterSource;
  readonly psp: PspRecord;
  /** Numbers of certificates that lead to it by a link, in normal form. */
  readonly linked: readonly EntryLink[];
}

export interface RegisterSearch {
  /** By country, source and number; at most {@link MOST_FOUND}, if nothing else is said. */
  readonly entries: readonly FoundEntry[];
  /** There are more. */
  readonly more: boolean;
  /** The registers that were searched. */
  readonly searched: readonly { readonly country: string; readonly source: RegisterSource }[];
}

/** `country`: null for all; at most `most` entries. One that the text names as an authorisation number is the only one. */
export async function searchRegisters(
  kv: SearchReader,
  sought: string,
  country: string | null,
  most = MOST_FOUND,
): Promise<RegisterSearch> {
  const number = parseAuthorisationNumber(sought);
  const only = number.ok ? number.country : country;
  const manifests = (await listRegisters(kv)).filter((manifest) => only === null || manifest.country === only);
  const keys = await listKeys(kv, manifests);
  const fits = matcher(sought);
  const found = new Map<string, FoundEntry>();
  await inLanes(CALLS_AT_ONCE, bulkReads(keys), async (batch) => {
    const names = batch.map(({ key }) => key);
    const values = await callStore("register", () => kv.get(names, "json"), LONG_STORE_TIMEOUT_MS);
    for (const { key, register } of batch)
      for (const psp of (values.get(key) as StoredPsps | null | undefined) ?? [])
        if (psp.link?.by !== null && fits(psp)) addFound(found, register, psp);
  });
  const entries = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
  const searched = manifests.map(({ country: of, source }) => ({ country: of, source }));
  return { entries: entries.slice(0, most), more: entries.length > most, searched };
}

/** An entry and its copies under linked numbers (number-links.ts) are one. */
function addFound(found: Map<string, FoundEntry>, { country, source }: RegisterManifest, psp: PspRecord): void {
  const place = `${country} ${source} ${psp.authNumber}`;
  const { link, ...entry } = psp;
  const linked = [...(found.get(place)?.linked ?? []), ...(link ? [link] : [])];
  found.set(place, { country, source, psp: entry, linked });
}

async function listKeys(kv: SearchReader, manifests: readonly RegisterManifest[]) {
  const keys: { readonly key: string; readonly register: RegisterManifest }[] = [];
  await inLanes(CALLS_AT_ONCE, manifests.values(), async (register) => {
    const { country, source } = register;
    const index = await callStore("register", () => kv.get(indexKey(country, source), "json"), LONG_STORE_TIMEOUT_MS);
    for (const name of Object.keys(index ?? {}).filter(isPsp))
      keys.push({ key: entryKey(country, source, name), register });
  });
  return keys;
}

/** Without case, accents and punctuation; each word of the text has to stand in one name. */
export const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** By a name, or by any of the numbers, in whichever spelling. */
function matcher(sought: string): (psp: PspRecord) => boolean {
  const words = plain(sought)
    .split(" ")
    .filter((word) => word !== "");
  const digits = entryNumber(sought).toUpperCase();
  const number = digits.replaceAll(/[^A-Z0-9]/g, "");
  const isSought = (given: string): boolean =>
    number.length >= MIN_SOUGHT_CHARACTERS &&
    entryNumber(given)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, "")
      .endsWith(number);
  return ({ authNumber, link, numbers = [], categories }) =>
    [authNumber, ...(link ? [link.number] : []), ...numbers.map((one) => one.number)].some(isSought) ||
    (words.length > 0 &&
      categories.some(({ legalName, otherNames = [] }) =>
        [legalName, ...otherNames].some((name) => words.every((word) => plain(name).includes(word))),
      ));
}

/** For people: an entry with all its names, numbers, and ways into other countries. */
export interface DescribedEntry {
  readonly country: string;
  readonly source: RegisterSource;
  readonly authorisation_number: string;
  /** In normal form, as tokens and consents have it. */
  readonly psp_id: string;
  readonly names: readonly string[];
  readonly numbers: readonly EntityNumber[];
  readonly linked: readonly DescribedLink[];
  /** ISO 8601; null: of the loaded snapshot. */
  readonly as_of: string | null;
  readonly categories: readonly DescribedCategory[];
}

/** A number by which certificates find it, and who says so; `as_of`: YYYY-MM-DD, null of a rule. */
interface DescribedLink {
  readonly number: string;
  readonly kind: string;
  readonly source: string;
  readonly as_of: string | null;
}

interface DescribedCategory {
  readonly category: string;
  readonly status: string | null;
  readonly services: readonly number[];
  /** Of a host register: the PSP's home country; null of its own. */
  readonly from: string | null;
  /** By country, in alphabetical order. */
  readonly abroad: readonly { readonly country: string; readonly ways: readonly Passport[] }[];
}

export function describeEntry({ country, source, psp, linked }: FoundEntry, now: Instant): DescribedEntry {
  const { authNumber, numbers = [], categories, agent, asOf = null } = psp;
  const number = parseAuthorisationNumber(authNumber);
  const home = number.ok && number.country !== country ? number.country : null;
  const names = categories.flatMap(({ legalName, otherNames = [] }) => [legalName, ...otherNames]);
  return {
    ...{ country, source, authorisation_number: authNumber, psp_id: normaliseAuthorisationNumber(authNumber) },
    ...{ names: [...new Set(names)], numbers, as_of: asOf },
    linked: linked.flatMap(({ number, by }) =>
      by === null ? [] : [{ number, kind: by.kind, source: by.source, as_of: by.asOf }],
    ),
    categories: categories.map((record) => ({
      category: record.category ?? (agent ? "Agent" : "Not documented"),
      status: statusAt(psp, record, now),
      services: servicesOf(record),
      from: record.passportIn ?? home,
      abroad: listAbroad(record, country, now),
    })),
  };
}
