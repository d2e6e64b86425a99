/**
 * After a withdrawal, a block or a revocation was answered with 2xx, nothing from before is redeemable or active, whatever the
 * clocks show.
 */
import {
  type BlockChange,
  type Code,
  type End,
  type Facts,
  isAnswered,
  isBefore,
  SCOPES,
  wasServedBefore,
} from "../facts.ts";
import type { Exchange } from "../requests.ts";
import type { Invariant, Judged } from "./invariant.ts";
import { findCode, listStoredTokens } from "./stored-tokens.ts";

const NAME = "ended is dead";

/** Whether the code was given before the withdrawal was asked for, and is of what it ends. */
const covers = ({ fi, account, consentId, token, exchange }: End, code: Code): boolean =>
  fi === code.fi &&
  account === code.account &&
  token === null &&
  (consentId === null || consentId === code.consentId) &&
  isBefore(code.issue, exchange);

/** The answered withdrawal that has ended what came of the code, before an instant. */
export const findEnd = (facts: Facts, code: Code, sentAt: number): End | undefined =>
  facts.ends.find(
    (end) =>
      isAnswered(end.exchange) &&
      end.exchange.answeredAt !== null &&
      end.exchange.answeredAt < sentAt &&
      covers(end, code),
  );

/** A block that was answered before the request, and that nobody has lifted or begun to lift since it was asked for. */
const findBlock = (facts: Facts, code: Code, asked: Exchange): BlockChange | undefined =>
  facts.blocks.find(
    (put) =>
      put.block &&
      put.fi === code.fi &&
      put.account === code.account &&
      isAnswered(put.exchange) &&
      isBefore(put.exchange, asked) &&
      !isLifted(facts, put, asked.answeredAt ?? Number.POSITIVE_INFINITY),
  );

/** Whether somebody has begun to lift the block until then, or was at it when it was asked for. */
const isLifted = ({ blocks }: Facts, put: BlockChange, until: number): boolean =>
  blocks.some(
    ({ block, fi, account, exchange }) =>
      !block &&
      fi === put.fi &&
      account === put.account &&
      !wasServedBefore(exchange, put.exchange) &&
      exchange.sentAt <= until,
  );

const BLOCKED = `SELECT fi.fi_reference_id AS fi, block.account_id AS account FROM account_blocks AS block
  JOIN financial_institutions AS fi ON fi.id = block.fi_id WHERE block.lifted_at IS NULL`;

/** A block that was answered is in the store until somebody begins to lift it. */
function lookAtBlocks({ world, facts, broken, occurred }: Judged): void {
  const inForce = facts.blocks.filter(
    (put) => put.block && isAnswered(put.exchange) && !isLifted(facts, put, Number.POSITIVE_INFINITY),
  );
  if (inForce.length === 0) return;
  const blocked = world.database.read(BLOCKED);
  occurred(`${NAME}: block, in the store`);
  for (const { fi, account, exchange } of inForce)
    if (blocked.filter((row) => row["fi"] === fi && row["account"] === account).length < SCOPES.length)
      broken(NAME, `D1 does not hold the block of request ${exchange.id}, which nobody has lifted`);
}

export const endedIsDead: Invariant = {
  name: NAME,
  onStep: (judged, store) => {
    const { world, facts, broken, occurred } = judged;
    if (store !== "D1") return;
    lookAtBlocks(judged);
    if (facts.ends.length === 0) return;
    const stored = listStoredTokens(world);
    for (const { token, exchange } of facts.ends)
      if (token && isAnswered(exchange) && stored.some(({ id }) => token.text.includes(`.${id}.`)))
        broken(NAME, `D1 holds a live token of request ${token.issue.id}, which request ${exchange.id} revoked`);
    for (const { codeId } of stored) {
      const code = findCode(facts, codeId);
      const end = code && findEnd(facts, code, world.scheduler.now);
      if (code) occurred(`${NAME}, in the store`);
      if (end)
        broken(NAME, `D1 holds a live token of request ${code?.issue.id}, which request ${end.exchange.id} ended`);
    }
  },
  onAnswer: ({ facts, broken, occurred }, exchange) => {
    const code = facts.attempts.get(exchange)?.code ?? facts.introspections.get(exchange)?.token.code;
    if (!code) return;
    const given = exchange.status === 201 || exchange.json?.active === true;
    const said = facts.attempts.has(exchange) ? "redeemed" : "called active";
    const end = findEnd(facts, code, exchange.sentAt);
    if (end) {
      occurred(`${NAME}: withdrawal`);
      if (given) broken(NAME, `request ${exchange.id} was ${said}, after request ${end.exchange.id} had withdrawn it`);
    }
    const block = findBlock(facts, code, exchange);
    if (block) {
      occurred(`${NAME}: block`);
      if (given) broken(NAME, `request ${exchange.id} was ${said}, while request ${block.exchange.id} blocked it`);
    }
    const token = facts.introspections.get(exchange)?.token;
    const revoked =
      token &&
      facts.ends.find((each) => each.token === token && isAnswered(each.exchange) && isBefore(each.exchange, exchange));
    if (revoked) {
      occurred(`${NAME}: revocation`);
      if (given)
        broken(NAME, `request ${exchange.id} was called active, after request ${revoked.exchange.id} revoked it`);
    }
  },
};
