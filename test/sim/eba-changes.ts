/** The EBA publishes, and the operator has one of its registers refreshed: sooner than the hours in which it is due. */
import { BANKS, EBA } from "../../src/registers/sources.ts";
import type { EbaSource } from "./eba-publisher.ts";
import type { Facts } from "./facts.ts";
import { drawLife } from "./operator.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

const UNCHANGED_SHARE = 0.2;
const WITHOUT_BANK_SHARE = 0.3;

export async function publishByEba({ network, scheduler, trace }: World, random: Random): Promise<void> {
  for (let times = random.between(1, 2); times > 0; times--) {
    const { authorised } = network.eba.newest;
    network.eba.publish(random.chance(UNCHANGED_SHARE) ? authorised : !authorised, random.chance(WITHOUT_BANK_SHARE));
    const { newest } = network.eba;
    trace.mark(
      `the EBA publishes file ${newest.number}: ${newest.authorised}${newest.lacksBank ? ", without the bank" : ""}`,
    );
    await scheduler.sleep(random.between(500, 90_000));
  }
}

const KILLED_MS = { from: 5, to: 600 } as const;

/** Sometimes it is killed. */
export async function refreshEba(world: World, facts: Facts, random: Random): Promise<void> {
  await refreshEbaNow(world, facts, random, random.pick([EBA, BANKS]), drawLife(world, random, KILLED_MS));
}

/** Whether a file was taken, or is as it was. */
export async function refreshEbaNow(
  world: World,
  facts: Facts,
  random: Random,
  source: EbaSource,
  livesMs?: number,
): Promise<boolean> {
  const { network, scheduler, trace } = world;
  const begun = scheduler.now;
  const taken = await world.command<boolean>("refreshEba", [source], random, livesMs);
  // it may have been given any of these; a scheduled run as well
  const heard = network.filesHeard
    .filter((one) => one.source === source && one.at >= begun)
    .map(({ file }) => file.number);
  if (taken) facts.ebaLoads.push({ source, number: Math.min(...heard), endedAt: scheduler.now });
  trace.note(() => `the refresh of ${source} ends: ${taken === null ? "it failed, or was killed" : taken}`);
  return taken === true;
}
