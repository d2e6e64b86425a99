/** What the registers of one country, all sources together, know of one PSP. Reads KV; judges nothing. */

import { normaliseAuthorisationNumber } from "../eidas/authorisation-number.ts";
import { type Agent, findAgents, type StoredAgents } from "./agent-roll.ts";
import type { StoredPsps } from "./entries.ts";
import { registerKeys } from "./keys.ts";
import type { RegisterManifest } from "./manifest.ts";
import type { CategoryRecord, PspRecord } from "./psp-record.ts";

/** The part of Workers KV that a check needs: many keys in one call, which is one connection and one round trip. */
export interface RegisterReader {
  get(keys: string[], type: "json"): Promise<Map<string, unknown>>;
}

export interface FoundCategory {
  readonly psp: PspRecord;
  readonly record: CategoryRecord;
}

export interface RegisterReading {
  readonly country: string;
  /** The sources that are loaded, in order of precedence; empty when the country has no register here. */
  readonly manifests: readonly RegisterManifest[];
  /** Empty when the PSP is not found, or not without doubt. */
  readonly categories: readonly FoundCategory[];
  /** Several register entries bear the number, in one spelling or in several: none of them is taken. */
  readonly ambiguous: boolean;
}

/** Reads what a country's registers say of a PSP: one parallel round. `country` is an ISO code in capitals. */
export async function readRegister(kv: RegisterReader, country: string, authNumber: string): Promise<RegisterReading> {
  return readingFrom(await kv.get(registerReadKeys(country, authNumber), "json"), country, authNumber);
}

/** The keys of {@link readRegister}, for a caller that reads more in the same round. */
export const registerReadKeys = (country: string, authNumber: string): string[] =>
  registerKeys(country, authNumber).flatMap(({ manifest, psp, agents }) => [
    manifest,
    psp,
    ...(agents ? [agents] : []),
  ]);

/** The reading out of the values of {@link registerReadKeys}; a source without a manifest is not loaded. */
export function readingFrom(
  values: ReadonlyMap<string, unknown>,
  country: string,
  authNumber: string,
): RegisterReading {
  const loaded = registerKeys(country, authNumber).flatMap((keys) => {
    const manifest = values.get(keys.manifest) as RegisterManifest | null | undefined;
    if (!manifest) return [];
    const psps = (values.get(keys.psp) as StoredPsps | null | undefined) ?? [];
    const agents = (keys.agents && (values.get(keys.agents) as StoredAgents | null | undefined)) || "";
    return [{ manifest, match: findPsp(psps, findAgents(agents, authNumber), authNumber) }];
  });
  const ambiguous = loaded.some(({ match }) => match === "ambiguous");
  const matches = loaded.flatMap(({ match }) => (match === null || match === "ambiguous" ? [] : [match]));
  return {
    country,
    manifests: loaded.map(({ manifest }) => manifest),
    categories: ambiguous ? [] : mergeCategories(matches),
    ambiguous,
  };
}

/**
 * The only PSP that bears this number, in whatever spelling. The spelling decides nothing: two entries that differ in it
 * alone would be one PSP to every consent and token. An agent is looked at only where no institution fits: an
 * institution that is somebody's agent too is asked for as itself.
 */
function findPsp(
  psps: readonly PspRecord[],
  agents: readonly Agent[],
  authNumber: string,
): PspRecord | "ambiguous" | null {
  const pspId = normaliseAuthorisationNumber(authNumber);
  for (const candidates of [psps, agents.map(agentRecord)]) {
    const fitting = candidates.filter((psp) => normaliseAuthorisationNumber(psp.authNumber) === pspId);
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

/** Each category once, from the first source that has it; an institution's agency elsewhere is left out. */
function mergeCategories(psps: readonly PspRecord[]): FoundCategory[] {
  const found: FoundCategory[] = [];
  for (const psp of psps) {
    for (const record of psp.categories) {
      if (!found.some((earlier) => earlier.psp !== psp && earlier.record.category === record.category)) {
        found.push({ psp, record });
      }
    }
  }
  const institutions = found.filter(({ psp }) => !psp.agent);
  return institutions.length > 0 ? institutions : found;
}
