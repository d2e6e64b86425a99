/** Refuses a register that lacks several PSPs, more than a tenth of the stored: it is more likely to be broken than correct. */
import { PSP_NAMES, pspName } from "../keys.ts";
import type { Register } from "../register.ts";
import type { Index } from "./import-plan.ts";

const MAX_DROPPED_SHARE = 0.1;

/** Why a register is not imported without `force`. */
export interface ImportRefusal {
  readonly reason: "drops-too-many";
  readonly country: string;
  readonly source: Register["source"];
  readonly stored: number;
  /** Number of stored PSPs that are missing, malformed or undated in the register. */
  readonly dropped: number;
}

/** `index`: of the stored entries. */
export function findDrop(index: Index, register: Register): ImportRefusal | null {
  const { country, source } = register;
  const sound = new Set(register.psps.map((psp) => pspName(psp.authNumber)));
  // a source that writes its days in another way is broken, too
  for (const authNumber of register.undated ?? []) sound.delete(pspName(authNumber));
  const stored = Object.keys(index).filter(isPsp);
  const dropped = stored.filter((name) => !sound.has(name)).length;
  // one may always go: in a country with less than ten PSPs it is more than a tenth
  if (dropped <= Math.max(1, stored.length * MAX_DROPPED_SHARE)) return null;
  return { reason: "drops-too-many", country, source, stored: stored.length, dropped };
}

/** Whether the name in the index is that of a PSP's entry. */
export const isPsp = (name: string): boolean => name.startsWith(PSP_NAMES);
