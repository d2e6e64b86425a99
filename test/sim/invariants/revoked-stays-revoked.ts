/**
 * An isolate that has received a revocation accepts the certificate no more, a minute later, until the QTSP says good of a later
 * instant. Where KV has taken it, no isolate does, four minutes later. Old answers and forged ones clear nobody.
 */
import { areClose } from "../clocks.ts";
import type { Heard } from "../network.ts";
import type { World } from "../world.ts";
import type { Invariant } from "./invariant.ts";
import { findShown, isAccepted } from "./shown-certificate.ts";

const NAME = "revoked stays revoked";
/** "A revocation reaches each place within a minute." */
const MEMORY_MS = 60_000;

/** KV takes one write of a key in a minute, shows it a minute later, and what was read and answered before is remembered for a minute each. */
const EVERYWHERE_MS = 4 * MEMORY_MS;
/** Long enough to write it, when its request has been answered. */
const WRITTEN_MS = 3_000;

/** The last that KV has taken: nothing failed. */
function findKept({ network, swarm }: World, name: string, until: number): Heard | undefined {
  const { outages, strayShare, limits, clocks } = swarm;
  if (outages.some(({ store }) => store === "KV") || strayShare > 0) return undefined;
  if (limits.extendedMs < WRITTEN_MS || !areClose(clocks)) return undefined;
  return network.heard.findLast(
    (heard) =>
      heard.name === name &&
      (heard.status === "revoked" || heard.status === "hold") &&
      heard.at < until &&
      (heard.isolate.diedAt ?? until) > heard.at + WRITTEN_MS,
  );
}

/** The last that counts; by a clock that is behind it is of the future, and nothing is known by it. */
function findRevocation({ network }: World, isolate: Heard["isolate"], name: string, until: number): Heard | undefined {
  return network.heard.findLast(
    (heard) =>
      heard.name === name &&
      heard.isolate === isolate &&
      (heard.status === "revoked" || heard.status === "hold") &&
      heard.at < until &&
      heard.thisUpdate <= isolate.now() - (until - heard.at),
  );
}

export const revokedStaysRevoked: Invariant = {
  name: NAME,
  onAnswer: ({ world, broken, occurred }, exchange) => {
    const name = findShown(exchange);
    const accepted = name && isAccepted(exchange);
    // a clock that was set back keeps what it remembers for as long
    if (name === null || accepted === null || world.swarm.clocks === "stepping") return;
    const own = findRevocation(world, exchange.isolate, name, exchange.sentAt - MEMORY_MS);
    const kept = findKept(world, name, exchange.sentAt - EVERYWHERE_MS);
    const revocation = [own, kept].reduce((a, b) => (a && (!b || a.thisUpdate > b.thisUpdate) ? a : b));
    if (!revocation) return;
    const isCleared = world.network.heard.some(
      (heard) => heard.name === name && heard.status === "good" && heard.thisUpdate > revocation.thisUpdate,
    );
    occurred(isCleared ? `${NAME}: until a later good answer` : revocation === own ? NAME : `${NAME}: everywhere`);
    if (accepted && !isCleared)
      broken(
        NAME,
        `request ${exchange.id} was accepted with the certificate "${name}", of which ${revocation.isolate.name} had received a revocation`,
      );
  },
};
