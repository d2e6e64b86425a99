/** Parses a signature's AlgorithmIdentifier into a signature scheme (RFC 4055, RFC 5758, RFC 8410). */
import type { AlgorithmIdentifier } from "./certificate.ts";
import { readAlgorithm } from "./certificate.ts";
import { children, context, type Der, DerError, expect, readDer, Tag } from "./der.ts";
import { readSmallInteger } from "./der-values.ts";

export type Hash = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

export type SignatureScheme =
  | { readonly family: "rsa-pkcs1"; readonly hash: Hash }
  /** MGF1 uses the same hash. `saltLength` is in bytes. */
  | { readonly family: "rsa-pss"; readonly hash: Hash; readonly saltLength: number }
  /** `plain`: r and s, each padded, as JWS and RFC 9421 write them; else DER. */
  | { readonly family: "ecdsa"; readonly hash: Hash; readonly plain?: true }
  | { readonly family: "ed25519" };

/** `reason` completes the sentence "The signature does not verify: ...". */
export interface Refused {
  readonly ok: false;
  readonly reason: string;
}

export const refuse = (reason: string): Refused => ({ ok: false, reason });

type SchemeReading = { readonly ok: true; readonly scheme: SignatureScheme } | Refused;

export const RSASSA_PSS = "1.2.840.113549.1.1.10";
export const ED25519 = "1.3.101.112";
const MGF1 = "1.2.840.113549.1.1.8";

const PKCS1: Readonly<Record<string, Hash>> = {
  "1.2.840.113549.1.1.5": "SHA-1",
  "1.2.840.113549.1.1.11": "SHA-256",
  "1.2.840.113549.1.1.12": "SHA-384",
  "1.2.840.113549.1.1.13": "SHA-512",
};

const ECDSA: Readonly<Record<string, Hash>> = {
  "1.2.840.10045.4.1": "SHA-1",
  "1.2.840.10045.4.3.2": "SHA-256",
  "1.2.840.10045.4.3.3": "SHA-384",
  "1.2.840.10045.4.3.4": "SHA-512",
};

const HASHES: Readonly<Record<string, Hash>> = {
  "1.3.14.3.2.26": "SHA-1",
  "2.16.840.1.101.3.4.2.1": "SHA-256",
  "2.16.840.1.101.3.4.2.2": "SHA-384",
  "2.16.840.1.101.3.4.2.3": "SHA-512",
};

const REFUSED: Readonly<Record<string, string>> = {
  "1.2.840.113549.1.1.2": "MD2 with RSA",
  "1.2.840.113549.1.1.3": "MD4 with RSA",
  "1.2.840.113549.1.1.4": "MD5 with RSA",
  "1.2.840.113549.1.1.14": "SHA-224 with RSA",
  "1.3.14.3.2.29": "SHA-1 with RSA",
  "1.2.840.10045.4.3.1": "ECDSA with SHA-224",
  "1.2.840.10040.4.3": "DSA with SHA-1",
  "2.16.840.1.101.3.4.3.1": "DSA with SHA-224",
  "2.16.840.1.101.3.4.3.2": "DSA with SHA-256",
  "1.3.101.113": "Ed448",
};

/** Parses the scheme. SHA-1 is parsed too; refusing it is left to the caller. Never throws. */
export function readSignatureScheme(algorithm: AlgorithmIdentifier): SchemeReading {
  const { oid, parameters } = algorithm;
  const pkcs1 = PKCS1[oid];
  if (pkcs1) {
    // RFC 4055 section 5: writers must use NULL, but readers must accept both NULL and absent parameters
    if (!isNullOrAbsent(parameters)) return refuse(`${oid} has parameters other than NULL`);
    return { ok: true, scheme: { family: "rsa-pkcs1", hash: pkcs1 } };
  }
  const ecdsa = ECDSA[oid];
  if (ecdsa) {
    // RFC 5758 section 3.2: parameters must be absent, and no tolerance for readers is required
    if (parameters) return refuse(`${oid} has parameters, which ECDSA forbids`);
    return { ok: true, scheme: { family: "ecdsa", hash: ecdsa } };
  }
  if (oid === ED25519) {
    if (parameters) return refuse("Ed25519 has parameters, which RFC 8410 forbids");
    return { ok: true, scheme: { family: "ed25519" } };
  }
  if (oid === RSASSA_PSS) return readPss(parameters);
  return refuse(`the algorithm ${REFUSED[oid] ?? oid} is not accepted`);
}

export function readPss(parameters: Der | null): SchemeReading {
  if (!parameters) return refuse("RSASSA-PSS has no parameters");
  try {
    return readPssParameters(parameters);
  } catch (error) {
    if (error instanceof DerError) return refuse(error.message);
    throw error;
  }
}

function readPssParameters(parameters: Der): SchemeReading {
  const what = "RSASSA-PSS parameters";
  const fields = children(expect(parameters, Tag.sequence, what), what);
  const readField = (n: number) =>
    fields[0]?.tag === context(n) ? readDer(fields.shift()?.content ?? none, what) : null;
  const hash = readHash(readField(0), what);
  const mask = readField(1);
  const generator = mask && readAlgorithm(mask, what);
  if (generator && generator.oid !== MGF1) return refuse(`RSASSA-PSS with the mask ${generator.oid} is not accepted`);
  const maskHash = readHash(generator?.parameters ?? null, what);
  const salt = readField(2);
  const trailer = readField(3);
  if (fields.length > 0) throw new DerError(`${what}: data after them`);
  if (!hash || !maskHash) return refuse("RSASSA-PSS with another hash than SHA-1, 256, 384 or 512 is not accepted");
  if (hash !== maskHash) return refuse(`RSASSA-PSS with ${hash} and a mask by ${maskHash} is not accepted`);
  if (trailer && readSmallInteger(trailer, what) !== 1)
    return refuse("RSASSA-PSS with another trailer is not accepted");
  // the default salt length is 20 bytes, the size of the default hash SHA-1
  return { ok: true, scheme: { family: "rsa-pss", hash, saltLength: salt ? readSmallInteger(salt, what) : 20 } };
}

const none = new Uint8Array(0);

/** Returns null for an unknown hash. The default when absent is SHA-1 (RFC 4055 section 3.1). Throws DerError. */
function readHash(der: Der | null, what: string): Hash | null {
  if (!der) return "SHA-1";
  const { oid, parameters } = readAlgorithm(der, what);
  if (!isNullOrAbsent(parameters)) throw new DerError(`${what}: the hash has parameters other than NULL`);
  return HASHES[oid] ?? null;
}

/** RFC 4055 section 2.1 requires both forms to be accepted. */
export const isNullOrAbsent = (parameters: Der | null): boolean =>
  parameters === null || (parameters.tag === Tag.null && parameters.content.length === 0);
