/**
 * The list of an account's permissions says what works: each live token has an active one, and what was withdrawn has none. Who
 * has ended it first, has.
 */
import { type Code, type Facts, isBefore, wasServedBefore } from "../facts.ts";
import type { Exchange } from "../requests.ts";
import type { World } from "../world.ts";
import { findEnd } from "./ended-is-dead.ts";
import type { Invariant } from "./invariant.ts";
import { isAlive } from "./no-wrong-no.ts";

const NAME = "the list agrees";

/** As the list has it. */
interface Listed {
  readonly id: string;
  readonly status: "active" | "ended";
  readonly scope: string;
  readonly consent_id?: string;
  readonly ended_at: string | null;
  readonly ended_by: string | null;
}

const isOf = ({ scope, consent_id }: Listed, code: Code): boolean =>
  scope === code.scope && (consent_id ?? null) === code.consentId;

/** Whether all that the permission may stand for was withdrawn before the list was asked for. */
function isEnded({ exchanges }: World, facts: Facts, codes: readonly Code[], listing: Exchange): boolean {
  const ends = codes.map((code) => findEnd(facts, code, listing.sentAt));
  return (
    codes.length > 0 &&
    ends.every((end) => end !== undefined) &&
    // whose answer was lost may have agreed anew
    exchanges.every(
      (each) =>
        each.path !== "/v1/obie/authorization_codes" ||
        !codes.some(({ consentId }) => consentId === (each.body as { readonly consent_id?: string }).consent_id) ||
        ends.every((end) => end && wasServedBefore(each, end.exchange)),
    )
  );
}

/** Whose decision it was, and when; null: nobody's. */
const tellEnd = ({ ended_by: by, ended_at: at }: Listed): string | null =>
  by === null || by === "expiry" || by === "authorisation_lost" ? null : `${by} at ${at}`;

export const listAgrees: Invariant = {
  name: NAME,
  onAnswer: ({ world, facts, broken, occurred }, exchange) => {
    const account = facts.listings.get(exchange);
    if (!account || exchange.status !== 200 || exchange.json.next_cursor) return;
    const all: readonly Listed[] = exchange.json.data;
    for (const [earlier, of] of facts.listings) {
      if (of.account !== account.account || of.fi !== account.fi || !isBefore(earlier, exchange)) continue;
      for (const before of (earlier.json?.data ?? []) as readonly Listed[]) {
        const [was, is] = [before, all.find(({ id }) => id === before.id)].map((each) => each && tellEnd(each));
        if (!was || !is) continue;
        occurred(`${NAME}: an end`);
        if (was !== is)
          broken(NAME, `request ${exchange.id} says that ${is} ended ${before.id}, and before it was ${was}`);
      }
    }
    const active = all.filter(({ status }) => status === "active");
    const isHere = (code: Code) => code.fi === account.fi && code.account === account.account;
    for (const token of facts.tokens) {
      if (!isHere(token.code) || !isBefore(token.issue, exchange)) continue;
      if (!isAlive(facts, { exchange, token, fi: account.fi })) continue;
      occurred(`${NAME}: a live token`);
      if (!active.some((listed) => isOf(listed, token.code)))
        broken(NAME, `request ${exchange.id} lists no active permission of the token of request ${token.issue.id}`);
    }
    const codes = facts.codes.filter(isHere);
    for (const code of codes) {
      const alike = codes.filter(({ consentId, scope }) => consentId === code.consentId && scope === code.scope);
      if (!isEnded(world, facts, alike, exchange)) continue;
      occurred(`${NAME}: withdrawn`);
      const listed = active.find((each) => isOf(each, code));
      if (listed) broken(NAME, `request ${exchange.id} lists ${listed.id} as active, of which all was withdrawn`);
    }
  },
};
