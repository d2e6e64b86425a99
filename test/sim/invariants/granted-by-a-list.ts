/**
 * A certificate is accepted only by a service that a verified list grants: one that is loaded, or was two minutes ago, or whose
 * import has begun. While each of these grants it, it is not refused for its QTSP.
 */

import { errorsOf } from "../bank.ts";
import { keepTime, SECONDS_MS } from "../clocks.ts";
import { isGranted } from "../list-publisher.ts";
import type { Exchange } from "../requests.ts";
import { COUNTRY } from "../signed-issues.ts";
import type { World } from "../world.ts";
import type { Invariant } from "./invariant.ts";
import { type Loaded, readLoaded } from "./loaded-issues.ts";
import { findShown } from "./shown-certificate.ts";

const NAME = "granted by a list";
/** KV shows an import everywhere after a minute, and what was read before is used for a minute more. */
const MEMORY_MS = 120_000;

/** The loaded national list, and since when. */
const history = new WeakMap<World, { readonly loaded: Loaded; readonly at: number }[]>();

/** Null: the answer says neither. */
function isAccepted(exchange: Exchange): boolean | null {
  const { json, status } = exchange;
  const verdict: boolean | undefined = json?.eIDAS?.validity?.validQTSP;
  if (verdict !== undefined) return verdict;
  if (errorsOf(exchange).includes("qtsp_invalid")) return false;
  return status === 201 ? true : null;
}

/** Whether a list that counts for the request grants the service: of each that may. */
function findPossible(world: World, { sentAt, answeredAt }: Exchange): Set<boolean> {
  const all = history.get(world) ?? [];
  const first = Math.max(
    0,
    all.findLastIndex(({ at }) => at <= sentAt - MEMORY_MS),
  );
  const loaded = all.slice(first).map(({ loaded: { number, issuedAt, isEmpty } }) => {
    // an issue that is none of the publisher's grants nothing
    const issue = world.network.publisher.find(COUNTRY, number, issuedAt);
    return !isEmpty && issue !== undefined && isGranted(issue);
  });
  const { number, at } = { number: all[first]?.loaded.number ?? 0, at: all[first]?.at ?? 0 };
  // its services are written before its manifest, by an import that may have broken off
  const begun = world.network.issuesHeard.filter(
    (heard) =>
      heard.issue.territory === COUNTRY &&
      heard.issue.number >= number &&
      (all.length === 1 || heard.at >= at) &&
      heard.at <= (answeredAt ?? 0),
  );
  return new Set([...loaded, ...begun.map(({ issue }) => isGranted(issue))]);
}

/** Whether the publisher has named the national list all the time: one that is dropped loses its services before its manifest. */
const isAlwaysNamed = ({ network }: World): boolean =>
  network.publisher.issues.every(({ territory, names }) => territory === COUNTRY || names !== null);

/** By a clock that is behind a period has not begun yet. */
const hasBegunForAll = ({ network }: World, { sentAt }: Exchange): boolean =>
  network.publisher.issues.every(({ periods: [newest] }) => newest.from + SECONDS_MS < sentAt || newest.from > sentAt);

export const grantedByAList: Invariant = {
  name: NAME,
  onStep: ({ world }, store) => {
    if (store !== "KV" || !world.swarm.lists) return;
    const known = history.get(world) ?? [];
    history.set(world, known);
    const loaded = readLoaded(world, COUNTRY);
    if (loaded && loaded !== known.at(-1)?.loaded) known.push({ loaded, at: world.scheduler.now });
  },
  onAnswer: ({ world, broken, occurred }, exchange) => {
    // by a clock that is off by more a period begins later, and a memory lasts longer
    if (!world.swarm.lists || !keepTime(world.swarm.clocks)) return;
    const accepted = findShown(exchange) === null ? null : isAccepted(exchange);
    if (accepted === null) return;
    const possible = findPossible(world, exchange);
    if (possible.size !== 1) return;
    const granted = possible.has(true);
    if (granted && !(isAlwaysNamed(world) && hasBegunForAll(world, exchange))) return;
    occurred(granted ? `${NAME}: granted` : NAME);
    if (accepted && !granted) broken(NAME, `request ${exchange.id} was accepted, whose QTSP no list grants`);
    if (!accepted && granted) broken(NAME, `request ${exchange.id} was refused, whose QTSP each list grants`);
  },
};
