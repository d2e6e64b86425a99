/**
 * The keys that sign answers: each is a secret SIGNING_KEY_<kid>_<public key>, whose id is the time when it was made.
 * The newest one signs. Of a retired one the private part is removed, so that nobody can sign with it any more; what it
 * signed can be verified by its name (`npm run admin -- signing-key rotate`).
 */
import type { Instant } from "../../platform/instant.ts";
import { createPrivateKey, type KeyObject } from "../../platform/node-crypto.ts";

export const SIGNING_KEY_PREFIX = "SIGNING_KEY_";

/** How long older isolates may still sign with a retired key: a new secret reaches all of them within minutes. */
const RETIREMENT_SECONDS = 300;

/** RFC 7517, an Ed25519 key as in RFC 8037. Times in seconds since 1970: when it began to sign, and when it ended. */
export interface PublicSigningKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "Ed25519";
  readonly nbf: number;
  readonly exp?: number;
}

export interface Signer {
  readonly kid: string;
  readonly d: string;
  readonly x: string;
}

export interface SigningKeys {
  /** Null if there is no key, or if the newest one has lost its private part. */
  readonly signer: Signer | null;
  /** Oldest first. */
  readonly published: readonly PublicSigningKey[];
}

/** What is put in the place of a retired key's private part. */
export const RETIRED = "retired";

/** When it was made, and the public key in hexadecimal: the names of a deployment's secrets can be read, their values cannot. */
const NAME = /^SIGNING_KEY_(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z_([0-9a-f]{64})$/;
/** 32 bytes in base64url. */
const PRIVATE_PART = /^[A-Za-z0-9_-]{43}$/;

export interface NamedKey {
  readonly kid: string;
  readonly x: string;
  /** Seconds since 1970. */
  readonly madeAt: number;
}

/** What the name of a secret says; null if no signing key has such a name. */
export function parseKeyName(name: string): NamedKey | null {
  const [, year, month, day, hour, minute, second, hex = ""] = NAME.exec(name) ?? [];
  const madeAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) / 1000;
  if (Number.isNaN(madeAt)) return null;
  const kid = `${year}${month}${day}T${hour}${minute}${second}Z`;
  return { kid, x: Buffer.from(hex, "hex").toString("base64url"), madeAt };
}

/** Of keys in any order: oldest first, each with the time when the next one took its place. */
export function publishKeys(keys: readonly NamedKey[]): PublicSigningKey[] {
  const sorted = keys.toSorted((a, b) => a.madeAt - b.madeAt);
  return sorted.map(({ kid, x, madeAt }, i) => {
    const next = sorted[i + 1];
    const exp = next && { exp: next.madeAt + RETIREMENT_SECONDS };
    return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "Ed25519", nbf: madeAt, ...exp };
  });
}

// an isolate keeps the same env object for its lifetime
const known = new WeakMap<object, SigningKeys>();

/** Of this deployment; none if it has no such secret. Throws if one is malformed. */
export function readSigningKeys(env: object): SigningKeys {
  const kept = known.get(env);
  if (kept) return kept;
  const keys = Object.entries(env)
    .filter(([name]) => name.startsWith(SIGNING_KEY_PREFIX))
    .map(([name, value]) => parseKey(name, value))
    .sort((a, b) => a.madeAt - b.madeAt);
  const newest = keys.at(-1);
  const signer = newest?.d == null ? null : { kid: newest.kid, d: newest.d, x: newest.x };
  const read = { signer, published: publishKeys(keys) };
  known.set(env, read);
  return read;
}

function parseKey(name: string, value: unknown) {
  const named = parseKeyName(name);
  const isPrivatePart = typeof value === "string" && PRIVATE_PART.test(value);
  if (!named || !(isPrivatePart || value === RETIRED))
    throw new Error(`${name}: a key that npm run admin -- signing-key rotate made is expected`);
  return { ...named, d: isPrivatePart ? value : null };
}

/**
 * Milliseconds by which the clock that named a key may be ahead of the service's, which signs with it at once: it is that
 * of the operator's machine. The end of a key is published as much later (signing-keys.ts).
 */
const CLOCK_SKEW_MS = 300_000;

/** Whether the key signed at `time`. */
export const didSign = ({ nbf, exp = Number.POSITIVE_INFINITY }: PublicSigningKey, time: Instant): boolean =>
  !(time < nbf * 1000 - CLOCK_SKEW_MS || time > exp * 1000);

const imported = new WeakMap<Signer, KeyObject>();

/** The private part, as node:crypto takes it: imported once. */
export function importKey(key: Signer): KeyObject {
  const known = imported.get(key);
  if (known) return known;
  const { d, x } = key;
  const privateKey = createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" });
  imported.set(key, privateKey);
  return privateKey;
}
