/** Which tokens a token key still carries: what an operator must know before it is removed. */
import { reach } from "../store-error.ts";

export const KEY_USE_STATEMENTS = {
  // by tokens_by_expiry: only tokens that are alive are looked at, however many the table keeps
  liveTokens: `
    SELECT count(*) AS tokens, max(expires_at) AS until FROM tokens
    WHERE expires_at > ?2 AND kid = ?1 AND revoked_at IS NULL`,
} as const;

/** A new secret reaches every isolate within moments; in this time none signs with the key before it any more. */
const ROLLOUT_MS = 5 * 60_000;

/** Times in milliseconds since 1970. */
export interface KeyUse {
  /** Access tokens of the key that are neither expired nor revoked, and when the last of them expires. */
  readonly accessTokens: number;
  readonly accessTokensUntil: number | null;
  /** Until when a CCG token of the key may be alive. They are stored nowhere, so nobody can count them. */
  readonly ccgTokensUntil: number;
}

/** Whether anything would stop working without the key. */
export const isInUse = ({ accessTokens, ccgTokensUntil }: KeyUse, now: number): boolean =>
  accessTokens > 0 || now < ccgTokensUntil;

/** How a key that signs no more is used; `kids` are all keys that there are. Throws StoreError. */
export async function readKeyUse(
  { DB, CCG_TOKEN_SECONDS }: Pick<Env, "DB" | "CCG_TOKEN_SECONDS">,
  kids: readonly string[],
  kid: string,
  now: number,
): Promise<KeyUse> {
  const count = DB.prepare(KEY_USE_STATEMENTS.liveTokens).bind(kid, now);
  const row = await reach("D1", () => count.first<{ tokens: number; until: number | null }>());
  return {
    accessTokens: row?.tokens ?? 0,
    accessTokensUntil: row?.until ?? null,
    ccgTokensUntil: signedUntil(kids, kid, now) + CCG_TOKEN_SECONDS * 1000,
  };
}

/** When the last isolate stopped to sign with a key: some time after the first newer one was made. */
export function signedUntil(kids: readonly string[], kid: string, now: number): number {
  const newer = kids.filter((other) => other > kid).map(madeAt);
  // an id that names no time, or one that has not come, says only that its key is there now
  return Math.min(now, ...newer.filter((time) => !Number.isNaN(time))) + ROLLOUT_MS;
}

/** `20261121T041500Z` as a time; NaN for an id of another form. */
const madeAt = (kid: string): number =>
  Date.parse(kid.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
