/** The live tokens of a token key. An operator must know them before the key is removed. */
import { listDatabases } from "../institutions/databases.ts";
import { callStore } from "../platform/stores.ts";

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

/** Times in milliseconds since 1970. */
export interface KeyUse {
  /** Access tokens of the key that are neither expired nor revoked, and when the last of them expires. */
  readonly accessTokens: number;
  readonly accessTokensUntil: number | null;
  /** When the last CCG token of the key expires at the latest. CCG tokens are not stored, so they cannot be counted. */
  readonly ccgTokensUntil: number;
}

/** Whether any token would stop working without the key at `now` (milliseconds since 1970). */
export const isInUse = ({ accessTokens, ccgTokensUntil }: KeyUse, now: number): boolean =>
  accessTokens > 0 || now < ccgTokensUntil;

/**
 * The use of a key that no longer signs. `kids` are the ids of all keys; `now` is in milliseconds since 1970. Throws
 * StoreError.
 */
export async function readKeyUse(
  env: Pick<Env, "DB" | "CCG_TOKEN_SECONDS">,
  kids: readonly string[],
  kid: string,
  now: number,
): Promise<KeyUse> {
  // of a database that does not answer nobody knows, so the key may be needed
  const counts = await Promise.all(
    listDatabases(env).map(async ({ binding, db }) => {
      const count = db.prepare(KEY_USE_STATEMENTS.liveTokens).bind(kid, now);
      return await callStore(`D1 ${binding}`, () => count.first<{ tokens: number; until: number | null }>());
    }),
  );
  const ends = counts.flatMap((row) => row?.until ?? []);
  return {
    accessTokens: counts.reduce((sum, row) => sum + (row?.tokens ?? 0), 0),
    accessTokensUntil: ends.length === 0 ? null : Math.max(...ends),
    ccgTokensUntil: signedUntil(kids, kid, now) + env.CCG_TOKEN_SECONDS * 1000,
  };
}

/**
 * When the last isolate stopped signing with a key, in milliseconds since 1970: {@link ROLLOUT_MS} after the next newer
 * key was made.
 */
export function signedUntil(kids: readonly string[], kid: string, now: number): number {
  const newer = kids.filter((other) => other > kid).map(madeAt);
  // if the newer key's id contains no time, or a time in the future, it is known only that the key exists now
  return Math.min(now, ...newer.filter((time) => !Number.isNaN(time))) + ROLLOUT_MS;
}

/** The live access tokens of each key in all databases at `now` (milliseconds since 1970). Throws StoreError. */
export async function countLiveTokens(env: Pick<Env, "DB">, now: number): Promise<ReadonlyMap<string, number>> {
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

/** The time in an id such as `20261121T041500Z`, in milliseconds since 1970; NaN for an id of another form. */
export const madeAt = (kid: string): number =>
  Date.parse(kid.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
