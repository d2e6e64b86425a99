/** Parses a SubjectPublicKeyInfo into a key for signature verification (RFC 3279, RFC 5480, RFC 8410). */
import { Buffer } from "node:buffer";
import type { PublicKey } from "./certificate.ts";
import { children, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readInteger, readOid } from "./der-values.ts";
import {
  ED25519,
  isNullOrAbsent,
  type Refused,
  RSASSA_PSS,
  readPss,
  refuse,
  type SignatureScheme,
} from "./signature-scheme.ts";

export type Curve = "P-256" | "P-384" | "P-521";

export interface RsaKey {
  readonly family: "rsa";
  readonly modulus: Uint8Array;
  readonly modulusBits: number;
  readonly exponent: bigint;
  /** Not null for a key that is for RSASSA-PSS only (RFC 4055 section 1.2). `scheme`: its parameters, if it has any. */
  readonly onlyFor: { readonly scheme: SignatureScheme | null } | null;
}

export type VerificationKey =
  | RsaKey
  | { readonly family: "ec"; readonly curve: Curve; readonly coordinateBytes: number; readonly point: Uint8Array }
  | { readonly family: "ed25519"; readonly point: Uint8Array };

type KeyReading = { readonly ok: true; readonly key: VerificationKey } | Refused;

/** The RSA exponents that BoringSSL, and therefore workerd, accepts. */
export const PLATFORM_EXPONENTS: readonly bigint[] = [3n, 65537n];

const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";
const EC_PUBLIC_KEY = "1.2.840.10045.2.1";

/** RFC 5480 section 2.1.1.1. */
export const CURVES: Readonly<Record<string, { curve: Curve; coordinateBytes: number }>> = {
  "1.2.840.10045.3.1.7": { curve: "P-256", coordinateBytes: 32 },
  "1.3.132.0.34": { curve: "P-384", coordinateBytes: 48 },
  "1.3.132.0.35": { curve: "P-521", coordinateBytes: 66 },
};

/** An issuer's key verifies many certificates. */
const readings = new WeakMap<PublicKey, KeyReading>();

export function readVerificationKey(publicKey: PublicKey): KeyReading {
  const known = readings.get(publicKey);
  if (known) return known;
  const reading = readOnce(publicKey);
  readings.set(publicKey, reading);
  return reading;
}

function readOnce(publicKey: PublicKey): KeyReading {
  try {
    return readKey(publicKey);
  } catch (error) {
    if (error instanceof DerError) return refuse(error.message);
    throw error;
  }
}

function readKey({ algorithm, bits }: PublicKey): KeyReading {
  const { oid, parameters } = algorithm;
  switch (oid) {
    case RSA_ENCRYPTION:
      // RFC 3279 section 2.3.1 requires NULL, but two CAs on the Austrian trusted list omit it
      if (!isNullOrAbsent(parameters)) return refuse("an RSA key with parameters other than NULL");
      return { ok: true, key: readRsa(bits, null) };
    case RSASSA_PSS: {
      if (!parameters) return { ok: true, key: readRsa(bits, { scheme: null }) };
      const bound = readPss(parameters);
      return bound.ok ? { ok: true, key: readRsa(bits, { scheme: bound.scheme }) } : bound;
    }
    case EC_PUBLIC_KEY:
      return readEc(parameters, bits);
    case ED25519:
      if (parameters) return refuse("Ed25519 key with parameters, which RFC 8410 forbids");
      if (bits.length !== 32) return refuse(`Ed25519 key of ${bits.length} bytes`);
      return { ok: true, key: { family: "ed25519", point: bits } };
    default:
      return refuse(`a key of the algorithm ${oid} is not accepted`);
  }
}

function readRsa(bits: Uint8Array, onlyFor: RsaKey["onlyFor"]): RsaKey {
  const what = "RSAPublicKey";
  const [modulus, exponent, ...more] = children(expect(readDer(bits, what), Tag.sequence, what), what);
  if (more.length > 0) throw new DerError(`${what}: more than two parts`);
  const n = readPositive(modulus, `${what}.modulus`);
  const e = readPositive(exponent, `${what}.exponent`);
  return {
    family: "rsa",
    modulus: n,
    modulusBits: 8 * n.length - Math.clz32(n[0] ?? 0) + 24,
    exponent: BigInt(`0x${Buffer.from(e).toString("hex")}`),
    onlyFor,
  };
}

function readPositive(der: Der | undefined, what: string): Uint8Array {
  const bytes = readInteger(der, what);
  const first = bytes[0] ?? 0;
  if (first >= 0x80 || (first === 0 && bytes.length === 1)) throw new DerError(`${what}: not positive`);
  return first === 0 ? bytes.subarray(1) : bytes;
}

/** Only named curves and uncompressed points: RFC 5480 requires them, and Web Crypto accepts no others. */
function readEc(parameters: Der | null, bits: Uint8Array): KeyReading {
  if (parameters?.tag !== Tag.oid)
    return refuse("an elliptic curve that is not named by an identifier is not accepted");
  const oid = readOid(parameters, "namedCurve");
  const known = CURVES[oid];
  if (!known) return refuse(`the elliptic curve ${oid} is not accepted`);
  if (bits[0] !== 4 || bits.length !== 1 + 2 * known.coordinateBytes) return refuse("not an uncompressed point");
  return { ok: true, key: { family: "ec", ...known, point: bits } };
}

/** Measured: 150, 550 and 1,350. BoringSSL has optimised code for P-256 only. */
const CURVE_COST: Readonly<Record<Curve, number>> = { "P-256": 200, "P-384": 600, "P-521": 1_400 };
const ED25519_COST = 200;
/** Importing a key and passing the data to be verified. */
const CALL_COST = 50;
/** Web Crypto, per 2,048 bits of modulus. */
const PLATFORM_RSA_COST = 100;
/** One multiplication in rsa.ts with a modulus of 2,048 bits. Grows with the square of the length. */
const MULTIPLICATION_COST = 3;
/** SHA-512 takes 6 µs per KiB. */
const BYTES_HASHED_PER_MICROSECOND = 160;

export const signatureCost = (key: VerificationKey, dataBytes: number): number =>
  Math.ceil(keyCost(key) + dataBytes / BYTES_HASHED_PER_MICROSECOND);

function keyCost(key: VerificationKey): number {
  switch (key.family) {
    case "ec":
      return CURVE_COST[key.curve];
    case "ed25519":
      return ED25519_COST;
    case "rsa": {
      const size = key.modulusBits / 2_048;
      return PLATFORM_EXPONENTS.includes(key.exponent)
        ? CALL_COST + PLATFORM_RSA_COST * size
        : CALL_COST + MULTIPLICATION_COST * countMultiplications(key.exponent) * size ** 2;
    }
  }
}

/** Square-and-multiply: one multiplication per bit of the exponent, plus one per bit that is set. */
function countMultiplications(exponent: bigint): number {
  const bits = exponent.toString(2);
  return bits.length + bits.replaceAll("0", "").length;
}
