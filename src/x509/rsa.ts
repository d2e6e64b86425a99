/**
 * RSA (RFC 8017) for exponents that workerd's Web Crypto refuses. All values are public: no constant time is needed.
 */
import { Buffer } from "node:buffer";
import { sameBytes } from "../platform/encoding.ts";
import { createHash } from "../platform/node-crypto.ts";
import type { Hash, SignatureScheme } from "./signature-scheme.ts";

export interface RsaVerification {
  readonly scheme: Extract<SignatureScheme, { family: "rsa-pkcs1" | "rsa-pss" }>;
  /** Big-endian, without leading zeros. The length in bits is a multiple of 8. */
  readonly modulus: Uint8Array;
  readonly exponent: bigint;
  readonly data: Uint8Array;
  readonly signature: Uint8Array;
}

/** DER of DigestInfo up to the digest, with NULL parameters (RFC 8017 section 9.2, note 1). */
const DIGEST_INFO: Readonly<Record<Hash, string>> = {
  "SHA-1": "3021300906052b0e03021a05000414",
  "SHA-256": "3031300d060960864801650304020105000420",
  "SHA-384": "3041300d060960864801650304020205000430",
  "SHA-512": "3051300d060960864801650304020305000440",
};

/** Whether the signature verifies. Never throws. The caller must have checked the key's size and exponent. */
export function verifyRsa({ scheme, modulus, exponent, data, signature }: RsaVerification): boolean {
  if (signature.length !== modulus.length) return false;
  const n = toBigInt(modulus);
  const s = toBigInt(signature);
  if (s >= n) return false;
  const encoded = toBytes(modPow(s, exponent, n), modulus.length);
  const digest = hash(scheme.hash, data);
  return scheme.family === "rsa-pkcs1"
    ? isPkcs1(encoded, scheme.hash, digest)
    : isPss(encoded, scheme.hash, digest, scheme.saltLength);
}

/** EMSA-PKCS1-v1_5: builds the only valid encoding. Parsing it is what made Bleichenbacher's forgery possible. */
function isPkcs1(encoded: Uint8Array, name: Hash, digest: Uint8Array): boolean {
  const info = Buffer.concat([Buffer.from(DIGEST_INFO[name], "hex"), digest]);
  const padding = encoded.length - info.length - 3;
  if (padding < 8) return false;
  return sameBytes(encoded, Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(padding, 0xff), Buffer.from([0]), info]));
}

/** EMSA-PSS (RFC 8017 section 9.1.2). The modulus has whole bytes, so exactly one bit of the encoding is unused. */
function isPss(encoded: Uint8Array, name: Hash, digest: Uint8Array, saltLength: number): boolean {
  const maskLength = encoded.length - digest.length - 1;
  const padding = maskLength - saltLength - 1;
  const first = encoded[0] ?? 0xff;
  if (padding < 0 || encoded[encoded.length - 1] !== 0xbc || first > 0x7f) return false;
  const h = encoded.subarray(maskLength, -1);
  const mask = mgf1(name, h, maskLength);
  const block = encoded.subarray(0, maskLength).map((byte, i) => byte ^ (mask[i] ?? 0));
  block[0] = (block[0] ?? 0) & 0x7f;
  if (block.subarray(0, padding).some((byte) => byte !== 0) || block[padding] !== 1) return false;
  return sameBytes(h, hash(name, Buffer.concat([Buffer.alloc(8), digest, block.subarray(padding + 1)])));
}

function mgf1(name: Hash, seed: Uint8Array, length: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let counter = 0, made = 0; made < length; counter++) {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(counter);
    const block = hash(name, Buffer.concat([seed, number]));
    blocks.push(block);
    made += block.length;
  }
  return Buffer.concat(blocks).subarray(0, length);
}

function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

const hash = (name: Hash, data: Uint8Array): Uint8Array =>
  createHash(name.replace("-", "").toLowerCase()).update(data).digest();

const toBigInt = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);

const toBytes = (value: bigint, length: number): Uint8Array =>
  Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
