/**
 * Of one address no more passes than the limit, and what isolates have not heard of each other: one that let a request pass has
 * heard three seconds later of all that had passed anywhere three seconds before. Nobody is refused below the limit.
 */
import { isOfFlood } from "../flood.ts";
import type { Exchange } from "../requests.ts";
import type { Outage } from "../travel.ts";
import type { World } from "../world.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "a limit holds";
const HEARD_MS = 3_000;
/** Five minutes, less by what clocks differ and a second counts as a whole; and more. */
const WINDOW_MS = { least: 298_000, most: 303_000 } as const;
/** A report without an answer is made again after ten seconds. */
const LOST_MS = 10_000;
const LATEST_MS = 60_000;

const passed = ({ status }: Exchange): boolean => status !== 429 && status !== 0;

const isDisturbed = ({ swarm }: World, from: number, until: number, isMeant = (_: Outage) => true): boolean =>
  swarm.outages.some(
    (outage) => outage.store === "object" && outage.from < until && outage.until > from && isMeant(outage),
  );

/** When its isolate's report of it has arrived; null: it is not certain to. */
function heardAt(world: World, { sentAt, answeredAt, isolate }: Exchange): number | null {
  if (answeredAt === null || !isolate.alive) return null;
  return isDisturbed(world, sentAt - LOST_MS, answeredAt + HEARD_MS) ? null : answeredAt + HEARD_MS;
}

/** Those that the isolate knew of when it let this one pass. */
function listKnown(world: World, { isolate, sentAt, answeredAt }: Exchange): Exchange[] {
  const since = (answeredAt ?? 0) - WINDOW_MS.least;
  const before = world.exchanges.filter(
    (each) => isOfFlood(each) && passed(each) && each.sentAt >= since && (each.answeredAt ?? sentAt) < sentAt,
  );
  const asked = before.findLast((each) => each.isolate === isolate && (heardAt(world, each) ?? sentAt) < sentAt);
  return before.filter(
    (each) => each.isolate === isolate || (asked && (heardAt(world, each) ?? asked.sentAt) < asked.sentAt),
  );
}

export const limitHolds: Invariant = {
  name: NAME,
  onAnswer: ({ world, broken, occurred }, exchange) => {
    const { status, id, sentAt } = exchange;
    const limit = world.swarm.requestLimit;
    if (!isOfFlood(exchange)) {
      if (status === 429) broken(NAME, `request ${id} was refused, of an address that sent fewer than ${limit}`);
      return;
    }
    const answeredAt = exchange.answeredAt ?? sentAt;
    if (passed(exchange)) {
      const known = listKnown(world, exchange).length;
      if (known >= limit) broken(NAME, `request ${id} passed, after ${known} that its isolate knew of`);
    }
    if (status !== 429) return;
    // what has no answer may be counted twice
    const isUnsure = ({ fates }: Outage) => fates.some((fate) => fate !== "refused");
    if (isDisturbed(world, sentAt - WINDOW_MS.most - LATEST_MS, answeredAt, isUnsure)) return;
    occurred(NAME);
    const counted = world.exchanges.filter(
      (each) => isOfFlood(each) && each.status !== 429 && each.sentAt >= sentAt - WINDOW_MS.most,
    );
    if (counted.filter(({ isolate }) => isolate === exchange.isolate).length < limit)
      occurred(`${NAME}: by what others said`);
    if (counted.length < limit) broken(NAME, `request ${id} was refused after ${counted.length}`);
  },
};
