/**
 * The CCG token: sealed and stateless. It holds all that the open-banking endpoints need to know of the PSP, so that
 * they verify it without a read; it cannot be revoked, which is why it lives as short as it does.
 */
import { fromBase64, toBase64Url } from "../encoding.ts";
import { seal, unseal } from "../secrets.ts";
import type { Scope } from "./scopes.ts";
import type { TokenKeys } from "./token-keys.ts";

export interface CcgGrant {
  readonly fiId: number;
  /** The PSP's authorisation number. */
  readonly pspId: string;
  readonly scope: Scope;
  /** Payment services of the certificate's roles. */
  readonly services: readonly number[];
  /** Seconds since 1970; dead from then on. */
  readonly exp: number;
}

export type CcgRead =
  | { readonly ok: true; readonly grant: CcgGrant }
  | { readonly ok: false; readonly reason: "invalid" | "expired" };

const TOKEN_PATTERN = /^([A-Za-z0-9]{1,32})\.([A-Za-z0-9_-]{1,2048})$/;

export function writeCcgToken(keys: TokenKeys, grant: CcgGrant): string {
  const { kid, ccgTokens } = keys.newest;
  return `${kid}.${toBase64Url(seal(ccgTokens, JSON.stringify(grant), kid))}`;
}

/** What the token grants to this FI at `now` (milliseconds). Another FI's token is as invalid as a forged one. */
export function readCcgToken(keys: TokenKeys, fiId: number, text: string, now: number): CcgRead {
  const [, kid = "", body = ""] = TOKEN_PATTERN.exec(text) ?? [];
  const key = keys.byKid.get(kid);
  const sealed = fromBase64(body);
  const opened = key && sealed ? unseal(key.ccgTokens, sealed, kid) : null;
  if (opened === null) return { ok: false, reason: "invalid" };
  // authentic: only writeCcgToken wrote it
  const grant = JSON.parse(opened) as CcgGrant;
  if (grant.fiId !== fiId) return { ok: false, reason: "invalid" };
  return now < grant.exp * 1000 ? { ok: true, grant } : { ok: false, reason: "expired" };
}
