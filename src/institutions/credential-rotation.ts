/** A new secret for a credential: for `fi rotate` and for the console's operators. */

import { parseDuration } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { hashSecret, makeSecret } from "../platform/secrets.ts";
import { type RotationTerms, rotateCredential } from "./financial-institutions.ts";

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
 * Replaces the secret of a credential; null if there is none that fits the terms. `overlap`: in milliseconds, null for none.
 */
export async function rotateSecret(
  db: D1Database,
  clientId: string,
  { overlap, ...terms }: RotationTerms & { readonly overlap: number | null },
): Promise<RotatedSecret | null> {
  const secret = makeSecret();
  const oldSecretUntil = overlap === null ? null : terms.now + overlap;
  const done = await rotateCredential(db, clientId, hashSecret(secret), { ...terms, overlapUntil: oldSecretUntil });
  return done ? { secret, oldSecretUntil } : null;
}
