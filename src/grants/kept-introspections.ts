/**
 * What an isolate remembers of tokens, for an institution that allows an answer to be some seconds old (GET /v1/access,
 * `max_age`; recent-introspection.ts). Without it nothing is remembered. Only tokens that are active are kept. What this
 * isolate ends for the institution is forgotten at once; what another one ends is late by `max_age` at most.
 */
import type { Instant } from "../platform/instant.ts";
import { memoryOf } from "../platform/memory.ts";
import type { Introspection } from "./tokens.ts";

export const MAX_AGE_SECONDS = 60;

interface Kept {
  readonly introspection: Introspection;
  /** When the read began. */
  readonly readAt: Instant;
  /** The number of the last change that this isolate knew by then. */
  readonly after: number;
}

/**
 * Tokens by institution and id, and the number of the last change of each institution. If that is dropped, `max_age` is the
 * limit, as for a change by another isolate.
 */
export const keptIntrospections = memoryOf<Kept | number>("introspections");
let changes = 0;
/** The number of the last change that this isolate knows of. */
export const lastChange = (): number => changes;

/** After something of the institution that tokens depend on has changed, or may have. */
export const forgetIntrospections = (fiId: number, now: Instant): void =>
  keptIntrospections.set(`${fiId}`, ++changes, now + MAX_AGE_SECONDS * 1000, now);
