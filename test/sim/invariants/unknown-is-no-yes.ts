/**
 * A certificate is accepted only by an answer of its QTSP that says good, and lasts. Where its responder said that it does not
 * know it, only a later good of a responder counts. In a calm world a certificate that was never revoked is accepted.
 */
import { areClose, CLOSE_MS } from "../clocks.ts";
import type { Exchange, World } from "../world.ts";
import type { Invariant } from "./invariant.ts";
import { findShown, isAccepted } from "./shown-certificate.ts";

const NAME = "unknown is no yes";
const MEMORY_MS = 60_000;

/** Whether the QTSP has said good, to any isolate, and that lasts until the request was sent. */
function isCleared({ network, swarm }: World, { sentAt, isolate }: Exchange, name: string): boolean {
  const isTimely = areClose(swarm.clocks);
  const lasts = (nextUpdate: number) => !isTimely || nextUpdate >= sentAt - CLOSE_MS;
  const unknown = network.heard.findLast(
    (heard) =>
      heard.name === name && heard.isolate === isolate && heard.status === "unknown" && heard.at < sentAt - MEMORY_MS,
  );
  const goods = network.heard.filter((heard) => heard.name === name && heard.status === "good");
  const isKnown = !unknown || goods.some(({ kind, thisUpdate }) => kind === "OCSP" && thisUpdate > unknown.thisUpdate);
  return isKnown && goods.some(({ nextUpdate }) => lasts(nextUpdate));
}

export const unknownIsNoYes: Invariant = {
  name: NAME,
  onAnswer: ({ world, broken, occurred }, exchange) => {
    const name = findShown(exchange);
    const accepted = name && isAccepted(exchange);
    // a clock that was set back keeps what it remembers for as long
    if (name === null || accepted === null || world.swarm.clocks === "stepping") return;
    if (!isCleared(world, exchange, name)) {
      occurred(NAME);
      if (accepted)
        broken(NAME, `request ${exchange.id} was accepted with the certificate "${name}", which nobody has cleared`);
    }
    if (!world.swarm.calm || world.network.qtsp.changes.some((change) => change.name === name)) return;
    occurred(`${NAME}: calm`);
    if (!accepted) broken(NAME, `request ${exchange.id} was refused with the certificate "${name}", which is good`);
  },
};
