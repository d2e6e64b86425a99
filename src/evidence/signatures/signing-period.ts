/** When a key signed, as its published times say. */
import type { PublicSigningKey } from "./signing-keys.ts";

/**
 * Milliseconds by which the clock that named a key may be ahead of the service's, which signs with it at once: it is that
 * of the operator's machine. The end of a key is published as much later (signing-keys.ts).
 */
const CLOCK_SKEW_MS = 300_000;

/** Whether the key signed at `time` (milliseconds since 1970). */
export const didSign = ({ nbf, exp = Number.POSITIVE_INFINITY }: PublicSigningKey, time: number): boolean =>
  !(time < nbf * 1000 - CLOCK_SKEW_MS || time > exp * 1000);
