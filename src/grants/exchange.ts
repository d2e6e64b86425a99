/** The exchange of a code for a token, in both flows: one call to the code's object, then one transaction in D1. */
import { writeAccessToken } from "./access-token.ts";
import { redeemCode } from "./codes.ts";
import { insertRevokedToken, insertToken, type NewToken } from "./new-token.ts";
import { makeRecordId } from "./record-id.ts";
import type { Attempt, CodeRecord, Denial } from "./redemption.ts";
import type { Scope } from "./scopes.ts";
import { readTokenKeys } from "./token-keys.ts";

export type Exchange =
  | {
      readonly ok: true;
      readonly accessToken: string;
      /** Milliseconds since 1970. */
      readonly expiresAt: number;
      readonly code: CodeRecord;
    }
  | { readonly ok: false; readonly reason: Denial }
  /** The consent that the code was issued under gives no token any more. */
  | { readonly ok: false; readonly reason: "consent"; readonly scope: Scope };

/**
 * Exchanges `code` as of `attempt.now`. Throws {@link StoreError}: then no token works, and the code is as dead as the
 * store that failed was late.
 */
export async function exchangeCode(
  env: Env,
  ctx: Pick<ExecutionContext, "waitUntil">,
  code: string,
  attempt: Omit<Attempt, "secretHash" | "tokenId">,
): Promise<Exchange> {
  const { newest: key } = readTokenKeys(env);
  const { now } = attempt;
  const id = makeRecordId(now);
  const verdict = await redeemCode(env, code, { ...attempt, tokenId: id });
  if (!verdict.ok) {
    // RFC 6749 section 4.1.2; it may come before the insert of the first redemption, and must win even then
    if (verdict.reason === "used")
      await insertRevokedToken(env.DB, tokenOf(verdict.record, verdict.tokenId, key.kid, now));
    return { ok: false, reason: verdict.reason };
  }
  const token = tokenOf(verdict.record, id, key.kid, now);
  const expiresAt = await insertToken(env.DB, token, env.ACCESS_TOKEN_SECONDS).catch((error: unknown) => {
    // the store may have kept what it failed to confirm, and the FI's list would show it
    ctx.waitUntil(insertRevokedToken(env.DB, token).catch(() => {}));
    throw error;
  });
  if (expiresAt === null) return { ok: false, reason: "consent", scope: token.scope };
  return { ok: true, accessToken: writeAccessToken(key, token.fiId, id), expiresAt, code: verdict.record };
}

const tokenOf = (code: CodeRecord, id: string, kid: string, now: number): NewToken => ({
  id,
  kid,
  fiId: code.fiId,
  pspId: code.pspId,
  accountId: code.accountId,
  scope: code.scope,
  consentId: code.consentId,
  issuedAt: now,
});
