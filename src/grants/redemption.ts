/**
 * The rule that decides whether an authorization code is exchanged. Pure, without a store. The Durable Object
 * (authorization-code.ts) applies it between one read and one write, so attempts never overlap.
 */
import type { Instant } from "../platform/instant.ts";
import { sameSecret } from "../platform/secrets.ts";
import type { Scope } from "../registers/entitlement.ts";

/** From the issue of a code to its expiry (interface, "Limits"). */
export const CODE_LIFETIME_SECONDS = 60;

/** Codes of one flow mean nothing in the other. */
type Flow = "oauth2" | "obie";

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
  readonly expiresAt: Instant;
}

/**
 * What the store holds of a code. Its account can be read with the code's secret only, which is not stored: `accountId`
 * is its digest beside `sealedAccountId` (codes.ts).
 */
export interface SealedRecord extends CodeRecord {
  readonly sealedAccountId: string;
}

export interface StoredCode extends SealedRecord {
  readonly secretHash: string;
  /** The token that the code was exchanged for; null before the exchange. */
  readonly tokenId: string | null;
  /**
   * Tokens of earlier exchanges that could not be confirmed as stored, after which the code was given back. The store
   * may contain them nevertheless. Absent until there is one.
   */
  readonly givenBack?: readonly string[];
  /** A second attempt was denied as `used`: nothing is given back any more. Absent until then. */
  readonly replayed?: true;
}

/** So many revocations fit into one transaction together with the next token. Beyond this the code stays used. */
export const MAX_GIVEN_BACK = 16;

/** What a PSP sends with its code. */
export interface CodeUse {
  readonly flow: Flow;
  readonly fiId: number;
  readonly pspId: string;
  readonly redirectUri: string;
  /** Null if the endpoint has no such parameter (open banking). */
  readonly accountId: string | null;
  /** The scopes that the PSP may use now. A code for another scope is not consumed. */
  readonly scopes: readonly Scope[];
  /** The id of the token to be issued: new for each attempt, and known to no other. */
  readonly tokenId: string;
  readonly now: Instant;
}

/** A use as the code's object gets it. */
export interface Attempt extends Omit<CodeUse, "accountId"> {
  readonly secretHash: string;
  /** Of `accountId` with the code's secret; null as that is. */
  readonly accountDigest: string | null;
}

export type Denial = "unknown" | "redirect_uri" | "account_id" | "used" | "expired" | "scope";

export type Verdict =
  /** `givenBack` must be revoked in the transaction that stores the token, so that one code never has two live tokens. */
  | { readonly ok: true; readonly record: SealedRecord; readonly givenBack: readonly string[] }
  | { readonly ok: false; readonly reason: Exclude<Denial, "used" | "scope"> }
  /** The PSP may not use the scope that the code was issued for. */
  | { readonly ok: false; readonly reason: "scope"; readonly scope: Scope }
  /**
   * A replay by the PSP of the code. The token `tokenId` that was issued for the code must be revoked together with
   * `givenBack` (RFC 6749 section 4.1.2).
   */
  | {
      readonly ok: false;
      readonly reason: "used";
      readonly tokenId: string;
      readonly givenBack: readonly string[];
      readonly record: SealedRecord;
    };

/**
 * Only a granted attempt consumes the code. Another FI or PSP does not learn whether the code exists.
 * A repeated `tokenId` is the same attempt, whose answer was lost; it is granted again.
 */
export function checkRedemption(stored: StoredCode | undefined, attempt: Attempt): Verdict {
  if (!stored || !sameSecret(stored.secretHash, attempt.secretHash)) return { ok: false, reason: "unknown" };
  if (stored.flow !== attempt.flow || stored.fiId !== attempt.fiId || stored.pspId !== attempt.pspId)
    return { ok: false, reason: "unknown" };
  if (stored.redirectUri !== attempt.redirectUri) return { ok: false, reason: "redirect_uri" };
  if (attempt.accountDigest !== null && stored.accountId !== attempt.accountDigest)
    return { ok: false, reason: "account_id" };
  const { secretHash: _, replayed: __, tokenId, givenBack = [], ...record } = stored;
  if (tokenId === attempt.tokenId) return { ok: true, record, givenBack };
  // a delayed copy of a call whose attempt was given back
  if (givenBack.includes(attempt.tokenId))
    return { ok: false, reason: "used", tokenId: attempt.tokenId, givenBack, record };
  if (tokenId !== null) return { ok: false, reason: "used", tokenId, givenBack, record };
  if (attempt.now >= stored.expiresAt) return { ok: false, reason: "expired" };
  if (!attempt.scopes.includes(stored.scope)) return { ok: false, reason: "scope", scope: stored.scope };
  return { ok: true, record, givenBack };
}

/**
 * The code after an attempt with this verdict; null if it stays as it is. A replay is noted, so that no token comes of a
 * code that was once answered as used: the attempt before may still be under way, and fail.
 */
export function afterRedemption(stored: StoredCode, { tokenId }: Attempt, verdict: Verdict): StoredCode | null {
  if (verdict.ok) return { ...stored, tokenId };
  const isReplay = verdict.reason === "used" && verdict.tokenId !== tokenId;
  return isReplay && !stored.replayed ? { ...stored, replayed: true } : null;
}

/**
 * The code after the attempt with `tokenId` was undone because its token could not be stored; null if that is no
 * longer possible: it was replayed, or given back too often. An attempt that never reached the code is recorded too, so that
 * it is denied if it arrives later. The token of another attempt is kept.
 */
export function giveBack(stored: StoredCode, tokenId: string): StoredCode | null {
  const { givenBack = [] } = stored;
  if (givenBack.includes(tokenId)) return stored;
  if (stored.replayed || givenBack.length >= MAX_GIVEN_BACK) return null;
  return {
    ...stored,
    tokenId: stored.tokenId === tokenId ? null : stored.tokenId,
    givenBack: [...givenBack, tokenId],
  };
}
