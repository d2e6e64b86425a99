/**
 * Where a register lies in KV. Everything that a check reads is named by country and authorisation number alone, so
 * that it is one parallel round of reads. Names hold the number's normal form without its dashes: PSPs of which nothing
 * but the border between NCA and reference differs share an entry, and the reader tells them apart (reading.ts).
 */
import { createHash } from "node:crypto";
import { normaliseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { REGISTER_SOURCES, type RegisterSource } from "./psp-record.ts";

/** Manifests lie together, so that a listing of them does not walk through every PSP. */
export const REGISTER_MANIFESTS = "register/manifest/";

/**
 * Agents outnumber institutions fifty to one and are hardly ever asked for: each country's share this many entries.
 * The number is part of the stored form: a changed one needs a new import.
 */
const AGENT_BUCKETS = 128;

const MAX_NUMBER_BYTES = 256;

export const manifestKey = (country: string, source: RegisterSource) => `${REGISTER_MANIFESTS}${country}/${source}`;
export const indexKey = (country: string, source: RegisterSource) => `register/${country}/${source}/index`;
export const pendingKey = (country: string, source: RegisterSource) => `register/${country}/${source}/pending`;
/** `name` as the index has it: {@link pspName} or {@link agentsName}. */
export const entryKey = (country: string, source: RegisterSource, name: string) =>
  `register/${country}/${source}/${name}`;

export const PSP_NAMES = "psp/";

/** The name of the entry that holds, perhaps among others, the PSP of this authorisation number, in any spelling. */
export const pspName = (authNumber: string): string => `${PSP_NAMES}${shortened(entryNumber(authNumber))}`;
/** The name of the entry that holds, among others, the agents of this entry number. */
export const agentsName = (entryNumber: string): string => `agents/${fnv1a(entryNumber) % AGENT_BUCKETS}`;

/** The part of an entry's name that comes from the authorisation number. */
export const entryNumber = (authNumber: string): string => normaliseAuthorisationNumber(authNumber).replaceAll("-", "");

/** A number on a certificate may be as long as it likes, a KV key not: 512 bytes. */
const shortened = (number: string): string =>
  new TextEncoder().encode(number).length <= MAX_NUMBER_BYTES
    ? number
    : `sha256:${createHash("sha256").update(number).digest("hex")}`;

/** FNV-1a, 32 bits: only spreads the numbers, and does so three hundred thousand times an import. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export interface SourceKeys {
  readonly source: RegisterSource;
  readonly manifest: string;
  readonly psp: string;
  /** Only the EBA's register has agents by the thousand; another's stand among its PSPs. */
  readonly agents: string | null;
}

/** The keys that tell all that the registers of a country know of a PSP, by source in order of precedence. */
export function registerKeys(country: string, authNumber: string): SourceKeys[] {
  return REGISTER_SOURCES.map((source) => ({
    source,
    manifest: manifestKey(country, source),
    psp: entryKey(country, source, pspName(authNumber)),
    agents: source === "eba" ? entryKey(country, source, agentsName(entryNumber(authNumber))) : null,
  }));
}
