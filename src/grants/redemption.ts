/**
 * What becomes of an attempt to exchange an authorization code: the rule alone, no store. The Durable Object
 * (authorization-code.ts) applies it between one read and one write, so that attempts never overlap.
 */
import { sameSecret } from "../secrets.ts";
import type { Scope } from "./scopes.ts";

/** Codes of one flow mean nothing in the other. */
type Flow = "oauth2" | "obie";

/** What a code was issued for. Times in milliseconds since 1970. */
export interface CodeRecord {
  readonly flow: Flow;
  readonly fiId: number;
  /** The PSP's authorisation number. */
  readonly pspId: string;
  readonly redirectUri: string;
  readonly scope: Scope;
  readonly state: string | null;
  readonly accountId: string;
  readonly consentId: string | null;
  readonly expiresAt: number;
}

export interface StoredCode extends CodeRecord {
  readonly secretHash: string;
  /** The token that the code was exchanged for; null while it was not. */
  readonly tokenId: string | null;
  /**
   * Tokens that the code was exchanged for and that could not be stored: the code was given back. The store may hold
   * them all the same. Absent until there is one.
   */
  readonly givenBack?: readonly string[];
}

/** The revocations of so many fit in one transaction beside the next token; then the code stays used. */
export const MAX_GIVEN_BACK = 16;

export interface Attempt {
  readonly secretHash: string;
  readonly flow: Flow;
  readonly fiId: number;
  readonly pspId: string;
  readonly redirectUri: string;
  /** Null where the endpoint does not ask for the account (open banking). */
  readonly accountId: string | null;
  /** What the PSP may use at this moment; a code for another scope is not consumed. */
  readonly scopes: readonly Scope[];
  /** The token that a granted attempt leads to: made anew for each attempt, and known to nobody else. */
  readonly tokenId: string;
  readonly now: number;
}

export type Denial = "unknown" | "redirect_uri" | "account_id" | "used" | "expired" | "scope";

export type Verdict =
  /** `givenBack` must be revoked in the transaction that stores the token: one code never leaves two live tokens. */
  | { readonly ok: true; readonly record: CodeRecord; readonly givenBack: readonly string[] }
  | { readonly ok: false; readonly reason: Exclude<Denial, "used" | "scope"> }
  /** The PSP may not use the scope that the code was issued for. */
  | { readonly ok: false; readonly reason: "scope"; readonly scope: Scope }
  /**
   * A replay by the right PSP: `tokenId` is the token that the code gave, which must be revoked (RFC 6749 4.1.2), and
   * `givenBack` with it.
   */
  | {
      readonly ok: false;
      readonly reason: "used";
      readonly tokenId: string;
      readonly givenBack: readonly string[];
      readonly record: CodeRecord;
    };

/**
 * Only a granted attempt consumes. Another FI or PSP learns nothing, not even that the code exists.
 * An attempt that comes again with its own `tokenId` is the same attempt, whose answer was lost: granted again.
 */
export function checkRedemption(stored: StoredCode | undefined, attempt: Attempt): Verdict {
  if (!stored || !sameSecret(stored.secretHash, attempt.secretHash)) return { ok: false, reason: "unknown" };
  if (stored.flow !== attempt.flow || stored.fiId !== attempt.fiId || stored.pspId !== attempt.pspId)
    return { ok: false, reason: "unknown" };
  if (stored.redirectUri !== attempt.redirectUri) return { ok: false, reason: "redirect_uri" };
  if (attempt.accountId !== null && stored.accountId !== attempt.accountId) return { ok: false, reason: "account_id" };
  const { secretHash: _, tokenId, givenBack = [], ...record } = stored;
  if (tokenId === attempt.tokenId) return { ok: true, record, givenBack };
  if (tokenId !== null) return { ok: false, reason: "used", tokenId, givenBack, record };
  // a late copy of a call whose caller has given up
  if (givenBack.includes(attempt.tokenId))
    return { ok: false, reason: "used", tokenId: attempt.tokenId, givenBack, record };
  if (attempt.now >= stored.expiresAt) return { ok: false, reason: "expired" };
  if (!attempt.scopes.includes(stored.scope)) return { ok: false, reason: "scope", scope: stored.scope };
  return { ok: true, record, givenBack };
}

/**
 * The code after the attempt that led to `tokenId` gave it back, because that token could not be stored; null when it
 * cannot be given back. An attempt that never arrived is noted too: it must not arrive later. Another attempt's token
 * stays.
 */
export function giveBack(stored: StoredCode, tokenId: string): StoredCode | null {
  const { givenBack = [] } = stored;
  if (givenBack.includes(tokenId)) return stored;
  if (givenBack.length >= MAX_GIVEN_BACK) return null;
  return {
    ...stored,
    tokenId: stored.tokenId === tokenId ? null : stored.tokenId,
    givenBack: [...givenBack, tokenId],
  };
}
