/**
 * Looks a PSP up in the registers of one country, all sources together. Makes no decision. Readings are cached in the
 * isolate, because an active PSP is checked often.
 */

import {
  normaliseAuthorisationNumber,
  parseAuthorisationNumber,
  registeredNumbers,
} from "../eidas/authorisation-number.ts";
import type { Instant } from "../platform/instant.ts";
import { memoryKey, memoryOf } from "../platform/memory.ts";
import { callStore } from "../platform/stores.ts";
import type { FoundCategory } from "./found-category.ts";
import { registerKeys } from "./keys.ts";
import type { RegisterManifest } from "./manifest.ts";
import { mergeCategories, type SourceReading } from "./merge.ts";
import type { PspRecord } from "./psp-record.ts";
import { type Agent, findAgents, type StoredAgents, type StoredPsps, withoutCopies } from "./register.ts";
import { nextRegisterDay } from "./status.ts";

/** The part of Workers KV that a check needs: reads many keys over one connection in one round trip. */
export interface RegisterReader {
  get(keys: string[], type: "json"): Promise<Map<string, unknown>>;
}

interface ReadManifest extends RegisterManifest {
  /** The PSP's entry in it, if it stays from the earlier snapshot that `published` is then of. */
  readonly stays?: Pick<PspRecord, "authNumber" | "absentSince">;
}

export interface RegisterReading {
  readonly country: string;
  /** Of the loaded sources, in order of precedence; empty if no register of the country is loaded. */
  readonly manifests: readonly ReadManifest[];
  /** Empty if the PSP is not found, or is ambiguous. */
  readonly categories: readonly FoundCategory[];
  /** Several register entries have this number, in the same or in different spellings, so none is used. */
  readonly ambiguous: boolean;
  /** Set if it is ambiguous by links alone: those of its number lead to several entries (number-links.ts). */
  readonly contradicted?: true;
}

/** After an import, a withdrawn authorisation takes effect within this time. KV's own cache allows no shorter one. */
const READING_LIFETIME_SECONDS = 30;

/** By country and authorisation number. */
const knownRegisters = memoryOf<RegisterReading>("registers");

/** As {@link readRegister}; at most one round trip to KV. */
export async function findRegister(
  kv: KVNamespace,
  country: string,
  authNumber: string,
  now: Instant,
  within?: number,
): Promise<RegisterReading> {
  // digested: the length of a number on a certificate is not limited
  const key = memoryKey(`${country} ${normaliseAuthorisationNumber(authNumber)}`);
  const known = knownRegisters.get(key, now);
  if (known) return known;
  // a copy: in V8 a substring of the agents' entry would keep the whole text in memory
  const reading = structuredClone(await readRegister(kv, country, authNumber, now, within));
  // several sources are taken together as of a day (merge.ts)
  const until = Math.min(now + READING_LIFETIME_SECONDS * 1000, nextRegisterDay(now));
  knownRegisters.set(key, reading, until, now);
  return reading;
}

/** The PSP's home register; an empty one if the number has no country. */
export async function findHomeRegister(kv: KVNamespace, authNumber: string, now: Instant): Promise<RegisterReading> {
  const number = parseAuthorisationNumber(authNumber);
  if (!number.ok) return { country: "", manifests: [], categories: [], ambiguous: false };
  return findRegister(kv, number.country, authNumber, now);
}

/** As {@link findHomeRegister}, but null if it cannot be read: for answers that must be given all the same. */
export const findHomeRegisterIfReadable = (
  kv: KVNamespace,
  authNumber: string,
  now: Instant,
): Promise<RegisterReading | null> => findHomeRegister(kv, authNumber, now).catch(() => null);

/**
 * Reads a PSP's entries in a country's registers: one round trip, of at most `within` milliseconds. `country` is an ISO
 * code in upper case.
 */
export async function readRegister(
  kv: RegisterReader,
  country: string,
  authNumber: string,
  now: Instant,
  within?: number,
): Promise<RegisterReading> {
  const keys = registerReadKeys(country, authNumber);
  return readingFrom(await callStore("register", () => kv.get(keys, "json"), within), country, authNumber, now);
}

/** The keys of {@link readRegister}, for a caller that reads other keys in the same round trip. */
const registerReadKeys = (country: string, authNumber: string): string[] =>
  registerKeys(country, authNumber).flatMap(({ manifest, psps, agents }) => [
    manifest,
    ...psps,
    // they may share one entry
    ...new Set(agents),
  ]);

/** Builds the reading from the values of {@link registerReadKeys}. A source without a manifest is not loaded. */
export function readingFrom(
  values: ReadonlyMap<string, unknown>,
  country: string,
  authNumber: string,
  now: Instant,
): RegisterReading {
  const numbers = registeredNumbers(authNumber);
  const loaded = registerKeys(country, authNumber).flatMap((keys) => {
    const manifest = values.get(keys.manifest) as RegisterManifest | null | undefined;
    if (!manifest) return [];
    const psps = keys.psps.flatMap((key) => (values.get(key) as StoredPsps | null | undefined) ?? []);
    const agents = keys.agents.flatMap((key, i) =>
      findAgents((values.get(key) as StoredAgents | null | undefined) ?? "", numbers[i] ?? authNumber),
    );
    return [{ manifest, entry: findPsp(withoutCopies(psps), agents, authNumber), copy: findCopy(psps, authNumber) }];
  });
  const isByLink = loaded.every(({ entry }) => entry === null);
  const sources = loaded.map(({ manifest, entry, copy }) => ({
    ...{ manifest, match: isByLink ? copy : entry },
    // under its own number another source may have it, too
    linked: isByLink || copy !== null,
  }));
  const ambiguous = sources.some(({ match }) => match === "ambiguous");
  const number = parseAuthorisationNumber(authNumber);
  const isHome = number.ok && number.country === country;
  return {
    country,
    manifests: sources.map(({ manifest, match }) => asOfMatch(manifest, match)),
    categories: ambiguous ? [] : mergeCategories(sources.map(toSourceReading), { country, isHome, now }),
    ambiguous,
    ...(ambiguous && isByLink && { contradicted: true }),
  };
}

type Match = PspRecord | "ambiguous" | null;

interface ReadSource {
  readonly manifest: RegisterManifest;
  readonly match: Match;
  readonly linked: boolean;
}

const toSourceReading = ({ manifest: { source, lacks, whole }, match, linked }: ReadSource): SourceReading => ({
  ...{ source, psp: match === "ambiguous" ? null : match, linked },
  ...(lacks && { lacks }),
  ...(whole && { whole }),
});

/** What is found is of the snapshot that it stays from, and as old. */
function asOfMatch(manifest: RegisterManifest, match: Match): ReadManifest {
  if (match === null || match === "ambiguous" || match.asOf === undefined) return manifest;
  const { authNumber, absentSince, asOf } = match;
  return { ...manifest, published: asOf, stays: { authNumber, ...(absentSince !== undefined && { absentSince }) } };
}

/** The copy that a link made under this number. It counts only where no source has an entry of the number. */
function findCopy(psps: readonly PspRecord[], authNumber: string): Match {
  const numbers = registeredNumbers(authNumber);
  const [copy, ...more] = psps.filter(({ link }) => link && numbers.includes(link.number));
  if (!copy) return null;
  return more.length > 0 || copy.link?.by === null ? "ambiguous" : copy;
}

/**
 * Finds the only PSP with this number, in any spelling. Two entries whose numbers differ only in spelling are
 * ambiguous, because consents and tokens would treat them as one PSP. Agents are considered only if no institution
 * matches: an institution that is also an agent is found as an institution.
 */
function findPsp(psps: readonly PspRecord[], agents: readonly Agent[], authNumber: string): Match {
  const numbers = registeredNumbers(authNumber);
  for (const candidates of [psps, agents.map(agentRecord)]) {
    const fitting = candidates.filter((psp) => numbers.includes(normaliseAuthorisationNumber(psp.authNumber)));
    if (fitting.length > 1) return "ambiguous";
    if (fitting[0]) return fitting[0];
  }
  return null;
}

const agentRecord = ({ authNumber, legalName }: Agent): PspRecord => ({
  authNumber,
  agent: true,
  categories: [{ category: null, legalName, status: null, services: [], passportOut: {} }],
});
