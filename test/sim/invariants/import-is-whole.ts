/**
 * A register's import that broke off anywhere leaves each PSP as it was before, or as it is in the new file. The next import
 * finishes it: then the stores hold what the last file says, and nothing else.
 */

import { entryKey } from "../../../src/registers/keys.ts";
import { registerEntries } from "../../../src/registers/register.ts";
import { areFarApart } from "../clocks.ts";
import { Random } from "../random.ts";
import { importNow, readBase } from "../register-changes.ts";
import type { Invariant, Judged } from "./invariant.ts";

const NAME = "an import is whole";
const ENTRIES = entryKey("XX", "nca", "psp/");

/** Whether what lies in KV is of one of the last `count` files. */
function lookAtEntries({ world, facts, broken }: Judged, count: number): void {
  const registers = [readBase(), ...facts.imports.map(({ register }) => register)].slice(-count);
  const files = registers.map(
    (register) => new Map([...registerEntries(register)].map(([name, value]) => [name, value])),
  );
  const stored = [...world.kv.content()].filter(([key]) => key.startsWith(ENTRIES));
  for (const [key, { bytes }] of stored) {
    const [name, text] = [key.slice(entryKey("XX", "nca", "").length), Buffer.from(bytes).toString()];
    if (!files.some((file) => file.get(name) === text)) broken(NAME, `${key} is as in none of the files`);
  }
  if (stored.length !== registers.at(-1)?.psps.length) broken(NAME, `KV holds ${stored.length} PSPs`);
}

export const importIsWhole: Invariant = {
  name: NAME,
  atEnd: async (judged) => {
    const { world, facts, broken, occurred } = judged;
    const last = facts.imports.at(-1);
    if (!last) return;
    lookAtEntries(judged, facts.imports.length + 1);
    if (last.endedAt === null) occurred(`${NAME}: broken off`);
    // leases and pauses last for longer
    if (areFarApart(world.swarm.clocks)) return;
    const random = new Random("repeated");
    for (let tries = 3; last.endedAt === null; tries--) {
      if (tries === 0) return broken(NAME, "an import that broke off could not be repeated");
      // KV takes one write of a key in a second
      await world.scheduler.sleep(5_000);
      await importNow(world, last, random);
    }
    occurred(`${NAME}: finished`);
    lookAtEntries(judged, 1);
  },
};
