/** Nothing works for another institution or PSP. */
import type { Invariant } from "./invariant.ts";

const NAME = "only for its own";

export const onlyForItsOwn: Invariant = {
  name: NAME,
  onAnswer: ({ facts, broken, occurred }, exchange) => {
    const attempt = facts.attempts.get(exchange);
    if (attempt && !attempt.lawful) {
      occurred(`${NAME}: code`);
      if (exchange.status === 201) broken(NAME, `request ${exchange.id} redeemed the code of another PSP`);
    }
    const asked = facts.introspections.get(exchange);
    if (asked && asked.fi !== asked.token.code.fi) {
      occurred(`${NAME}: token`);
      if (exchange.json?.active === true)
        broken(NAME, `request ${exchange.id} was told of another institution's token`);
    }
  },
};
