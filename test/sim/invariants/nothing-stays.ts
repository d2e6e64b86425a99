/**
 * What is kept for a time is gone after it, whatever failed meanwhile: codes, ids of requests, and the counts of addresses. Each
 * has an object of its own, so else there would be more of them for ever.
 */
import { isScheduled } from "../swarm.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "nothing stays";
const KEPT_FOR_A_TIME: ReadonlySet<string> = new Set(["AuthorizationCode", "RateWindow"]);
/** A code's 60 seconds and its token's hour; the clocks that set it may be an hour ahead. */
const LONGEST_MS = 7_500_000;

export const nothingStays: Invariant = {
  name: NAME,
  patienceMs: 2 * LONGEST_MS,
  atEnd: async ({ world, broken, occurred }) => {
    // the cron trigger would fire a hundred times
    if (isScheduled(world.swarm)) return;
    await world.scheduler.sleep(LONGEST_MS);
    for (const { className, name, disk } of world.objects.all.values()) {
      if (!KEPT_FOR_A_TIME.has(className)) continue;
      occurred(`${NAME}: ${className}`);
      if (disk.values.size > 0) broken(NAME, `the object ${className} ${name.slice(0, 8)} holds what has ended`);
    }
  },
};
