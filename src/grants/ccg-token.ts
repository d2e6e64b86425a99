/**
 * The CCG token: sealed and stateless. It holds all that the open-banking endpoints need to know of the PSP, so that
 * they verify it without a read; it cannot be revoked, which is why it lives as short as it does.
 */
import { toSeconds } from "../clock.ts";
import { fromBase64, toBase64Url } from "../encoding.ts";
import { seal, unseal } from "../secrets.ts";
import type { Scope } from "./scopes.ts";
import type { TokenKeys } from "./token-keys.ts";

export interface CcgGrant {
  readonly fiId: number;
  /** The normal form of the PSP's authorisation number. */
  readonly pspId: string;
  readonly scope: Scope;
  /** Payment services of the certificate's roles. */
  readonly services: readonly number[];
  /** Seconds since 1970; dead from then on. */
  readonly exp: number;
}

/**
 * When a token made at `now` expires, in seconds since 1970: never later than its certificate, which is valid until the
 * end of notAfter's second (RFC 5280 section 4.1.2.5). `now` and `notAfter` in milliseconds; the certificate is valid now.
 */
export const ccgTokenExpiry = (now: number, lifetimeSeconds: number, notAfter: number): number =>
  Math.min(toSeconds(now) + lifetimeSeconds, Math.max(toSeconds(notAfter), toSeconds(now) + 1));

const TOKEN_PATTERN = /^([A-Za-z0-9]{1,32})\.([A-Za-z0-9_-]{1,2048})$/;

export function writeCcgToken(keys: TokenKeys, grant: CcgGrant): string {
  const { kid, ccgTokens } = keys.newest;
  return `${kid}.${toBase64Url(seal(ccgTokens, JSON.stringify(grant), kid))}`;
}

/** What this service sealed into the token, whoever presents it and when; null for any other text. */
export function openCcgToken(keys: TokenKeys, text: string): CcgGrant | null {
  const [, kid = "", body = ""] = TOKEN_PATTERN.exec(text) ?? [];
  const key = keys.byKid.get(kid);
  const sealed = fromBase64(body);
  const opened = key && sealed ? unseal(key.ccgTokens, sealed, kid) : null;
  // authentic: only writeCcgToken wrote it
  return opened === null ? null : (JSON.parse(opened) as CcgGrant);
}

/** Whether it grants anything to this FI at `now` (milliseconds). Another FI's token is as invalid as a forged one. */
export function checkCcgGrant(grant: CcgGrant | null, fiId: number, now: number): "granted" | "invalid" | "expired" {
  if (grant?.fiId !== fiId) return "invalid";
  return now < grant.exp * 1000 ? "granted" : "expired";
}
