/** The only randomness, hashing of secrets and comparison of secrets. No key or secret is ever logged. */
import { createHash, timingSafeEqual } from "node:crypto";
import { toBase64Url } from "./encoding.ts";

export const makeRequestId = (): string => crypto.randomUUID();

/** `bytes` of randomness as base64url without padding. */
export const makeSecret = (bytes = 32): string => toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));

/**
 * SHA-256 of a secret, base64url. A fast hash is right here: what is hashed are 256 random bits, which no one can
 * guess, not passwords.
 */
export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("base64url");

/** Compares in a time that does not depend on where the two differ. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash("sha256").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
