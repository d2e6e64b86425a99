/**
 * The keys that make tokens: one Worker secret each, `TOKEN_KEY_<kid>`, 32 random bytes as base64url. The greatest kid
 * makes new tokens, all verify: a rotation adds a key (`npm run admin -- key rotate`), old tokens go on working.
 */
import { fromBase64 } from "../encoding.ts";
import { makeMac } from "../secrets.ts";

const PREFIX = "TOKEN_KEY_";
const KEY_BYTES = 32;

export interface TokenKey {
  readonly kid: string;
  readonly accessTokens: Uint8Array;
  readonly ccgTokens: Uint8Array;
}

export interface TokenKeys {
  /** The one that makes new tokens. */
  readonly newest: TokenKey;
  readonly byKid: ReadonlyMap<string, TokenKey>;
}

// an isolate has one env for its life
const known = new WeakMap<Env, TokenKeys>();

/** The keys of this deployment. Throws when it has none, or a malformed one: it cannot work without. */
export function readTokenKeys(env: Env): TokenKeys {
  const remembered = known.get(env);
  if (remembered) return remembered;
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

/** Each use has a key of its own, derived from the secret: what one gives away helps nothing against the other. */
function makeTokenKey(kid: string, value: unknown): TokenKey {
  const secret = typeof value === "string" ? fromBase64(value) : null;
  if (!/^[A-Za-z0-9]+$/.test(kid) || secret?.length !== KEY_BYTES)
    throw new Error(`${PREFIX}${kid}: ${KEY_BYTES} bytes as base64url, named by letters and digits`);
  return { kid, accessTokens: makeMac(secret, "access tokens"), ccgTokens: makeMac(secret, "CCG tokens") };
}
