/** A register as KV entries: one per PSP, and a fixed number of entries that the agents share. */
import { pspName } from "./keys.ts";
import type { PspRecord, Register } from "./psp-record.ts";

/** Value of an entry: mostly one PSP; several when numbers differ in nothing but blanks, dashes or case. */
export type StoredPsps = readonly PspRecord[];

/**
 * Name and JSON of every entry of the register, made one after the other, for a country's are too many to hold. Equal
 * registers give equal texts, in whatever order their PSPs came.
 */
export function* registerEntries(register: Pick<Register, "psps" | "agents">): Generator<readonly [string, string]> {
  const psps = [...register.psps].sort((a, b) => compare(a.authNumber, b.authNumber));
  for (const [name, stored] of Map.groupBy(psps, (psp) => pspName(psp.authNumber))) {
    yield [name, JSON.stringify(stored satisfies StoredPsps)];
  }
  for (const [name, agents] of register.agents.entries()) yield [name, JSON.stringify(agents)];
}

/** By code unit: the same on every machine, whatever its language. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
