/** When all faults have ended, the next refreshes load what the EBA published last: then every isolate answers by it (withdrawn-is-no-yes.ts). */
import { BANKS, EBA } from "../../../src/registers/sources.ts";
import { Bank, BANKS as INSTITUTIONS } from "../bank.ts";
import { BY_BANKS, BY_EBA, eidas } from "../certificates.ts";
import { areFarApart } from "../clocks.ts";
import { refreshEbaNow } from "../eba-changes.ts";
import { Random } from "../random.ts";
import { MEMORY_MS } from "../register-changes.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "the EBA's registers are current";

export const ebaIsCurrent: Invariant = {
  name: NAME,
  atEnd: async ({ world, facts, broken, occurred }) => {
    const [credentials] = INSTITUTIONS;
    // leases last for longer
    if (!world.swarm.eba || !credentials || areFarApart(world.swarm.clocks)) return;
    const random = new Random("current");
    const { newest } = world.network.eba;
    if (newest.lacksBank) world.network.eba.publish(newest.authorised);
    for (const source of [EBA, BANKS]) {
      if (!(await refreshEbaNow(world, facts, random, source))) return broken(NAME, `${source} could not be refreshed`);
      occurred(`${NAME}: ${source}`);
    }
    await world.scheduler.sleep(MEMORY_MS);
    const bank = new Bank(world, credentials, random);
    for (const name of [BY_EBA, BY_BANKS])
      for (const isolate of world.isolates.filter(({ alive }) => alive)) {
        const headers = { eidas: eidas(name) };
        await bank.call("GET", "/v1/psp/eidas?version=latest&jurisdiction=XX", { headers }, undefined, isolate);
      }
  },
};
