/** Once an administrator has the answer that a person's sessions are ended, no page opens with one that there was. */
import { isBefore } from "../facts.ts";
import type { Invariant } from "./invariant.ts";

const NAME = "ended session is dead";

export const endedSessionIsDead: Invariant = {
  name: NAME,
  onAnswer: ({ facts, broken, occurred }, exchange) => {
    const page = facts.pages.get(exchange);
    if (!page) return;
    // the browser is sent on when it was done
    const end = facts.sessionEnds.find(
      ({ began, exchange: ends }) => began === page.began && ends.status === 303 && isBefore(ends, exchange),
    );
    if (!end || exchange.status === 0) return;
    occurred(NAME);
    if (exchange.status === 200)
      broken(NAME, `request ${exchange.id} got a page with the session that request ${end.exchange.id} had ended`);
  },
};
