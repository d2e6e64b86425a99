/** Imports the EBA's registers of all countries into KV; none of them if the register of one country looks broken. */
import { clock } from "../../platform/clock.ts";
import { AgentRoll } from "../agent-roll.ts";
import { listRegisters, type RegisterManifest } from "../manifest.ts";
import type { Register } from "../register.ts";
import { findDrop, type ImportRefusal } from "./dropped-psps.ts";
import type { EbaRegisters } from "./eba-registers.ts";
import type { ImportCounts } from "./import-counts.ts";
import { importOver, type RegisterImportOptions } from "./import-register.ts";
import { listImportRuns } from "./import-runs.ts";
import {
  type RegisterStores,
  readStored,
  type StoredRegister,
  settledAt,
  type Unsettled,
  unsettled,
} from "./stored-register.ts";

export type EbaImport =
  | {
      readonly ok: true;
      readonly countries: readonly ImportCounts[];
      /** Entries of all countries left for the next run because of `maxWrites`. */
      readonly left: number;
    }
  /** Countries that would lose more than a tenth of their PSPs. Nothing was written. */
  | { readonly ok: false; readonly reason: "drops-too-many"; readonly drops: readonly ImportRefusal[] }
  /** A country of which KV does not show yet what the last import wrote. Those before it may be imported. */
  | Unsettled;

/**
 * Replaces the EBA's register of every country that is in the file or stored. If it is interrupted, the next import
 * finishes it, because that is true of each country's import (import-register.ts). A finished country then costs one
 * write. Nothing is written before what is stored was read of all; that is held meanwhile, some 0.1 KB for each PSP.
 */
export async function importEba(
  stores: RegisterStores,
  file: { readonly registers: EbaRegisters; readonly published: string },
  options: Omit<RegisterImportOptions, "refuseOlder"> & { readonly onCountry?: (done: number, of: number) => void },
): Promise<EbaImport> {
  const registers = [...file.registers.registers(file.published)];
  const runs = await listImportRuns(stores.DB, "eba");
  const manifests = (await listRegisters(stores.KV)).filter(({ source }) => source === "eba");
  const inFile = new Set(registers.map(({ country }) => country));
  const shown = new Set(manifests.map(({ country }) => country));
  // imported, and not in the list of KV: it may not show it yet
  const hidden = runs.find(({ country }) => !inFile.has(country) && !shown.has(country));
  if (hidden && clock.now() < settledAt(hidden)) return unsettled(hidden, settledAt(hidden));
  const gone = manifests.filter(({ country }) => !inFile.has(country));
  const all = [...registers, ...gone.map((manifest) => withoutPsps(manifest, file.published))];
  const found = await Promise.all(
    all.map(async (register) => {
      const last = runs.find(({ country }) => country === register.country) ?? null;
      return { register, stored: await readStored(stores.KV, register, last) };
    }),
  );
  const settled: { register: Register; stored: StoredRegister }[] = [];
  for (const { register, stored } of found) {
    if (!stored.ok) return stored;
    settled.push({ register, stored });
  }
  const drops = options.force ? [] : settled.flatMap(({ register, stored }) => findDrop(stored.index, register) ?? []);
  if (drops.length > 0) return { ok: false, reason: "drops-too-many", drops };
  const countries: ImportCounts[] = [];
  let writesLeft = options.maxWrites ?? Number.POSITIVE_INFINITY;
  for (const { register, stored } of settled) {
    const result = await importOver(stores, register, stored, { ...options, maxWrites: writesLeft });
    if (!result.ok) return result;
    countries.push(result);
    writesLeft -= result.written + result.removed;
    options.onCountry?.(countries.length, all.length);
  }
  return { ok: true, countries, left: countries.reduce((sum, { left }) => sum + left, 0) };
}

/** The register of a country of which the file has nothing any more. */
const withoutPsps = ({ country, source, ncaId, ncaName }: RegisterManifest, published: string): Register => ({
  ...{ country, source, ncaId, ncaName, published },
  ...{ psps: [], agents: new AgentRoll(), refused: [] },
});
