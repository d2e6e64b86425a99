/** The shortest history that still breaks the same promise: parts of its plan are left out, half of them at first. */
import { type History, runHistory, type Setup } from "./history.ts";
import type { Swarm } from "./swarm.ts";

/** How many histories may be tried. */
const TRIES = 150;

/** `seed` and `history`: of one that broke a promise. */
export async function shrink(setup: Setup, seed: string, history: History): Promise<History> {
  const [promise] = history.broken.map((each) => each.promise);
  let best = history;
  let tries = TRIES;
  const attempt = async (swarm: Swarm): Promise<boolean> => {
    if (tries-- <= 0) return false;
    const shorter = await runHistory(setup, seed, { swarm });
    const stillBroken = shorter.broken.some((each) => each.promise === promise);
    if (stillBroken) best = shorter;
    return stillBroken;
  };
  const without = async (part: "entries" | "outages"): Promise<void> => {
    for (let size = Math.ceil(best.swarm[part].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let from = 0; from < best.swarm[part].length; ) {
        const list: readonly unknown[] = best.swarm[part];
        const rest = [...list.slice(0, from), ...list.slice(from + size)];
        if (!(await attempt({ ...best.swarm, [part]: rest } as Swarm))) from += size;
      }
  };
  for (const calmer of [{ strayShare: 0 }, { lostAnswers: 0 }, { clocks: "right" as const }, { accounts: 1 }])
    await attempt({ ...best.swarm, ...calmer });
  await without("outages");
  await without("entries");
  return await runHistory(setup, seed, { swarm: best.swarm, keepTrace: true });
}
