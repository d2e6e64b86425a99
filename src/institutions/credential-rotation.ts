/** A new secret for a credential: for `fi rotate` and for the console's operators. */

import { parseDuration } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { hashSecret, makeSecret } from "../platform/secrets.ts";
import { rotateCredential } from "./financial-institutions.ts";

/** An isolate that verified the old secret before the rotation takes it for so long (http/middleware/financial-institution.ts). */
const MIN_OVERLAP_MS = 60_000;
const MAX_OVERLAP_MS = 90 * 86_400_000;
/** How a message names what {@link readOverlap} takes. */
export const OVERLAP_FORM = "a duration such as 24h, 30m or 7d, from 1m to 90 days";

/** How long the old secret works beside the new one, in milliseconds; null for any other text than {@link OVERLAP_FORM}. */
export function readOverlap(text: string): number | null {
  const overlap = parseDuration(text);
  return overlap === null || overlap < MIN_OVERLAP_MS || overlap > MAX_OVERLAP_MS ? null : overlap;
}

export interface RotatedSecret {
  /** Nothing can show it again: its hash is stored. */
  readonly secret: string;
  /** Until then the old one works; null: as long as isolates remember it, 60 seconds at most. */
  readonly oldSecretUntil: Instant | null;
}

/**
 * Replaces the secret of a credential at `now`; null if there is no such client. With `madeAt`, when the secret was made
 * that is to be replaced: null, too, if that one was replaced meanwhile. `overlap`: in milliseconds, null for none.
 */
export async function rotateSecret(
  db: D1Database,
  clientId: string,
  { now, overlap, madeAt }: { readonly now: Instant; readonly overlap: number | null; readonly madeAt?: Instant },
): Promise<RotatedSecret | null> {
  const secret = makeSecret();
  const oldSecretUntil = overlap === null ? null : now + overlap;
  const times = { now, overlapUntil: oldSecretUntil, ...(madeAt !== undefined && { madeAt }) };
  const done = await rotateCredential(db, clientId, hashSecret(secret), times);
  return done ? { secret, oldSecretUntil } : null;
}
