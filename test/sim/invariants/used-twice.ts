/** After an answer `code_used` every token of the code is dead for good, unless an attempt under way gave the code back. */
import { errorsOf } from "../bank.ts";
import { type Attempt, type Code, isBefore, wasServedBefore } from "../facts.ts";
import type { Exchange } from "../world.ts";
import type { Invariant } from "./invariant.ts";
import { findCode, listStoredTokens } from "./stored-tokens.ts";

const NAME = "used twice is dead";

/** An attempt that got no token, and was under way at the replay, may give the code back after it: then it works once more. */
const mayGiveBack = ({ exchange }: Attempt, replay: Exchange): boolean =>
  exchange !== replay &&
  exchange.status !== 201 &&
  exchange.sentAt <= (replay.answeredAt ?? 0) &&
  !wasServedBefore(exchange, replay);

const findReplay = ({ attempts }: Code): Exchange | undefined =>
  attempts.find(
    ({ exchange: replay }) =>
      replay.answeredAt !== null &&
      errorsOf(replay).includes("code_used") &&
      !attempts.some((other) => mayGiveBack(other, replay)),
  )?.exchange;

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
    const token = facts.introspections.get(exchange)?.token;
    const replay = token && findReplay(token.code);
    if (!replay || !isBefore(replay, exchange)) return;
    occurred(NAME);
    if (exchange.json?.active === true)
      broken(NAME, `request ${exchange.id} was called active, after request ${replay.id} had used its code again`);
  },
};
