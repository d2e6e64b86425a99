/**
 * An isolate that has received a revocation accepts the certificate no more, a minute later, until the QTSP says good of a later
 * instant. Old answers and forged ones clear nobody.
 */
import type { Heard } from "../network.ts";
import type { World } from "../world.ts";
import type { Invariant } from "./invariant.ts";
import { findShown, isAccepted } from "./shown-certificate.ts";

const NAME = "revoked stays revoked";
/** "A revocation reaches each place within a minute." */
const MEMORY_MS = 60_000;

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
    const revocation = findRevocation(world, exchange.isolate, name, exchange.sentAt - MEMORY_MS);
    if (!revocation) return;
    const isCleared = world.network.heard.some(
      (heard) => heard.name === name && heard.status === "good" && heard.thisUpdate > revocation.thisUpdate,
    );
    occurred(isCleared ? `${NAME}: until a later good answer` : NAME);
    if (accepted && !isCleared)
      broken(
        NAME,
        `request ${exchange.id} was accepted with the certificate "${name}", of which ${exchange.isolate.name} had received a revocation`,
      );
  },
};
