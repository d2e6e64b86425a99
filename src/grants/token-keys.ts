/**
 * The token keys: each is a Worker secret `TOKEN_KEY_<kid>` of 32 random bytes, base64url. The key with the greatest kid
 * makes new tokens; all keys verify. So a rotation adds a key (`npm run admin -- key rotate`), and old tokens stay valid.
 */

import { listDatabases } from "../institutions/databases.ts";
import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { makeMac, seal, unseal } from "../platform/secrets.ts";
import { callStore } from "../platform/stores.ts";

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
  readonly newest: TokenKey;
  readonly byKid: ReadonlyMap<string, TokenKey>;
}

// an isolate keeps the same env object for its lifetime
const known = new WeakMap<Env, TokenKeys>();

const listNames = (env: object): string[] =>
  Object.keys(env)
    .filter((name) => name.startsWith(PREFIX))
    .sort();

/** Of all keys, the newest last. */
export const listTokenKeyIds = (env: object): string[] => listNames(env).map((name) => name.slice(PREFIX.length));

/** Of the key that makes new tokens; `""` if there is none. */
export const findNewestKid = (env: object): string => listTokenKeyIds(env).at(-1) ?? "";

/** The keys of this deployment. Throws if there is none, or if one is malformed. */
export function readTokenKeys(env: Env): TokenKeys {
  const knownKeys = known.get(env);
  if (knownKeys) return knownKeys;
  const keys = listNames(env).map((name) => makeTokenKey(name.slice(PREFIX.length), env[name as keyof Env]));
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

type Use = Exclude<keyof TokenKey, "kid">;

/** A text that a key has sealed, in base64url, and which one. */
interface SealedText {
  readonly kid: string;
  readonly sealed: string;
}

/** With the newest key. `label`: of the seal (platform/secrets.ts). */
export function sealText({ newest }: TokenKeys, use: Use, text: string, label = newest.kid): SealedText {
  return { kid: newest.kid, sealed: toBase64Url(seal(newest[use], text, label)) };
}

/** Null if the key is gone, or has not sealed this text under this label. */
export function openText(keys: TokenKeys, use: Use, { kid, sealed }: SealedText, label = kid): string | null {
  const [key, bytes] = [keys.byKid.get(kid), fromBase64(sealed)];
  return key && bytes ? unseal(key[use], bytes, label) : null;
}

export const KEY_USE_STATEMENTS = {
  // index tokens_by_expiry: reads only tokens that have not expired, whatever the size of the table
  liveTokens: `
    SELECT count(*) AS tokens, max(expires_at) AS until FROM tokens
    WHERE expires_at > ?2 AND kid = ?1 AND revoked_at IS NULL`,
} as const;

/** For `key list`; reads only tokens that have not expired, as above. */
const LIVE_TOKENS_BY_KEY = `
  SELECT kid, count(*) AS tokens FROM tokens
  WHERE expires_at > ?1 AND revoked_at IS NULL GROUP BY kid`;

/** A new secret reaches all isolates within moments. After this time none of them signs with the previous key. */
const ROLLOUT_MS = 5 * 60_000;

export interface KeyUse {
  /** Access tokens of the key that are neither expired nor revoked, and when the last of them expires. */
  readonly accessTokens: number;
  readonly accessTokensUntil: Instant | null;
  /** When the last CCG token of the key expires at the latest. CCG tokens are not stored, so they cannot be counted. */
  readonly ccgTokensUntil: Instant;
}

/** Whether any token would stop working without the key at `now`. */
export const isInUse = ({ accessTokens, ccgTokensUntil }: KeyUse, now: Instant): boolean =>
  accessTokens > 0 || now < ccgTokensUntil;

/** The use of a key that no longer signs. An operator must know it before the key is removed. `kids`: of all keys. */
export async function readKeyUse(
  env: Pick<Env, "DB" | "CCG_TOKEN_SECONDS">,
  kids: readonly string[],
  kid: string,
  now: Instant,
): Promise<KeyUse> {
  // of a database that does not answer nobody knows, so the key may be needed
  const counts = await Promise.all(
    listDatabases(env).map(async ({ binding, db }) => {
      const count = db.prepare(KEY_USE_STATEMENTS.liveTokens).bind(kid, now);
      return await callStore(`D1 ${binding}`, () => count.first<{ tokens: number; until: Instant | null }>());
    }),
  );
  const ends = counts.flatMap((row) => row?.until ?? []);
  return {
    accessTokens: counts.reduce((sum, row) => sum + (row?.tokens ?? 0), 0),
    accessTokensUntil: ends.length === 0 ? null : Math.max(...ends),
    ccgTokensUntil: signedUntil(kids, kid, now) + env.CCG_TOKEN_SECONDS * 1000,
  };
}

/** When the last isolate stopped signing with a key: {@link ROLLOUT_MS} after the next newer key was made. */
export function signedUntil(kids: readonly string[], kid: string, now: Instant): Instant {
  const newer = kids.filter((other) => other > kid).map(madeAt);
  // if the newer key's id contains no time, or a time in the future, it is known only that the key exists now
  return Math.min(now, ...newer.filter((time) => !Number.isNaN(time))) + ROLLOUT_MS;
}

/** The live access tokens of each key in all databases at `now`. */
export async function countLiveTokens(env: Pick<Env, "DB">, now: Instant): Promise<ReadonlyMap<string, number>> {
  const counted = await Promise.all(
    listDatabases(env).map(async ({ binding, db }) => {
      const count = db.prepare(LIVE_TOKENS_BY_KEY).bind(now);
      return (await callStore(`D1 ${binding}`, () => count.all<{ kid: string; tokens: number }>())).results;
    }),
  );
  const total = new Map<string, number>();
  for (const { kid, tokens } of counted.flat()) total.set(kid, (total.get(kid) ?? 0) + tokens);
  return total;
}

/** The time in an id such as `20261121T041500Z`; NaN for an id of another form. */
export const madeAt = (kid: string): Instant =>
  Date.parse(kid.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
