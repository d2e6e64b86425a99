/** A register as KV entries: one for each PSP, and a fixed number of entries that the agents share. */
import { pspName } from "./keys.ts";
import type { PspRecord } from "./psp-record.ts";
import type { Register } from "./register.ts";

/** The value of an entry: usually one PSP; several if their numbers differ only in blanks, dashes or case. */
export type StoredPsps = readonly PspRecord[];

/**
 * The name and JSON of every entry of the register. A generator, because a country's entries would need too much memory
 * together. The result does not depend on the order of the PSPs.
 */
export function* registerEntries(register: Pick<Register, "psps" | "agents">): Generator<readonly [string, string]> {
  const psps = [...register.psps].sort((a, b) => compare(a.authNumber, b.authNumber));
  for (const [name, stored] of Map.groupBy(psps, (psp) => pspName(psp.authNumber))) {
    yield [name, JSON.stringify(stored satisfies StoredPsps)];
  }
  for (const [name, agents] of register.agents.entries()) yield [name, JSON.stringify(agents)];
}

/** Compares by UTF-16 code unit, so that the order does not depend on the machine's locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
