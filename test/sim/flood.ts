/** A stranger who sends more requests from one address than it may. */
import type { Random } from "./random.ts";
import type { Exchange } from "./requests.ts";
import type { World } from "./world.ts";

/** Not that of the banks. */
const ADDRESS = "198.51.100.7";
const BURST = { from: 5, to: 60 } as const;

export const isOfFlood = ({ headers }: Exchange): boolean => headers["CF-Connecting-IP"] === ADDRESS;

/** To one location; some at once, some spread over seconds. */
export async function flood(world: World, random: Random): Promise<void> {
  const location = random.pick(world.swarm.locations);
  const pauseMs = random.pick([0, 20, 200]);
  const sent: Promise<Exchange>[] = [];
  for (let left = random.between(BURST.from, BURST.to); left > 0; left--) {
    const request = { method: "GET", path: "/v1/nothing", headers: { "CF-Connecting-IP": ADDRESS } };
    sent.push(world.requests.send(location, request, random));
    await world.scheduler.sleep(random.between(0, pauseMs));
  }
  await Promise.all(sent);
}
