/** A register that lacks more than a tenth of the PSPs that are stored looks broken rather than new. */
import type { KeyValueStore } from "../../key-value-store.ts";
import { indexKey, PSP_NAMES, pspName } from "../keys.ts";
import type { Register } from "../psp-record.ts";
import type { Index } from "./import-plan.ts";

const MAX_DROPPED_SHARE = 0.1;

/** Why a register is not taken unless it is forced. */
export interface ImportRefusal {
  readonly reason: "drops-too-many";
  readonly country: string;
  readonly source: Register["source"];
  readonly stored: number;
  /** PSPs that are stored and missing in the register, or malformed there. */
  readonly dropped: number;
}

/** Whether the import would be refused without force: asked for each country of a file before any is written. */
export async function findDrop(kv: KeyValueStore, register: Register): Promise<ImportRefusal | null> {
  const index = await kv.get<Index>(indexKey(register.country, register.source), "json");
  return findDropIn(index ?? {}, register);
}

/** The same, by an index that is read already. */
export function findDropIn(index: Index, register: Register): ImportRefusal | null {
  const { country, source } = register;
  const sound = new Set(register.psps.map((psp) => pspName(psp.authNumber)));
  const stored = Object.keys(index).filter(isPsp);
  const dropped = stored.filter((name) => !sound.has(name)).length;
  if (dropped <= stored.length * MAX_DROPPED_SHARE) return null;
  return { reason: "drops-too-many", country, source, stored: stored.length, dropped };
}

/** Whether an entry is a PSP's, by its name in the index. */
export const isPsp = (name: string): boolean => name.startsWith(PSP_NAMES);
