/** Authorization codes as the Worker sees them: the text that the PSP carries, and the way to the code's own object. */
import { hashSecret, makeSecret } from "../secrets.ts";
import { reach, StoreError } from "../store-error.ts";
import type { Attempt, CodeRecord, Verdict } from "./redemption.ts";

/** Interface, "Limits". */
const CODE_LIFETIME_SECONDS = 60;

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
  const found = findCode(env, code);
  if (!found) return { ok: false, reason: "unknown" };
  return callTwice(async () =>
    env.AUTHORIZATION_CODE.get(found.id).redeem({ ...attempt, secretHash: found.secretHash }),
  );
}

/**
 * Gives a code back whose token `tokenId` could not be stored. True when it can be exchanged again at `now`; false when
 * it is used, expired or unknown, or its object could not be reached.
 */
export async function giveCodeBack(env: Env, code: string, tokenId: string, now: number): Promise<boolean> {
  const found = findCode(env, code);
  if (!found) return false;
  const { id, secretHash } = found;
  try {
    return await callTwice(async () => env.AUTHORIZATION_CODE.get(id).giveBack({ secretHash, tokenId }, now));
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** The object's id, and the hash of the secret, of a text that may be a code. */
function findCode(env: Env, code: string): { id: DurableObjectId; secretHash: string } | null {
  const [, hex, secret] = CODE_PATTERN.exec(code) ?? [];
  const id = hex === undefined ? null : findId(env, hex);
  return id && secret !== undefined ? { id, secretHash: hashSecret(secret) } : null;
}

/** Calls once more where the platform says that this may help. `call` takes a new stub: a failed call breaks its own. */
async function callTwice<Result>(call: () => Promise<Result>): Promise<Result> {
  const reachObject = () => reach("authorization code", call);
  try {
    return await reachObject();
  } catch (error) {
    if (error instanceof StoreError && isRetryable(error.cause)) return await reachObject();
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
