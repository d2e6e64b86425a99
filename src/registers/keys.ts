/**
 * Where a register lies in KV. Everything that a check reads is named by country and authorisation number alone, so
 * that it is one parallel round of reads.
 */
import { createHash } from "node:crypto";
import { readCountry } from "./country.ts";
import { REGISTER_SOURCES, type RegisterSource } from "./psp-record.ts";

/** Manifests lie together, so that a listing of them does not walk through every PSP. */
export const REGISTER_MANIFESTS = "register/manifest/";

/**
 * Agents outnumber institutions fifty to one and are hardly ever asked for: each country's share this many entries.
 * The number is part of the stored form: a changed one needs a new import.
 */
const AGENT_BUCKETS = 128;

export const manifestKey = (country: string, source: RegisterSource) => `${REGISTER_MANIFESTS}${country}/${source}`;
export const indexKey = (country: string, source: RegisterSource) => `register/${country}/${source}/index`;
export const pendingKey = (country: string, source: RegisterSource) => `register/${country}/${source}/pending`;
/** `name` as the index has it: {@link pspName} or {@link agentsName}. */
export const entryKey = (country: string, source: RegisterSource, name: string) =>
  `register/${country}/${source}/${name}`;

/** The name of the entry that holds the PSPs whose number has this normalised form. */
export const pspName = (normalised: string) => `psp/${normalised}`;
/** The name of the entry that holds, among others, the agents whose number has this normalised form. */
export function agentsName(normalised: string): string {
  const [byte = 0] = createHash("sha256").update(normalised).digest();
  return `agents/${byte % AGENT_BUCKETS}`;
}

/**
 * An authorisation number without what registers and certificates spell differently: capitals and digits only, and the
 * ISO code of the country. `PSDFI-FINFSA-2858394-9` and `PSDFI-FIN-FSA-2858394-9` have the same one.
 */
export function normaliseNumber(authNumber: string): string {
  const bare = authNumber.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const [, country = "", rest = ""] = /^PSD([A-Z]{2})(.*)$/.exec(bare) ?? [];
  return country === "" ? bare : `PSD${readCountry(country)}${rest}`;
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
  const normalised = normaliseNumber(authNumber);
  return REGISTER_SOURCES.map((source) => ({
    source,
    manifest: manifestKey(country, source),
    psp: entryKey(country, source, pspName(normalised)),
    agents: source === "eba" ? entryKey(country, source, agentsName(normalised)) : null,
  }));
}
