/**
 * The text of an access token: `<kid>.<id>.<MAC of FI and id>`. It is opaque to its bearer. A forged token, or a token
 * of another FI, is rejected without a read. The text is not stored: it can be computed from the key and the token's
 * row.
 */
import { makeMacText, sameSecret } from "../platform/secrets.ts";
import type { TokenKey, TokenKeys } from "./token-keys.ts";

const TOKEN_PATTERN = /^([A-Za-z0-9]{1,32})\.([0-9A-Za-z_-]{1,64})\.([A-Za-z0-9_-]{43})$/;

export const writeAccessToken = (key: TokenKey, fiId: number, id: string): string =>
  `${key.kid}.${id}.${makeMacText(key.accessTokens, `${fiId}.${id}`)}`;

/** By its form alone, whether or not it is one of this service. */
export const looksLikeAccessToken = (text: string): boolean => TOKEN_PATTERN.test(text);

/** The id of a token that this service issued for this FI; null for any other text, or if its key was removed. */
export function readAccessToken(keys: TokenKeys, fiId: number, text: string): string | null {
  const [, kid = "", id = ""] = TOKEN_PATTERN.exec(text) ?? [];
  const key = keys.byKid.get(kid);
  return key && sameSecret(writeAccessToken(key, fiId, id), text) ? id : null;
}
