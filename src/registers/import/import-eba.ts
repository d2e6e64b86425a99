/** Imports the EBA's registers of all countries into KV; none of them if the register of one country looks broken. */
import type { KeyValueStore } from "../../key-value-store.ts";
import { AgentRoll } from "../agent-roll.ts";
import { listRegisters, type ManifestReader } from "../manifest.ts";
import type { Register } from "../register.ts";
import { findDrop, type ImportRefusal } from "./dropped-psps.ts";
import type { EbaRegisters } from "./eba-registers.ts";
import { type ImportCounts, type ImportOptions, importRegister } from "./import-register.ts";

export type EbaImport =
  | {
      readonly ok: true;
      readonly countries: readonly ImportCounts[];
      /** Entries of all countries left for the next run because of `maxWrites`. */
      readonly left: number;
    }
  /** Countries that would lose more than a tenth of their PSPs. Nothing was written. */
  | { readonly ok: false; readonly drops: readonly ImportRefusal[] };

/**
 * Replaces the EBA's register of every country that is in the file or stored. If it is interrupted, the next import
 * finishes it, because that is true of each country's import (import-register.ts). A finished country then costs one
 * write.
 */
export async function importEba(
  kv: KeyValueStore & ManifestReader,
  file: { readonly registers: EbaRegisters; readonly published: string },
  options: ImportOptions & { readonly onCountry?: (done: number, of: number) => void },
): Promise<EbaImport> {
  const registers = [...file.registers.registers(file.published)];
  const stored = (await listRegisters(kv)).filter(({ source }) => source === "eba");
  const gone = stored.filter(({ country }) => registers.every((register) => register.country !== country));
  const all: Register[] = [
    ...registers,
    ...gone.map(({ country, source, ncaId, ncaName }) => ({
      ...{ country, source, ncaId, ncaName, published: file.published },
      ...{ psps: [], agents: new AgentRoll(), refused: [] },
    })),
  ];
  if (!options.force) {
    const drops = await Promise.all(all.map((register) => findDrop(kv, register)));
    const refusals = drops.filter((drop) => drop !== null);
    if (refusals.length > 0) return { ok: false, drops: refusals };
  }
  const countries: ImportCounts[] = [];
  let writesLeft = options.maxWrites ?? Number.POSITIVE_INFINITY;
  for (const register of all) {
    const result = await importRegister(kv, register, { ...options, maxWrites: writesLeft, force: true });
    if (!result.ok) continue;
    countries.push(result);
    writesLeft -= result.written + result.removed;
    options.onCountry?.(countries.length, all.length);
  }
  return { ok: true, countries, left: countries.reduce((sum, { left }) => sum + left, 0) };
}
