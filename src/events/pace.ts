/**
 * How long a receiver takes to answer, and how many deliveries a run may therefore take. One that answers after nine seconds
 * has succeeded, and holds a lane for so long: what waits after it is another institution's. Pure.
 */
import type { Instant } from "../platform/instant.ts";
import type { Webhook } from "./webhook.ts";

/** Deliveries at once: of the six connections of an invocation one remains for stores, so that no receiver waits for another. */
export const DELIVERIES_AT_ONCE = 5;
/** The time of all lanes of one consumer until the next run begins: what a run hands out of all webhooks lasts no longer. */
export const RUN_MS = DELIVERIES_AT_ONCE * 60_000;
/** Of one webhook with a queue, whose consumer may be one: three that are slow fill its minute, of more each gets less. */
export const WEBHOOK_MS = RUN_MS / 3;
/** As long as an attempt may take, for a receiver that has given no answer. */
export const UNKNOWN_MS = 10_000;
/** Less is not distinguished: so a note is seldom written. */
const QUICKEST_MS = 200;
const SLOW_MS = 2_000;
/** Less than a minute: about until the next run. */
const REST_MS = 45_000;

export interface Pace {
  /** To be noted; null: it is near what is known. */
  readonly answerMs: number | null;
  /** What is in the queue goes back to the scheduled run. */
  readonly slow: boolean;
  /** It has become so much slower that what the queue has of it is too much: nothing is sent until then. */
  readonly restMs: number | null;
}

/** After an answer that took so long. `known`: what was noted before; null: nothing. */
export function judgePace(known: number | null, tookMs: number): Pace {
  const took = Math.max(QUICKEST_MS, tookMs);
  const differs = known === null || took > 2 * known || 2 * took < known;
  const slow = took > SLOW_MS;
  return {
    answerMs: differs ? took : null,
    slow,
    restMs: slow && known !== null && took > 2 * known ? REST_MS : null,
  };
}

/** Less than a minute: each run asks it once. */
const LONGEST_REST_MS = 45_000;
/** Then it was not asked meanwhile: the longest delay between attempts is half of it. */
const FORGOTTEN_AFTER_MS = 86_400_000;

export interface Silence {
  readonly since: Instant;
  readonly restsUntil: Instant;
}

/** After an attempt at `now` that got no answer. `known`: of the attempts before. */
export function lengthen(
  { silentSince, restsUntil }: Pick<Webhook, "silentSince" | "restsUntil">,
  now: Instant,
): Silence {
  const goesOn = silentSince !== null && restsUntil !== null && now < restsUntil + FORGOTTEN_AFTER_MS;
  const since = goesOn ? silentSince : now;
  return { since, restsUntil: now + Math.min(now - since, LONGEST_REST_MS) };
}
