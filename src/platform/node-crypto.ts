/**
 * What is used of `node:crypto`, which is loaded by its first use: in workerd its modules take as much processor time as
 * all of a bare Hono Worker with zod, and an import would have every start wait for them.
 */
import type * as NodeCrypto from "node:crypto";

let loaded: typeof NodeCrypto | undefined;

function load(): typeof NodeCrypto {
  loaded ??= process.getBuiltinModule("node:crypto");
  return loaded;
}

/** Ahead of a use. Spares what {@link load} loads besides: `process`, whose modules are a quarter as much again. */
export async function loadNodeCrypto(): Promise<void> {
  loaded ??= await import("node:crypto");
}

export const isNodeCryptoLoaded = (): boolean => loaded !== undefined;

export const createHash: (algorithm: string) => NodeCrypto.Hash = (algorithm) => load().createHash(algorithm);

const encoder = new TextEncoder();
/** Of most texts: for each of a longer one's, node:crypto makes a buffer, which takes a tenth of the time of its hash. */
const room = new Uint8Array(16 * 1024);
/** UTF-8 has three bytes at most for each UTF-16 unit. */
const MOST_BYTES = 3;

/** The digest of a text's UTF-8. It takes some 5 µs: workerd makes a stream and two buffers for it, as for {@link createHash}. */
export function hashText(algorithm: string, text: string, encoding: "hex" | "base64url" = "hex"): string {
  if (text.length * MOST_BYTES > room.length) return load().hash(algorithm, text, encoding);
  const { written } = encoder.encodeInto(text, room);
  return load().hash(algorithm, room.subarray(0, written), encoding);
}

/** As {@link hashText}, of bytes. */
export const hashBytes = (algorithm: string, bytes: Uint8Array): string => load().hash(algorithm, bytes, "hex");

export const createHmac: (algorithm: string, key: Uint8Array) => NodeCrypto.Hmac = (algorithm, key) =>
  load().createHmac(algorithm, key);

export type KeyObject = NodeCrypto.KeyObject;

export const createSecretKey = (key: Uint8Array): KeyObject => load().createSecretKey(key);

type Gcm = "aes-256-gcm";

export const createCipheriv = (algorithm: Gcm, key: KeyObject, nonce: Uint8Array): NodeCrypto.CipherGCM =>
  load().createCipheriv(algorithm, key, nonce);

export const createDecipheriv = (
  algorithm: Gcm,
  key: KeyObject,
  nonce: Uint8Array,
  options: NodeCrypto.CipherGCMOptions,
): NodeCrypto.DecipherGCM => load().createDecipheriv(algorithm, key, nonce, options);

export const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean => load().timingSafeEqual(a, b);

export const createPrivateKey = (key: NodeCrypto.JsonWebKeyInput): KeyObject => load().createPrivateKey(key);
