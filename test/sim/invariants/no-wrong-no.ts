/**
 * A lawful PSP is not refused: it has a code from after all withdrawals, nobody used it, and it comes within its 60 seconds. Its
 * token is active until somebody ends it. A store that fails may say so (503), and then nothing is decided. In a calm history
 * nothing fails at all. In no history does the service itself (500).
 */

import { errorsOf } from "../bank.ts";
import { areClose, CLOSE_MS } from "../clocks.ts";
import {
  type Attempt,
  type Code,
  type Facts,
  type Introspection,
  isAnswered,
  type Token,
  wasServedBefore,
} from "../facts.ts";
import { findPossible, MEMORY_MS } from "../register-changes.ts";
import type { Exchange } from "../requests.ts";
import type { World } from "../world.ts";
import type { Invariant } from "./invariant.ts";
import { findShown } from "./shown-certificate.ts";

const NAME = "no wrong no";
const LIFETIME_MS = 60_000;
/** Of clocks that are close, and of an end in whole seconds. */
const MARGIN_MS = CLOSE_MS + 1_000;

/** Its token was not stored, and the answer says that the code can be sent again. */
const isGivenBack = ({ status, json }: Exchange): boolean =>
  status === 503 && /still usable/.test(json?.errors?.[0]?.title ?? "");

/** Whether nothing has been done, or is under way, by which it may be refused. */
function isEntitled(facts: Facts, { code, exchange, lawful }: Attempt, world: World): boolean {
  if (!lawful) return false;
  // where clocks differ by more, it may rightly have ended already
  const isTimely = areClose(world.swarm.clocks);
  if (!isTimely && errorsOf(exchange).some((code) => code.endsWith("_expired"))) return false;
  if (facts.statuses.some(({ fi, begunAt }) => fi === code.fi && begunAt <= (exchange.answeredAt ?? 0))) return false;
  if (findPossible(world, facts, code.psp, exchange.sentAt - MEMORY_MS, exchange.answeredAt ?? 0).has(false))
    return false;
  // a certificate that its QTSP has revoked, or of which it says nothing: unknown-is-no-yes.ts
  if (findShown(exchange) !== null && errorsOf(exchange).includes("certificate_revoked")) return false;
  // whose service a list does not grant any more: granted-by-a-list.ts
  if (world.network.publisher.hasChanged && errorsOf(exchange).includes("qtsp_invalid")) return false;
  if (code.consentEndsAt !== null && (exchange.answeredAt ?? 0) > code.consentEndsAt - MARGIN_MS) return false;
  const age = (exchange.answeredAt ?? Number.POSITIVE_INFINITY) - code.issue.sentAt;
  if (age >= LIFETIME_MS - CLOSE_MS) return false;
  return isUsedOnce(facts, code, exchange) && isUnended(facts, code, null);
}

/** Every other redemption of it, or of its payment order, was given back before. */
const isUsedOnce = ({ codes }: Facts, code: Code, use: Exchange): boolean =>
  codes
    .filter((each) => each === code || (code.scope === "payments" && each.consentId === (code.consentId ?? "")))
    .flatMap(({ attempts }) => attempts)
    .every(
      ({ exchange, lawful }) =>
        exchange === use || !lawful || (isGivenBack(exchange) && (exchange.answeredAt ?? 0) < use.sentAt),
    );

/** Whether nobody has ended, or begun to end, what the code gives, since it was asked for. `token`: what it has given. */
function isUnended(facts: Facts, code: Code, token: Token | null): boolean {
  const ofAccount = <Each extends { fi: string; account: string }>(each: Each) =>
    each.fi === code.fi && each.account === code.account;
  const ends = facts.ends.filter((end) => ofAccount(end) && (end.token === null || end.token === token));
  if (!ends.every((end) => wasServedBefore(end.exchange, code.issue))) return false;
  const blocks = facts.blocks.filter(ofAccount);
  const lastLift = blocks.findLast((change) => !change.block && isAnswered(change.exchange));
  return blocks.every(
    (change) =>
      wasServedBefore(change.exchange, code.issue) &&
      (!change.block || (lastLift !== undefined && wasServedBefore(change.exchange, lastLift.exchange))),
  );
}

/** Whether its token is to be active, by the clocks of the isolates that gave it and that are asked. */
export function isAlive(facts: Facts, { token, exchange, fi }: Introspection): boolean {
  const { code, issue } = token;
  if (fi !== code.fi || exchange.status !== 200) return false;
  const lifetimeMs = 1000 * (issue.json?.data?.expires_in ?? issue.json?.expires_in ?? 0);
  const ageMs = (exchange.arrivedAt ?? Number.POSITIVE_INFINITY) - (issue.arrivedAt ?? 0);
  return ageMs < lifetimeMs - 1000 && isUsedOnce(facts, code, issue) && isUnended(facts, code, token);
}

export const noWrongNo: Invariant = {
  name: NAME,
  onAnswer: ({ world, facts, broken, occurred }, exchange) => {
    const attempt = facts.attempts.get(exchange);
    if (attempt && isEntitled(facts, attempt, world)) {
      const again = attempt.code.attempts.some((other) => isGivenBack(other.exchange) && other.exchange !== exchange);
      occurred(again ? `${NAME}: a code that was given back` : `${NAME}: a code`);
      if (exchange.status >= 400 && exchange.status < 500)
        broken(NAME, `request ${exchange.id} was refused: ${errorsOf(exchange).join()}`);
    }
    const asked = facts.introspections.get(exchange);
    if (asked && isAlive(facts, asked)) {
      occurred(`${NAME}: a token`);
      if (!exchange.json.active) broken(NAME, `request ${exchange.id} was called inactive, and nobody has ended it`);
    }
    if (exchange.status === 500) broken(NAME, `request ${exchange.id} met a fault of the service: 500`);
    if (!world.swarm.calm) return;
    occurred(`${NAME}: calm`);
    if (exchange.status === 0 || exchange.status >= 500)
      broken(
        NAME,
        `request ${exchange.id} failed, though nothing did: ${exchange.status} ${errorsOf(exchange).join()}`,
      );
  },
};
