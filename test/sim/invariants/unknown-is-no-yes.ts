/**
 * A certificate is accepted only by an answer of its QTSP that says good, and lasts. Where its responder said that it does not
 * know it, only a later good of a responder counts. An isolate that has accepted a certificate does so again while the answer
 * lasts, if nobody has heard anything else. In a calm world a certificate that was never revoked is accepted.
 */
import { areClose, CLOSE_MS } from "../clocks.ts";
import type { Exchange } from "../requests.ts";
import type { World } from "../world.ts";
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

/** Whether its isolate has accepted the certificate before, by an answer that lasts, and nobody has heard anything but good. */
function isClearedAgain({ network, exchanges, swarm }: World, exchange: Exchange, name: string): boolean {
  // without its issuer no answer is verified
  if (!areClose(swarm.clocks) || network.publisher.hasChanged) return false;
  const earlier = exchanges.filter(
    (each) =>
      each.isolate === exchange.isolate &&
      (each.answeredAt ?? Number.POSITIVE_INFINITY) < exchange.sentAt &&
      findShown(each) === name,
  );
  const before = earlier.find((each) => isAccepted(each));
  // an answer is remembered, whatever it said
  if (earlier.some((each) => each.sentAt > exchange.sentAt - MEMORY_MS && isAccepted(each) === false)) return false;
  const heard = network.heard.filter((each) => each.name === name);
  if (!before || heard.some(({ status }) => status !== "good")) return false;
  // by one of these, or by a newer one, which may last less long
  const counted = heard.filter(
    (each) => each.at < (before.answeredAt ?? 0) && each.nextUpdate >= before.sentAt - CLOSE_MS,
  );
  const since = Math.min(...counted.map(({ thisUpdate }) => thisUpdate));
  const newer = heard.filter(({ thisUpdate }) => thisUpdate >= since);
  return newer.every(({ nextUpdate }) => nextUpdate > (exchange.answeredAt ?? 0) + CLOSE_MS);
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
    if (isClearedAgain(world, exchange, name)) {
      occurred(`${NAME}: accepted before`);
      if (!accepted) broken(NAME, `request ${exchange.id} was refused with the certificate "${name}", accepted before`);
    }
    const { qtsp, publisher } = world.network;
    if (!world.swarm.calm || publisher.hasChanged || qtsp.changes.some((change) => change.name === name)) return;
    occurred(`${NAME}: calm`);
    if (!accepted) broken(NAME, `request ${exchange.id} was refused with the certificate "${name}", which is good`);
  },
};
