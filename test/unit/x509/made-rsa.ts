/** Certificates by an RSA key of any size and exponent, made of many small primes: quick to make, slow to verify. */
import { createHash, generatePrimeSync } from "node:crypto";
import {
  at,
  encodeExtensions,
  generalizedTime,
  integer,
  name,
  sequence,
  withKeyIdentifiers,
} from "../../../fixtures/makers/made-pki.ts";
import { caExtensions } from "../../../fixtures/makers/path-extensions.ts";
import { type Certificate, parseCertificate } from "../../../src/x509/certificate.ts";
import { context, encodeDer, encodeOid, Tag } from "../../../src/x509/der.ts";

export interface CostlyKey {
  readonly modulus: bigint;
  readonly exponent: bigint;
  readonly primes: readonly bigint[];
}

/** Of 512 bits each takes twelve times as long to find; who verifies never sees them. */
const PRIME_BITS = 128;
const bitsOf = (value: bigint) => value.toString(2).length;
const prime = (size: number) => generatePrimeSync(size, { bigint: true });

/** A key of exactly so many bits. Its exponent has to be a prime. */
export function makeCostlyKey(size: number, exponent: bigint): CostlyKey {
  // all primes are new in each round: OpenSSL sets their two top bits, so that a few products fit no last prime at all
  for (;;) {
    const primes = Array.from({ length: size / PRIME_BITS - 1 }, () => prime(PRIME_BITS));
    const product = primes.reduce((all, each) => all * each, 1n);
    const last = prime(size - bitsOf(product));
    const modulus = product * last;
    const all = [...primes, last];
    if (bitsOf(modulus) === size && all.every((each) => (each - 1n) % exponent !== 0n))
      return { modulus, exponent, primes: all };
  }
}

function modPow(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let square = base % modulus, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % modulus)
    if (rest & 1n) result = (result * square) % modulus;
  return result;
}

/** The inverse of `value` modulo the prime or any number that it shares no factor with. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return ((x % modulus) + modulus) % modulus;
}

const hexOf = (value: bigint, bytes: number) => value.toString(16).padStart(2 * bytes, "0");
const SHA256_INFO = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** RSASSA-PKCS1-v1_5 with SHA-256, prime by prime. */
function sign(data: Uint8Array, { modulus, exponent, primes }: CostlyKey): Buffer {
  const size = bitsOf(modulus) / 8;
  const info = Buffer.concat([SHA256_INFO, createHash("sha256").update(data).digest()]);
  const padding = Buffer.alloc(size - info.length - 3, 0xff);
  const message = BigInt(`0x${Buffer.concat([Buffer.of(0, 1), padding, Buffer.of(0), info]).toString("hex")}`);
  const signature = primes.reduce((sum, p) => {
    const part = modPow(message, inverse(exponent % (p - 1n), p - 1n), p);
    const others = modulus / p;
    return sum + part * others * inverse(others, p);
  }, 0n);
  return Buffer.from(hexOf(signature % modulus, size), "hex");
}

const ALGORITHM = sequence(encodeOid("1.2.840.113549.1.1.11"), encodeDer(Tag.null));
const bitString = (bytes: Uint8Array) => encodeDer(Tag.bitString, Uint8Array.of(0), bytes);
const positive = (value: bigint) => {
  const hex = value.toString(16);
  const even = hex.length % 2 ? `0${hex}` : hex;
  return integer(/^[89a-f]/.test(even) ? `00${even}` : even);
};

/** A CA's certificate for that key, signed with the same or another. Valid for 2026. */
export function certifyCostly(subject: string, issuer: string, key: CostlyKey, signer: CostlyKey = key): Certificate {
  const algorithm = sequence(encodeOid("1.2.840.113549.1.1.1"), encodeDer(Tag.null));
  const tbs = sequence(
    encodeDer(context(0), integer("02")),
    integer("01"),
    ALGORITHM,
    name(issuer),
    sequence(generalizedTime(at("2026-01-01T00:00:00Z")), generalizedTime(at("2026-12-31T00:00:00Z"))),
    name(subject),
    sequence(algorithm, bitString(sequence(positive(key.modulus), positive(key.exponent)))),
    encodeDer(context(3), encodeExtensions(withKeyIdentifiers(caExtensions()))),
  );
  return parseCertificate(sequence(tbs, ALGORITHM, bitString(sign(tbs, signer))));
}
