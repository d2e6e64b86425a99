/**
 * A receiver that gives no answer, whatever it is sent: each attempt takes its whole time, which the others' would have to
 * wait for. It is asked less often the longer it is silent. Pure.
 */
import type { Webhook } from "./webhook.ts";

/** Less than a minute: each run asks it once. */
const LONGEST_REST_MS = 45_000;
/** Then it was not asked meanwhile: the longest delay between attempts is half of it. */
const FORGOTTEN_AFTER_MS = 86_400_000;

export interface Silence {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly restsUntil: number;
}

/** After an attempt at `now` (milliseconds since 1970) that got no answer. `known`: of the attempts before. */
export function lengthen(
  { silentSince, restsUntil }: Pick<Webhook, "silentSince" | "restsUntil">,
  now: number,
): Silence {
  const goesOn = silentSince !== null && restsUntil !== null && now < restsUntil + FORGOTTEN_AFTER_MS;
  const since = goesOn ? silentSince : now;
  return { since, restsUntil: now + Math.min(now - since, LONGEST_REST_MS) };
}
