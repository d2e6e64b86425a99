/** Nothing is active after its `exp`, by the clock of the isolate that says so. */
import type { Invariant } from "./invariant.ts";

const NAME = "not after its end";

export const notAfterItsEnd: Invariant = {
  name: NAME,
  onAnswer: ({ facts, broken, occurred }, exchange) => {
    const { json, arrivedAt } = exchange;
    if (!facts.introspections.has(exchange) || json?.active !== true || arrivedAt === null) return;
    occurred(NAME);
    if (json.exp * 1000 <= arrivedAt) broken(NAME, `request ${exchange.id} was called active after its end`);
  },
};
