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

/** The digest of a text's UTF-8. */
export const hashText = (algorithm: string, text: string, encoding: "hex" | "base64url" = "hex"): string =>
  load().hash(algorithm, text, encoding);

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
