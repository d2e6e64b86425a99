/**
 * Nothing is active after its `exp`, by the clock of the isolate that says so. Where all clocks are right, no code is redeemed
 * after its 60 seconds.
 */
import type { Invariant } from "./invariant.ts";

const NAME = "not after its end";
const LIFETIME_MS = 60_000;

export const notAfterItsEnd: Invariant = {
  name: NAME,
  onAnswer: ({ world, facts, broken, occurred }, exchange) => {
    const { json, arrivedAt, sentAt, status } = exchange;
    const code = facts.attempts.get(exchange)?.code;
    if (code && world.swarm.clocks === "right" && sentAt > (code.issue.answeredAt ?? sentAt) + LIFETIME_MS) {
      occurred(`${NAME}: code`);
      if (status === 201) broken(NAME, `request ${exchange.id} redeemed a code after its 60 seconds`);
    }
    if (!facts.introspections.has(exchange) || json?.active !== true || arrivedAt === null) return;
    occurred(`${NAME}: token`);
    // it may have been set back since
    if (world.swarm.clocks === "stepping") return;
    if (json.exp * 1000 <= arrivedAt) broken(NAME, `request ${exchange.id} was called active after its end`);
  },
};
