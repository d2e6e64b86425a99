/**
 * A disabled institution gets nothing, a minute after the command; no token at all from the command's end on. It gets everything
 * again a minute after it is enabled. Nothing is delivered to it meanwhile.
 */
import { keepTime } from "../clocks.ts";
import type { StatusChange } from "../facts.ts";
import type { Exchange } from "../requests.ts";
import type { Invariant, Judged } from "./invariant.ts";

const NAME = "disabled is dead";
/** "Takes effect within a minute." */
const MEMORY_MS = 60_000;

const fiOf = ({ headers }: Exchange): string | undefined => headers["fi_reference_id"];

/** By whom it was disabled, for so long, until it is to be enabled. */
const wasDisabled = (changes: readonly StatusChange[], from: number, until: number): boolean =>
  changes.some(({ status, endedAt }) => status === "disabled" && endedAt !== null && endedAt <= from) &&
  !changes.some(({ status, begunAt }) => status === "active" && begunAt <= until);

const isRedemption = ({ method, path }: Exchange): boolean =>
  method === "POST" && /^\/v1\/(?:oauth2|obie)\/tokens$/.test(path);

export const disabledIsDead: Invariant = {
  name: NAME,
  onAnswer: ({ world, facts, broken, occurred }, exchange) => {
    const changes = facts.statuses.filter(({ fi }) => fi === fiOf(exchange));
    if (changes.length === 0 || exchange.status === 0) return;
    const { sentAt, answeredAt, status, id } = exchange;
    const until = answeredAt ?? sentAt;
    // a minute of its own clock
    const isTimely = keepTime(world.swarm.clocks);
    if (isTimely && wasDisabled(changes, sentAt - MEMORY_MS, until)) {
      occurred(NAME);
      if (status < 300) broken(NAME, `request ${id} was answered with ${status}, though its institution is disabled`);
    } else if (wasDisabled(changes, sentAt, until) && isRedemption(exchange)) {
      occurred(`${NAME}: token`);
      if (status === 201) broken(NAME, `request ${id} got a token, though its institution is disabled`);
    }
    const enabled = changes.find((change) => change.status === "active");
    if (!isTimely || enabled?.endedAt == null || enabled.endedAt + MEMORY_MS > sentAt) return;
    occurred(`${NAME}: enabled again`);
    if (status === 401 && exchange.json?.errors?.[0]?.code === "credentials_invalid")
      broken(NAME, `request ${id} was refused, though its institution is enabled again`);
  },
  atEnd: async (judged) => lookAtDeliveries(judged),
};

function lookAtDeliveries({ world, facts, broken, occurred }: Judged): void {
  for (const { fi, endedAt } of facts.statuses) {
    const changes = facts.statuses.filter((each) => each.fi === fi);
    if (endedAt === null || changes[0]?.endedAt !== endedAt) continue;
    if (world.swarm.events) occurred(`${NAME}: deliveries`);
    for (const { at, id, fi: receiver } of world.network.received)
      if (receiver === fi && wasDisabled(changes, at - MEMORY_MS, at))
        broken(NAME, `${id} was delivered to ${fi}, which is disabled`);
  }
}
