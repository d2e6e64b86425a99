/** The texts of access tokens and of CCG tokens. */

import { toSeconds } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { makeMacText, SEALED_BYTES, sameSecret } from "../platform/secrets.ts";
import type { Scope } from "../registers/entitlement.ts";
import { openText, sealText, type TokenKey, type TokenKeys } from "./token-keys.ts";

/**
 * The text of an access token: `<kid>.<id>.<MAC of FI and id>`. It is opaque to its bearer. A forged token, or a token of
 * another FI, is rejected without a read. The text is not stored: it can be computed from the key and the token's row.
 */
const ACCESS_TOKEN = /^([A-Za-z0-9]{1,32})\.([0-9A-Za-z_-]{1,64})\.([A-Za-z0-9_-]{43})$/;

export const writeAccessToken = (key: TokenKey, fiId: number, id: string): string =>
  `${key.kid}.${id}.${makeMacText(key.accessTokens, `${fiId}.${id}`)}`;

/** The id of a token that this service issued for this FI; null for any other text, or if its key was removed. */
export function readAccessToken(keys: TokenKeys, fiId: number, text: string): string | null {
  const [, kid = "", id = ""] = ACCESS_TOKEN.exec(text) ?? [];
  const key = keys.byKid.get(kid);
  return key && sameSecret(writeAccessToken(key, fiId, id), text) ? id : null;
}

/**
 * The CCG token is encrypted and stateless: it contains all that the open-banking endpoints need to know about the PSP, so
 * they verify it without a read. It cannot be revoked; this is why its lifetime is short.
 */
export interface CcgGrant {
  readonly fiId: number;
  /** The normal form of the PSP's authorisation number. */
  readonly pspId: string;
  readonly scope: Scope;
  /** Payment services of the certificate's roles. */
  readonly services: readonly number[];
  /** Seconds since 1970. The token is invalid from this instant on. */
  readonly exp: number;
}

/**
 * The expiry of a token issued at `now`, in seconds since 1970: not later than that of its certificate, which is valid
 * through the whole second notAfter (RFC 5280 section 4.1.2.5). The certificate must be valid at `now`.
 */
export const ccgTokenExpiry = (now: Instant, lifetimeSeconds: number, notAfter: Instant): number =>
  Math.min(toSeconds(now) + lifetimeSeconds, Math.max(toSeconds(notAfter), toSeconds(now) + 1));

const CCG_TOKEN = /^([A-Za-z0-9]{1,32})\.([A-Za-z0-9_-]{1,2048})$/;

export function writeCcgToken(keys: TokenKeys, grant: CcgGrant): string {
  const { kid, sealed } = sealText(keys, "ccgTokens", JSON.stringify(grant));
  return `${kid}.${sealed}`;
}

/** Decrypts a token of this service, without a check of its FI or expiry; null for any other text. */
export function openCcgToken(keys: TokenKeys, text: string): CcgGrant | null {
  const [, kid = "", sealed = ""] = CCG_TOKEN.exec(text) ?? [];
  const opened = openText(keys, "ccgTokens", { kid, sealed });
  // authenticated, so its form is that of writeCcgToken
  return opened === null ? null : (JSON.parse(opened) as CcgGrant);
}

/** No token is made of a shorter text. */
const SHORTEST: CcgGrant = { fiId: 1, pspId: "PSDXX-A-1", scope: "payments", services: [], exp: 1_000_000_000 };
const MIN_BODY_CHARACTERS = Math.ceil(((JSON.stringify(SHORTEST).length + SEALED_BYTES) * 4) / 3);

/**
 * What is wrong with the form of a text that is no valid token; null if the form is right. It looks at nothing else, so
 * it shows nobody who guesses whether he came close.
 */
export function findCcgTokenFault(text: string): "access_token" | "cut_short" | "no_token" | null {
  if (ACCESS_TOKEN.test(text)) return "access_token";
  const [, kid, body = ""] = /^([A-Za-z0-9]{1,32})\.?([A-Za-z0-9_-]*)$/.exec(text) ?? [];
  if (kid === undefined) return "no_token";
  return body.length < MIN_BODY_CHARACTERS ? "cut_short" : CCG_TOKEN.test(text) ? null : "no_token";
}

/** Checks the FI and the expiry at `now`. A token of another FI is "invalid", like a forged one. */
export function checkCcgGrant(grant: CcgGrant | null, fiId: number, now: Instant): "granted" | "invalid" | "expired" {
  if (grant?.fiId !== fiId) return "invalid";
  return now < grant.exp * 1000 ? "granted" : "expired";
}
