/** A code has at most one live token at every instant, in the stores too, and so has a payment order. */
import { isBefore } from "../facts.ts";
import type { Invariant } from "./invariant.ts";
import { listStoredTokens } from "./stored-tokens.ts";

const NAME = "one live token";

export const oneLiveToken: Invariant = {
  name: NAME,
  onStep: ({ world, broken, occurred }, store) => {
    if (store !== "D1") return;
    const seen = new Set<string>();
    const paid = new Set<string>();
    for (const { id, codeId, paymentOrder } of listStoredTokens(world)) {
      if (paymentOrder !== null && paid.has(paymentOrder))
        broken(NAME, `D1 holds two live tokens of the payment order ${paymentOrder}`);
      if (paymentOrder !== null) paid.add(paymentOrder);
      if (codeId === "") broken(NAME, `D1 holds the token ${id}, which no code gave`);
      else if (seen.has(codeId)) broken(NAME, `D1 holds two live tokens of the code ${codeId.slice(0, 8)}`);
      seen.add(codeId);
      occurred(NAME);
    }
  },
  onAnswer: ({ facts, broken }, exchange) => {
    const asked = facts.introspections.get(exchange);
    if (exchange.json?.active !== true || !asked) return;
    const { token } = asked;
    for (const [other, { token: another }] of facts.introspections)
      if (
        another !== token &&
        another.code === token.code &&
        other.json?.active === true &&
        isBefore(token.issue, other)
      )
        broken(NAME, `two tokens of one code were active: requests ${other.id} and ${exchange.id}`);
  },
};
