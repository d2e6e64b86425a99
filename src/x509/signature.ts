/**
 * Verifies signatures by Web Crypto, except for RSA exponents that workerd refuses (rsa.ts). The exponent decides, not
 * an exception: Node accepts any, and both runtimes must behave the same.
 */
import { toBase64Url } from "../platform/encoding.ts";
import type { AlgorithmIdentifier, PublicKey } from "./certificate.ts";
import { children, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readInteger } from "./der-values.ts";
import {
  PLATFORM_EXPONENTS,
  type RsaKey,
  readVerificationKey,
  signatureCost,
  type VerificationKey,
} from "./public-key.ts";
import { verifyRsa } from "./rsa.ts";
import { type Refused, readSignatureScheme, refuse, type SignatureScheme } from "./signature-scheme.ts";

export interface SignatureInput {
  readonly algorithm: AlgorithmIdentifier;
  readonly publicKey: PublicKey;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

export type SignatureCheck = { readonly ok: true } | Refused;

export interface SignatureLimits {
  readonly minRsaBits: number;
  readonly allowSha1: boolean;
}

/** ETSI TS 119 312: SHA-1 and RSA keys below 2048 bits should no longer be relied on. */
export const CURRENT_LIMITS: SignatureLimits = { minRsaBits: 2048, allowSha1: false };
/** Twice the size of the largest key on a trusted list. Larger keys only cost time. */
const MAX_RSA_BITS = 8192;
/** Exponents in use have 16 to 32 bits; each bit costs a multiplication. */
const MAX_RSA_EXPONENT = 2n ** 64n;

/** Never throws because of the contents of the input. Only conformance suites with old keys relax `limits`. */
export async function verifySignature(
  input: SignatureInput,
  limits: SignatureLimits = CURRENT_LIMITS,
): Promise<SignatureCheck> {
  const prepared = prepareSignature(input, limits);
  return prepared.ok ? await prepared.verify() : prepared;
}

export type PreparedSignature =
  | {
      readonly ok: true;
      readonly cost: number;
      verify(): Promise<SignatureCheck>;
    }
  | Refused;

/** What can be checked before the computation. Never throws because of the contents of the input. */
export function prepareSignature(input: SignatureInput, limits: SignatureLimits = CURRENT_LIMITS): PreparedSignature {
  const reading = readSignatureScheme(input.algorithm);
  return reading.ok ? prepareByScheme(reading.scheme, input, limits) : reading;
}

/** As {@link prepareSignature}, for a signature whose scheme is not given by an AlgorithmIdentifier. */
export function prepareByScheme(
  scheme: SignatureScheme,
  input: Omit<SignatureInput, "algorithm">,
  limits: SignatureLimits = CURRENT_LIMITS,
): PreparedSignature {
  if (scheme.family !== "ed25519" && scheme.hash === "SHA-1" && !limits.allowSha1)
    return refuse("the algorithm SHA-1 is not accepted");
  const read = readVerificationKey(input.publicKey);
  if (!read.ok) return read;
  const { key } = read;
  if (key.family === "rsa" && (scheme.family === "rsa-pkcs1" || scheme.family === "rsa-pss")) {
    const problem = findRsaProblem(key, scheme, limits);
    if (problem) return refuse(problem);
  }
  const cost = signatureCost(key, input.data.length);
  return { ok: true, cost, verify: () => verifyWithKey(key, scheme, input) };
}

async function verifyWithKey(
  key: VerificationKey,
  scheme: SignatureScheme,
  { data, signature }: Pick<SignatureInput, "data" | "signature">,
): Promise<SignatureCheck> {
  if (key.family === "rsa" && (scheme.family === "rsa-pkcs1" || scheme.family === "rsa-pss")) {
    if (PLATFORM_EXPONENTS.includes(key.exponent))
      return judge(await verifyRsaByPlatform(key, scheme, data, signature));
    return judge(verifyRsa({ scheme, modulus: key.modulus, exponent: key.exponent, data, signature }));
  }
  if (key.family === "ec" && scheme.family === "ecdsa") {
    const { coordinateBytes } = key;
    const isPlain = scheme.plain === true && signature.length === 2 * coordinateBytes;
    const plain = isPlain ? signature : scheme.plain ? null : toPlainSignature(signature, coordinateBytes);
    if (!plain) {
      const form = scheme.plain ? `${2 * coordinateBytes} bytes` : "DER of two numbers that fit the curve";
      return refuse(`the ECDSA signature is not ${form}`);
    }
    const curve = { name: "ECDSA", namedCurve: key.curve };
    const imported = importOnce(key, "ECDSA", () =>
      crypto.subtle.importKey("raw", key.point, curve, false, ["verify"]),
    );
    return judge(await verifyByPlatform(imported, { name: "ECDSA", hash: scheme.hash }, plain, data));
  }
  if (key.family === "ed25519" && scheme.family === "ed25519") {
    const imported = importOnce(key, "Ed25519", () =>
      crypto.subtle.importKey("raw", key.point, { name: "Ed25519" }, false, ["verify"]),
    );
    return judge(await verifyByPlatform(imported, { name: "Ed25519" }, signature, data));
  }
  return refuse(`a ${scheme.family} signature cannot be by a key of the family ${key.family}`);
}

function findRsaProblem(key: RsaKey, scheme: SignatureScheme, limits: SignatureLimits): string | null {
  const { modulusBits: bits, exponent, modulus } = key;
  if (bits < limits.minRsaBits || bits > MAX_RSA_BITS)
    return `an RSA key of ${bits} bits is not accepted (${limits.minRsaBits} to ${MAX_RSA_BITS})`;
  // workerd refuses such a modulus and Node accepts it; none occur in practice
  if (bits % 8 !== 0) return `an RSA key of ${bits} bits, not whole bytes, is not accepted`;
  if (((modulus[modulus.length - 1] ?? 0) & 1) === 0) return "the RSA modulus is even";
  if (exponent < 3n || exponent > MAX_RSA_EXPONENT || (exponent & 1n) === 0n)
    return `the RSA exponent ${exponent > MAX_RSA_EXPONENT ? "of more than 64 bits" : exponent} is not accepted`;
  if (!key.onlyFor) return null;
  if (scheme.family !== "rsa-pss") return "the key is for RSASSA-PSS only";
  const { scheme: bound } = key.onlyFor;
  if (bound?.family === "rsa-pss" && (bound.hash !== scheme.hash || scheme.saltLength < bound.saltLength))
    return "the parameters of the signature are not those of its RSASSA-PSS key";
  return null;
}

async function verifyRsaByPlatform(
  key: RsaKey,
  scheme: Extract<SignatureScheme, { family: "rsa-pkcs1" | "rsa-pss" }>,
  data: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const name = scheme.family === "rsa-pss" ? "RSA-PSS" : "RSASSA-PKCS1-v1_5";
  const imported = importOnce(key, `${name} ${scheme.hash}`, () => {
    // JWK, because Web Crypto does not import the SubjectPublicKeyInfo of an RSASSA-PSS key
    const jwk = { kty: "RSA", n: toBase64Url(key.modulus), e: key.exponent === 3n ? "Aw" : "AQAB" };
    return crypto.subtle.importKey("jwk", jwk, { name, hash: scheme.hash }, false, ["verify"]);
  });
  const parameters = scheme.family === "rsa-pss" ? { name, saltLength: scheme.saltLength } : { name };
  return await verifyByPlatform(imported, parameters, signature, data);
}

/** By key and algorithm. Not the promise: that of a cancelled request never settles. */
const importedKeys = new WeakMap<VerificationKey, Map<string, CryptoKey>>();

async function importOnce(
  key: VerificationKey,
  algorithm: string,
  importKey: () => Promise<CryptoKey>,
): Promise<CryptoKey> {
  const imported = importedKeys.get(key) ?? new Map<string, CryptoKey>();
  importedKeys.set(key, imported);
  const known = imported.get(algorithm) ?? (await importKey());
  imported.set(algorithm, known);
  return known;
}

async function verifyByPlatform(
  key: Promise<CryptoKey>,
  parameters: { name: string; hash?: string; saltLength?: number },
  signature: Uint8Array,
  data: Uint8Array,
): Promise<boolean> {
  try {
    return await crypto.subtle.verify(parameters, await key, signature, data);
  } catch (error) {
    // DataError: the bytes are not a point on the curve. OperationError: the salt is longer than the key allows
    if (error instanceof DOMException) return false;
    throw error;
  }
}

const judge = (verified: boolean): SignatureCheck =>
  verified ? { ok: true } : refuse("it was not made with this key over these bytes");

/** r and s, each padded. Null unless they are strict DER of two numbers that fit (RFC 3279 section 2.2.3). */
export function toPlainSignature(signature: Uint8Array, coordinateBytes: number): Uint8Array | null {
  try {
    const what = "ECDSA signature";
    const [r, s, ...more] = children(expect(readDer(signature, what), Tag.sequence, what), what);
    if (more.length > 0) return null;
    const plain = new Uint8Array(2 * coordinateBytes);
    for (const [half, der] of [r, s].entries()) {
      const number = readPositive(der, what);
      if (number.length > coordinateBytes) return null;
      plain.set(number, (half + 1) * coordinateBytes - number.length);
    }
    return plain;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

function readPositive(der: Der | undefined, what: string): Uint8Array {
  const bytes = readInteger(der, what);
  if ((bytes[0] ?? 0) >= 0x80) throw new DerError(`${what}: negative number`);
  return bytes[0] === 0 ? bytes.subarray(1) : bytes;
}
