/**
 * What is loaded of a trusted list, and the list of lists, never becomes an earlier issue. A later one with a smaller number would
 * be taken; this publisher makes none.
 */
import type { World } from "../world.ts";
import type { Invariant } from "./invariant.ts";
import { type Loaded, readLoaded, TERRITORIES } from "./loaded-issues.ts";

const NAME = "no older list";

const seen = new WeakMap<World, Map<string, Loaded>>();

export const noOlderList: Invariant = {
  name: NAME,
  onStep: ({ world, broken, occurred }, store) => {
    if (store !== "KV" || !world.swarm.lists) return;
    const known = seen.get(world) ?? new Map<string, Loaded>();
    seen.set(world, known);
    for (const territory of TERRITORIES) {
      const loaded = readLoaded(world, territory);
      const before = known.get(territory);
      if (!loaded || loaded === before) continue;
      known.set(territory, loaded);
      if (!before) continue;
      if (loaded.number > before.number) occurred(NAME);
      if (loaded.number < before.number)
        broken(NAME, `of ${territory} number ${loaded.number} took the place of ${before.number}`);
    }
  },
};
