/** When all faults have ended, the next refresh loads what the publisher says: of each list its newest issue, and nothing else. */

import { type ListedAnchor, TRUSTED_LIST_SOURCE } from "../../../src/trust/anchors.ts";
import { areFarApart } from "../clocks.ts";
import { refreshNow } from "../list-changes.ts";
import { Random } from "../random.ts";
import { COUNTRY, type Issue, LIST_OF_LISTS } from "../signed-issues.ts";
import type { World } from "../world.ts";
import type { Invariant, Judged } from "./invariant.ts";
import { readLoaded, TERRITORIES } from "./loaded-issues.ts";

const NAME = "lists are current";

const KV_MS = 60_000;
const ANCHORS = "trust/anchors/";

/** Services in KV that are of the national list. */
const readServices = ({ kv }: World): ListedAnchor[] =>
  [...kv.content()]
    .filter(([key]) => key.startsWith(ANCHORS))
    .flatMap(([, { bytes }]) => JSON.parse(Buffer.from(bytes).toString()) as ListedAnchor[])
    .filter(({ source, jurisdiction }) => source === TRUSTED_LIST_SOURCE && jurisdiction === COUNTRY);

const describe = (periods: readonly { readonly status: string; readonly from: string | number }[]): string =>
  periods.map(({ status, from }) => `${status} from ${new Date(from).toISOString()}`).join(", ");

function lookAtServices({ world, broken }: Judged, { number, periods }: Issue, isNamed: boolean): void {
  const services = readServices(world);
  if (services.length !== (isNamed ? 1 : 0)) broken(NAME, `KV holds ${services.length} services`);
  const [service] = services;
  if (!isNamed || !service) return;
  const published = describe(periods.toReversed());
  if (service.listSequenceNumber !== number || describe(service.periods) !== published)
    broken(NAME, `KV holds ${describe(service.periods)} of number ${service.listSequenceNumber}, not ${published}`);
}

export const listsAreCurrent: Invariant = {
  name: NAME,
  atEnd: async (judged) => {
    const { world, broken, occurred } = judged;
    // leases last for longer
    if (!world.swarm.lists || areFarApart(world.swarm.clocks)) return;
    const { publisher } = world.network;
    const random = new Random("current");
    for (let tries = 2; !(await refreshNow(world, random)); tries--) {
      if (tries === 0) return broken(NAME, "lists could not be refreshed");
      // KV may show here what was before the last refresh
      await world.scheduler.sleep(KV_MS);
    }
    const [listOfLists, national] = [publisher.newest(LIST_OF_LISTS), publisher.newest(COUNTRY)];
    const isNamed = listOfLists.names !== null;
    occurred(isNamed ? NAME : `${NAME}: dropped`);
    for (const territory of TERRITORIES) {
      const { number } = publisher.newest(territory);
      const loaded = readLoaded(world, territory)?.number;
      // of one that is named no longer the number stays
      if (loaded !== number && (territory === LIST_OF_LISTS || isNamed))
        broken(NAME, `of ${territory} number ${loaded} is loaded, not ${number}`);
    }
    lookAtServices(judged, national, isNamed);
  },
};
