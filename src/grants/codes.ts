/** Authorization codes as the Worker sees them: the text that the PSP carries, and the way to the code's own object. */
import { hashSecret, makeSecret } from "../secrets.ts";
import { reach, StoreError } from "../store-error.ts";
import type { Attempt, CodeRecord, Verdict } from "./redemption.ts";

/** Interface, "Limits". */
export const CODE_LIFETIME_SECONDS = 60;

/** The object's id (64 hex digits), a dot, the secret (256 bits as base64url). */
const CODE_PATTERN = /^([0-9a-f]{64})\.([A-Za-z0-9_-]{43})$/;

/** Issues a code for `grant`. One call to a new Durable Object. Throws {@link StoreError}. */
export async function issueCode(env: Env, grant: Omit<CodeRecord, "expiresAt">, now: number): Promise<string> {
  const jurisdiction = env.CODE_JURISDICTION as DurableObjectJurisdiction | "";
  const id = env.AUTHORIZATION_CODE.newUniqueId(jurisdiction === "" ? {} : { jurisdiction });
  const secret = makeSecret();
  const expiresAt = now + CODE_LIFETIME_SECONDS * 1000;
  // as long as the token may live: a replay until then finds out which token to revoke
  const keepUntil = expiresAt + env.ACCESS_TOKEN_SECONDS * 1000;
  const code = { ...grant, expiresAt, secretHash: hashSecret(secret), tokenId: null };
  await reach("authorization code", () => env.AUTHORIZATION_CODE.get(id).issue(code, keepUntil));
  return `${id}.${secret}`;
}

/**
 * Exchanges a code. One call to its Durable Object, none for a text that cannot be a code. Throws {@link StoreError}.
 * A call whose answer was lost on the way is made once more: it carries the same `tokenId`, so it is the same attempt.
 */
export async function redeemCode(env: Env, code: string, attempt: Omit<Attempt, "secretHash">): Promise<Verdict> {
  const [, hex, secret] = CODE_PATTERN.exec(code) ?? [];
  const id = hex === undefined ? null : findId(env, hex);
  if (id === null || secret === undefined) return { ok: false, reason: "unknown" };
  const whole = { ...attempt, secretHash: hashSecret(secret) };
  // a stub is broken once a call on it failed: each try takes a new one
  const redeem = () => reach("authorization code", async () => env.AUTHORIZATION_CODE.get(id).redeem(whole));
  try {
    return await redeem();
  } catch (error) {
    if (error instanceof StoreError && isRetryable(error.cause)) return await redeem();
    throw error;
  }
}

/** The namespace signs its ids: a made-up one is refused here, without a call. */
function findId(env: Env, hex: string): DurableObjectId | null {
  try {
    return env.AUTHORIZATION_CODE.idFromString(hex);
  } catch {
    return null;
  }
}

/** https://developers.cloudflare.com/durable-objects/best-practices/error-handling/ */
const isRetryable = (cause: unknown): boolean =>
  cause instanceof Error && "retryable" in cause && cause.retryable === true && !isOverloaded(cause);

/** More calls would make it worse. */
const isOverloaded = (cause: Error): boolean => "overloaded" in cause && cause.overloaded === true;
