/** The only randomness, hashing of secrets and comparison of secrets. No key or secret is ever logged. */
import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from "node:crypto";
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

/** HMAC-SHA-256 of a text, 32 bytes. */
export const makeMac = (key: Uint8Array, text: string): Uint8Array => createHmac("sha256", key).update(text).digest();

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM (NIST SP 800-38D): nonce, ciphertext and tag in one. The nonce is random, so one key seals at most 2^32
 * texts: at a million a day that is eleven years, and keys rotate. `label` is authenticated, not contained.
 */
export function seal(key: Uint8Array, text: string, label: string): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(label));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** The text that was sealed with this key and label; null for anything else. */
export function unseal(key: Uint8Array, sealed: Uint8Array, label: string): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(label))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
