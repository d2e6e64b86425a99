/** When all faults have ended, the next refresh loads the EBA's newest file: then every isolate answers by it (withdrawn-is-no-yes.ts). */
import { BANKS, Bank } from "../bank.ts";
import { BY_EBA, eidas } from "../certificates.ts";
import { areFarApart } from "../clocks.ts";
import { refreshEbaNow } from "../eba-changes.ts";
import { Random } from "../random.ts";
import { MEMORY_MS } from "../register-changes.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "the EBA's register is current";

export const ebaIsCurrent: Invariant = {
  name: NAME,
  atEnd: async ({ world, facts, broken, occurred }) => {
    const [credentials] = BANKS;
    // leases last for longer
    if (!world.swarm.eba || !credentials || areFarApart(world.swarm.clocks)) return;
    const random = new Random("current");
    if (!(await refreshEbaNow(world, facts, random))) return broken(NAME, "it could not be refreshed");
    occurred(NAME);
    await world.scheduler.sleep(MEMORY_MS);
    const bank = new Bank(world, credentials, random);
    const headers = { eidas: eidas(BY_EBA) };
    for (const isolate of world.isolates.filter(({ alive }) => alive))
      await bank.call("GET", "/v1/psp/eidas?version=latest&jurisdiction=XX", { headers }, undefined, isolate);
  },
};
