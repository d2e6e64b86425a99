/** All randomness, and all hashing, comparison and encryption with secrets. No key or secret is ever logged. */
import { toBase64Url } from "./encoding.ts";
import type { Instant } from "./instant.ts";
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hashText,
  type KeyObject,
  timingSafeEqual,
} from "./node-crypto.ts";

/** Hex digits of the time in a UUID of version 7: milliseconds since 1970 up to the year 10889. */
const TIME_DIGITS = 12;

/**
 * A UUID of version 7 (RFC 9562 section 5.7) with 74 random bits: the ledger finds the record of a request by its time,
 * without an index. `now`: when the request arrived.
 */
export function makeRequestId(now: Instant): string {
  const time = now.toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** When the request of this id arrived; null for a UUID of another version, as older records have. */
export const timeOfRequestId = (id: string): Instant | null =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(id) ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;

/** `bytes` random bytes as base64url without padding. */
export const makeSecret = (bytes = 32): string => toBase64Url(crypto.getRandomValues(new Uint8Array(bytes)));

/**
 * SHA-256 of a secret, base64url. A fast hash is sufficient: the secrets are 256 random bits, not passwords, and cannot
 * be guessed.
 */
export const hashSecret = (secret: string): string => hashText("sha256", secret, "base64url");

const utf8 = new TextEncoder();

/** Compares two secrets. The time does not depend on where they differ, nor on whether their lengths do. */
export function sameSecret(a: string, b: string): boolean {
  const [left, right] = [utf8.encode(a), utf8.encode(b)];
  const comparable = left.length === right.length;
  return timingSafeEqual(comparable ? left : right, right) && comparable;
}

/** HMAC-SHA-256 of a text, 32 bytes. */
export const makeMac = (key: Uint8Array, text: string): Uint8Array => createHmac("sha256", key).update(text).digest();

/** The same as base64url without padding. */
export const makeMacText = (key: Uint8Array, text: string): string =>
  createHmac("sha256", key).update(text).digest("base64url");

/** Of a token key, which every request uses: to import the bytes takes as long as to seal a short text. */
const importedKeys = new WeakMap<Uint8Array, KeyObject>();

function importKey(key: Uint8Array): KeyObject {
  const imported = importedKeys.get(key) ?? createSecretKey(key);
  importedKeys.set(key, imported);
  return imported;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** By how much {@link seal} makes a text longer. */
export const SEALED_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D). Returns nonce, ciphertext and tag, concatenated. The nonce is random, so
 * one key may encrypt at most 2^32 texts: at a million a day this takes eleven years, and keys are rotated. `label` is
 * authenticated as additional data, and not part of the result.
 */
export function seal(key: Uint8Array, text: string, label: string): Uint8Array {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const cipher = createCipheriv("aes-256-gcm", importKey(key), nonce).setAAD(utf8.encode(label));
  return Buffer.concat([nonce, cipher.update(utf8.encode(text)), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts what {@link seal} returned for this key and label; null for anything else. */
export function unseal(key: Uint8Array, sealed: Uint8Array, label: string): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", importKey(key), nonce, { authTagLength: TAG_BYTES })
      .setAAD(utf8.encode(label))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

export const DIGEST_CHARACTERS = 16;

/** Keeps a cursor from being used for another list, where it would leave out rows silently. `list`: its name, and the position in it. */
export const digestCursor = (...list: readonly (string | number | null)[]): string =>
  hashSecret(JSON.stringify(list)).slice(0, DIGEST_CHARACTERS);
