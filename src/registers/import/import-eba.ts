/** Imports the EBA's registers of all countries into KV; none of them if the register of one country looks broken. */
import { clock } from "../../clock.ts";
import { AgentRoll } from "../agent-roll.ts";
import { listRegisters } from "../manifest.ts";
import type { Register } from "../register.ts";
import { findDrop, type ImportRefusal } from "./dropped-psps.ts";
import type { EbaRegisters } from "./eba-registers.ts";
import { type ImportCounts, type ImportOptions, importRegister } from "./import-register.ts";
import { listImportRuns } from "./import-runs.ts";
import { type RegisterStores, settledAt, type Unsettled, unsettled } from "./stored-register.ts";

export type EbaImport =
  | {
      readonly ok: true;
      readonly countries: readonly ImportCounts[];
      /** Entries of all countries left for the next run because of `maxWrites`. */
      readonly left: number;
    }
  /** Countries that would lose more than a tenth of their PSPs. Nothing was written. */
  | { readonly ok: false; readonly reason: "drops-too-many"; readonly drops: readonly ImportRefusal[] }
  /** The first country of which KV does not show yet what the last import wrote; those before it may be imported. */
  | Unsettled;

/**
 * Replaces the EBA's register of every country that is in the file or stored. If it is interrupted, the next import
 * finishes it, because that is true of each country's import (import-register.ts). A finished country then costs one
 * write.
 */
export async function importEba(
  stores: RegisterStores,
  file: { readonly registers: EbaRegisters; readonly published: string },
  options: ImportOptions & { readonly onCountry?: (done: number, of: number) => void },
): Promise<EbaImport> {
  const registers = [...file.registers.registers(file.published)];
  const runs = await listImportRuns(stores.DB, "eba");
  const stored = (await listRegisters(stores.KV)).filter(({ source }) => source === "eba");
  const isIn = (countries: readonly { country: string }[], one: string) =>
    countries.some(({ country }) => country === one);
  const gone = stored.filter(({ country }) => !isIn(registers, country));
  const unlisted = runs.find(({ country }) => !isIn(registers, country) && !isIn(stored, country));
  if (unlisted && clock.now() < settledAt(unlisted)) return unsettled(unlisted, settledAt(unlisted));
  const all: Register[] = [
    ...registers,
    ...gone.map(({ country, source, ncaId, ncaName }) => ({
      ...{ country, source, ncaId, ncaName, published: file.published },
      ...{ psps: [], agents: new AgentRoll(), refused: [] },
    })),
  ];
  if (!options.force) {
    const runOf = (one: string) => runs.find(({ country }) => country === one) ?? null;
    const found = await Promise.all(all.map((register) => findDrop(stores.KV, register, runOf(register.country))));
    const waits = found.find((one) => one?.reason === "unsettled");
    if (waits) return waits;
    const drops = found.filter((one) => one?.reason === "drops-too-many");
    if (drops.length > 0) return { ok: false, reason: "drops-too-many", drops };
  }
  const countries: ImportCounts[] = [];
  let writesLeft = options.maxWrites ?? Number.POSITIVE_INFINITY;
  for (const register of all) {
    const result = await importRegister(stores, register, { ...options, maxWrites: writesLeft, force: true });
    if (!result.ok && result.reason === "unsettled") return result;
    if (!result.ok) continue;
    countries.push(result);
    writesLeft -= result.written + result.removed;
    options.onCountry?.(countries.length, all.length);
  }
  return { ok: true, countries, left: countries.reduce((sum, { left }) => sum + left, 0) };
}
