/**
 * The token keys: each is a Worker secret `TOKEN_KEY_<kid>` of 32 random bytes, base64url. The key with the greatest
 * kid makes new tokens; all keys verify. So a rotation adds a key (`npm run admin -- key rotate`), and old tokens stay
 * valid.
 */
import { fromBase64 } from "../platform/encoding.ts";
import { makeMac } from "../platform/secrets.ts";

const PREFIX = "TOKEN_KEY_";
const KEY_BYTES = 32;

export interface TokenKey {
  readonly kid: string;
  readonly accessTokens: Uint8Array;
  readonly ccgTokens: Uint8Array;
  /** For the ticket in the text of a code (codes.ts). */
  readonly codes: Uint8Array;
  /** For cookies and forms of the console (src/console/). */
  readonly console: Uint8Array;
  /** For the secrets of webhooks (src/events/). */
  readonly webhooks: Uint8Array;
}

export interface TokenKeys {
  /** The key that makes new tokens. */
  readonly newest: TokenKey;
  readonly byKid: ReadonlyMap<string, TokenKey>;
}

// an isolate keeps the same env object for its lifetime
const known = new WeakMap<Env, TokenKeys>();

/** Of the key that makes new tokens; `""` if there is none. */
export const findNewestKid = (env: object): string =>
  Object.keys(env)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => name.slice(PREFIX.length))
    .sort()
    .at(-1) ?? "";

/** The keys of this deployment. Throws if there is none, or if one is malformed. */
export function readTokenKeys(env: Env): TokenKeys {
  const knownKeys = known.get(env);
  if (knownKeys) return knownKeys;
  const keys = Object.entries(env)
    .filter(([name]) => name.startsWith(PREFIX))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => makeTokenKey(name.slice(PREFIX.length), value));
  const newest = keys.at(-1);
  if (!newest) throw new Error(`no secret ${PREFIX}<kid>: npm run admin -- key rotate`);
  const read = { newest, byKid: new Map(keys.map((key) => [key.kid, key])) };
  known.set(env, read);
  return read;
}

/** Derives a separate key for each use, so that a weakness of one use does not affect the other. */
function makeTokenKey(kid: string, value: unknown): TokenKey {
  const secret = typeof value === "string" ? fromBase64(value) : null;
  if (!/^[A-Za-z0-9]+$/.test(kid) || secret?.length !== KEY_BYTES)
    throw new Error(`${PREFIX}${kid}: ${KEY_BYTES} bytes as base64url, named by letters and digits`);
  return {
    kid,
    accessTokens: makeMac(secret, "access tokens"),
    ccgTokens: makeMac(secret, "CCG tokens"),
    codes: makeMac(secret, "codes"),
    console: makeMac(secret, "console"),
    webhooks: makeMac(secret, "webhooks"),
  };
}
