/**
 * KV keys of registers. All keys that a check reads follow from country and authorisation number, so that one parallel
 * round of reads is enough. Names contain the number's normal form without dashes: PSPs whose numbers differ only in
 * where the NCA ends share an entry, and lookup.ts distinguishes them.
 */

import { normaliseAuthorisationNumber, registeredNumbers } from "../eidas/authorisation-number.ts";
import { createHash } from "../platform/node-crypto.ts";
import { REGISTER_SOURCES, type RegisterSource, SOURCES } from "./sources.ts";

/** All manifests share a prefix, so that listing them does not list every PSP. */
export const REGISTER_MANIFESTS = "register/manifest/";

/**
 * The number of entries that a country's agents share: there are fifty agents to one institution, and they are rarely
 * read. It is part of the storage format: after a change the registers must be imported again.
 */
const AGENT_BUCKETS = 128;

const MAX_NUMBER_BYTES = 256;

export const manifestKey = (country: string, source: RegisterSource) => `${REGISTER_MANIFESTS}${country}/${source}`;
export const indexKey = (country: string, source: RegisterSource) => `register/${country}/${source}/index`;
export const pendingKey = (country: string, source: RegisterSource) => `register/${country}/${source}/pending`;
/** `name` as in the index: {@link pspName} or {@link agentsName}. */
export const entryKey = (country: string, source: RegisterSource, name: string) =>
  `register/${country}/${source}/${name}`;

const PSP_NAMES = "psp/";

/** The name of the entry for the PSP with this authorisation number, in any spelling. Other PSPs may share it. */
export const pspName = (authNumber: string): string => `${PSP_NAMES}${shortened(entryNumber(authNumber))}`;
/** Whether a name in the index is that of a PSP's entry. */
export const isPsp = (name: string): boolean => name.startsWith(PSP_NAMES);
/** The name of the shared entry with the agents of this entry number. */
export const agentsName = (entryNumber: string): string => `agents/${fnv1a(entryNumber) % AGENT_BUCKETS}`;

/** The authorisation number as part of an entry's name: the normal form without dashes. */
export const entryNumber = (authNumber: string): string => normaliseAuthorisationNumber(authNumber).replaceAll("-", "");

/** Long numbers are replaced by their hash: KV limits keys to 512 bytes. */
const shortened = (number: string): string =>
  new TextEncoder().encode(number).length <= MAX_NUMBER_BYTES
    ? number
    : `sha256:${createHash("sha256").update(number).digest("hex")}`;

/** FNV-1a, 32 bits: only distributes the numbers. Faster than SHA-256, as an import calls it 300,000 times. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export interface SourceKeys {
  readonly source: RegisterSource;
  readonly manifest: string;
  /** Of each spelling of `registeredNumbers`: two where the NCA has two abbreviations. */
  readonly psps: readonly string[];
  /** As `psps`; none where the source stores its agents with the PSPs. */
  readonly agents: readonly string[];
}

/** The keys of a PSP in all registers of a country, by source in order of precedence. */
export function registerKeys(country: string, authNumber: string): SourceKeys[] {
  const numbers = registeredNumbers(authNumber);
  return REGISTER_SOURCES.map((source) => ({
    source,
    manifest: manifestKey(country, source),
    psps: numbers.map((each) => entryKey(country, source, pspName(each))),
    agents: SOURCES[source].agentsApart
      ? numbers.map((each) => entryKey(country, source, agentsName(entryNumber(each))))
      : [],
  }));
}
