/** The exchange of a code for a token, in both flows: one call to the code's object, then one transaction in D1. */

import { databaseOf, type Placed } from "../institutions/databases.ts";
import type { Clock } from "../platform/clock.ts";
import type { Instant } from "../platform/instant.ts";
import { retryStore, StoreError } from "../platform/stores.ts";
import type { Scope } from "../registers/entitlement.ts";
import { giveCodeBack, type IssuedCode, redeemCode } from "./codes.ts";
import { abandonToken, insertRevokedToken, insertToken, type NewToken } from "./new-token.ts";
import { makeRecordId } from "./record-order.ts";
import type { CodeRecord, CodeUse, Denial } from "./redemption.ts";
import { readTokenKeys } from "./token-keys.ts";
import { defaultTokenSeconds } from "./token-lifetimes.ts";
import { writeAccessToken } from "./token-texts.ts";

export type Exchange =
  | {
      readonly ok: true;
      readonly accessToken: string;
      readonly tokenId: string;
      readonly expiresAt: Instant;
      readonly code: CodeRecord;
    }
  | { readonly ok: false; readonly reason: Exclude<Denial, "scope" | "used"> }
  /** A replay: the token that the code gave, if any, is revoked now. */
  | { readonly ok: false; readonly reason: "used"; readonly tokenId: string; readonly consentId: string | null }
  /** The PSP may not use the code's scope. */
  | { readonly ok: false; readonly reason: "scope"; readonly scope: Scope }
  /** No further token can be issued under the code's consent; null in the core flow. */
  | { readonly ok: false; readonly reason: "consent"; readonly scope: Scope; readonly consentId: string | null }
  /** Its database does not have the institution as active. */
  | (Omit<StoreFailure, "reason"> & { readonly reason: "institution" })
  | StoreFailure;

/**
 * A store failed, and no token was issued. `given_back`: the code can be exchanged again. `unknown`: the code may be
 * used. `replayed`: the code was used before, and the token issued for it could not be revoked.
 */
interface StoreFailure {
  readonly ok: false;
  readonly reason: "store";
  readonly code: "given_back" | "unknown" | "replayed";
  readonly cause: StoreError;
}

/** The statements that notify the institution of a code that was used twice, for the transaction that revokes its token (events/used-code.ts). */
export type TellReplay = (db: D1Database, token: NewToken, now: Instant) => Promise<readonly D1PreparedStatement[]>;

/** Exchanges `code` as of `attempt.now`, for an institution with its tokens in `database`. */
export async function exchangeCode(
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  code: string,
  { database, ...attempt }: Omit<CodeUse, "tokenId"> & Placed,
  clock: Clock,
  tellReplay: TellReplay,
): Promise<Exchange> {
  const { newest: key } = readTokenKeys(env);
  const { now } = attempt;
  const id = makeRecordId(now, database);
  const db = databaseOf(env, { database });
  const fail = async (error: unknown): Promise<StoreFailure> => {
    const cause = asStoreError(error);
    const givenBack = await giveCodeBack(env, code, id, clock.now());
    return { ok: false, reason: "store", code: givenBack ? "given_back" : "unknown", cause };
  };
  const verdict = await redeemCode(env, code, { ...attempt, tokenId: id }).catch(fail);
  if (!verdict.ok) {
    if (verdict.reason !== "used") return verdict;
    // RFC 6749 section 4.1.2. The replay may precede the insert of the first redemption; the token is revoked even
    // then.
    const replayed = tokenOf(verdict.record, verdict.tokenId, key.kid, now);
    try {
      const revoke = async () =>
        insertRevokedToken(db, replayed, verdict.givenBack, await tellReplay(db, replayed, now));
      await retryStore(revoke, clock);
    } catch (error) {
      return { ok: false, reason: "store", code: "replayed", cause: asStoreError(error) };
    }
    return { ok: false, reason: "used", tokenId: verdict.tokenId, consentId: verdict.record.consentId };
  }
  const token = tokenOf(verdict.record, id, key.kid, now);
  // D1 may have stored the token without a confirmation, or may still do so. The next redemption of the code abandons it
  // in its own transaction. This call is for the case that there is none: otherwise the FI's list would contain the token,
  // and its consent would stay consumed.
  const abandon = () => ctx.waitUntil(retryStore(() => abandonToken(db, token), clock).catch(() => {}));
  const undo = (error: unknown) => {
    abandon();
    return fail(error);
  };
  try {
    let tries = 0;
    const store = () => {
      tries++;
      return insertToken(db, token, defaultTokenSeconds(env, token.scope), verdict.givenBack);
    };
    const expiresAt = await retryStore(store, clock);
    if (expiresAt === null) {
      // one before may have stored it, unconfirmed, before the account was blocked
      if (tries > 1) abandon();
      return { ok: false, reason: "consent", scope: token.scope, consentId: token.consentId };
    }
    if (expiresAt === "inactive")
      return { ...(await undo(new StoreError("D1: the institution is not active"))), reason: "institution" };
    const accessToken = writeAccessToken(key, token.fiId, id);
    return { ok: true, accessToken, tokenId: id, expiresAt, code: verdict.record };
  } catch (error) {
    return undo(error);
  }
}

/** Rethrows any other error. */
function asStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  throw error;
}

const tokenOf = (code: IssuedCode, id: string, kid: string, now: Instant): NewToken => ({
  id,
  kid,
  fiId: code.fiId,
  pspId: code.pspId,
  accountId: code.accountId,
  scope: code.scope,
  consentId: code.consentId,
  issuedAt: now,
  agreedAfter: code.agreedAfter,
});
