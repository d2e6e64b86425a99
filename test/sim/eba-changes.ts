/** The EBA publishes, and the operator has its register refreshed: sooner than the hours in which it is due. */
import type { Facts } from "./facts.ts";
import { drawLife } from "./operator.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

const UNCHANGED_SHARE = 0.2;

export async function publishByEba({ network, scheduler, trace }: World, random: Random): Promise<void> {
  for (let times = random.between(1, 2); times > 0; times--) {
    const { authorised } = network.eba.newest;
    network.eba.publish(random.chance(UNCHANGED_SHARE) ? authorised : !authorised);
    trace.mark(`the EBA publishes file ${network.eba.newest.number}: ${network.eba.newest.authorised}`);
    await scheduler.sleep(random.between(500, 90_000));
  }
}

const KILLED_MS = { from: 5, to: 600 } as const;

/** Sometimes it is killed. */
export async function refreshEba(world: World, facts: Facts, random: Random): Promise<void> {
  await refreshEbaNow(world, facts, random, drawLife(world, random, KILLED_MS));
}

/** Whether a file was taken, or is as it was. */
export async function refreshEbaNow(world: World, facts: Facts, random: Random, livesMs?: number): Promise<boolean> {
  const { network, scheduler, trace } = world;
  const begun = scheduler.now;
  const taken = await world.command<boolean>("refreshEba", [], random, livesMs);
  // it may have been given any of these; a scheduled run as well
  const heard = network.filesHeard.filter(({ at }) => at >= begun).map(({ file }) => file.number);
  if (taken) facts.ebaLoads.push({ number: Math.min(...heard), endedAt: scheduler.now });
  trace.note(() => `the refresh of the EBA's register ends: ${taken === null ? "it failed, or was killed" : taken}`);
  return taken === true;
}
