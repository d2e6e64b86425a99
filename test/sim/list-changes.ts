/** The publisher changes its lists, and the operator has them refreshed: sooner than the hour in which they are due. */
import { LIST_CHANGES } from "./list-publisher.ts";
import { drawLife } from "./operator.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** Mostly its service, and whether the list is named. */
const CHANGES = ["service", "service", "pointer", "pointer", ...LIST_CHANGES] as const;

export async function changeLists({ network, scheduler, trace }: World, random: Random): Promise<void> {
  for (let times = random.between(1, 2); times > 0; times--) {
    const change = random.pick(CHANGES);
    network.publisher.change(change);
    trace.mark(`the publisher of lists changes: ${change}`);
    await scheduler.sleep(random.between(500, 90_000));
  }
}

const KILLED_MS = { from: 5, to: 400 } as const;

/** Sometimes it is killed. */
export async function refreshLists(world: World, random: Random): Promise<void> {
  await refreshNow(world, random, drawLife(world, random, KILLED_MS));
}

/** Whether each list was taken, or is as it was. */
export async function refreshNow(world: World, random: Random, livesMs?: number): Promise<boolean> {
  const taken = await world.command<boolean>("refreshLists", [], random, livesMs);
  world.trace.note(() => `the refresh of lists ends: ${taken === null ? "it failed, or was killed" : taken}`);
  return taken === true;
}
