/** After an answer `code_used` every token of the code is dead for good, and no attempt that is sent later gets one. */
import { errorsOf } from "../bank.ts";
import { type Code, isBefore } from "../facts.ts";
import type { Exchange } from "../requests.ts";
import type { Invariant } from "./invariant.ts";
import { findCode, listStoredTokens } from "./stored-tokens.ts";

const NAME = "used twice is dead";

const findReplay = ({ attempts }: Code): Exchange | undefined =>
  attempts.find(({ exchange }) => exchange.answeredAt !== null && errorsOf(exchange).includes("code_used"))?.exchange;

export const usedTwice: Invariant = {
  name: NAME,
  onStep: ({ world, facts, broken, occurred }, store) => {
    if (store !== "D1") return;
    for (const { codeId } of listStoredTokens(world)) {
      const code = findCode(facts, codeId);
      const replay = code && findReplay(code);
      if (replay)
        broken(
          NAME,
          `D1 holds a live token of request ${code?.issue.id}, whose code was used twice (request ${replay.id})`,
        );
    }
    for (const code of facts.codes) if (findReplay(code)) occurred(`${NAME}, in the store`);
  },
  onAnswer: ({ facts, broken, occurred }, exchange) => {
    const code = facts.attempts.get(exchange)?.code;
    const earlier = code && findReplay(code);
    if (earlier && isBefore(earlier, exchange)) {
      occurred(`${NAME}: code`);
      if (exchange.status === 201)
        broken(NAME, `request ${exchange.id} was given a token after request ${earlier.id} had used its code again`);
    }
    const token = facts.introspections.get(exchange)?.token;
    const replay = token && findReplay(token.code);
    if (!replay || !isBefore(replay, exchange)) return;
    occurred(NAME);
    if (exchange.json?.active === true)
      broken(NAME, `request ${exchange.id} was called active, after request ${replay.id} had used its code again`);
  },
};
