/** The Worker's side of authorization codes: the code's text, and the calls to its Durable Object. */
import { hashSecret, makeSecret } from "../secrets.ts";
import { callStore, StoreError } from "../store-error.ts";
import type { AuthorizationCode } from "./authorization-code.ts";
import { type Attempt, CODE_LIFETIME_SECONDS, type CodeRecord, type Verdict } from "./redemption.ts";
import { digestAccount, openAccount, sealAccount } from "./sealed-account.ts";

/** In milliseconds since 1970. */
export const codeIssuedAt = ({ expiresAt }: Pick<CodeRecord, "expiresAt">): number =>
  expiresAt - CODE_LIFETIME_SECONDS * 1000;

/** The object's id (64 hex digits), a dot, the secret (256 bits as base64url). */
const CODE_PATTERN = /^([0-9a-f]{64})\.([A-Za-z0-9_-]{43})$/;

/**
 * Issues a code for `grant` at `now` (milliseconds since 1970), whose token will live for `tokenSeconds`. One call to a
 * new Durable Object. Throws {@link StoreError}.
 */
export async function issueCode(
  env: Env,
  grant: Omit<CodeRecord, "expiresAt">,
  tokenSeconds: number,
  now: number,
): Promise<string> {
  const jurisdiction = env.CODE_JURISDICTION as DurableObjectJurisdiction | "";
  const id = env.AUTHORIZATION_CODE.newUniqueId(jurisdiction === "" ? {} : { jurisdiction });
  const secret = makeSecret();
  const expiresAt = now + CODE_LIFETIME_SECONDS * 1000;
  // kept for the longest lifetime of the token, so that a replay within it can revoke the token
  const keepUntil = expiresAt + tokenSeconds * 1000;
  const code = {
    ...grant,
    ...sealAccount(secret, grant.accountId),
    expiresAt,
    secretHash: hashSecret(secret),
    tokenId: null,
  };
  await callStore("authorization code", () => env.AUTHORIZATION_CODE.get(id).issue(code, keepUntil));
  return `${id}.${secret}`;
}

/**
 * Exchanges a code. One call to its Durable Object, none if the text is not in the form of a code. Throws
 * {@link StoreError}. A call whose answer was lost is repeated once: with the same `tokenId` it is the same attempt.
 */
export async function redeemCode(env: Env, code: string, attempt: Omit<Attempt, "secretHash">): Promise<Verdict> {
  const found = findCode(env, code);
  if (!found) return { ok: false, reason: "unknown" };
  const { id, secret, secretHash } = found;
  const accountDigest = attempt.accountId === null ? null : digestAccount(secret, attempt.accountId);
  const verdict = await callTwice(env, id, async (object) => object.redeem({ ...attempt, accountDigest, secretHash }));
  return "record" in verdict ? { ...verdict, record: openAccount(secret, verdict.record) } : verdict;
}

/**
 * Makes a code usable again whose token `tokenId` could not be stored. True if it can be exchanged again at `now`
 * (milliseconds since 1970); false if it is used, expired or unknown, or if its object could not be reached.
 */
export async function giveCodeBack(env: Env, code: string, tokenId: string, now: number): Promise<boolean> {
  const found = findCode(env, code);
  if (!found) return false;
  const { id, secretHash } = found;
  try {
    return await callTwice(env, id, async (object) => object.giveBack({ secretHash, tokenId }, now));
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** The object's id, and the secret with its hash; null if the text is not in the form of a code. */
function findCode(env: Env, code: string): { id: DurableObjectId; secret: string; secretHash: string } | null {
  const [, hex, secret] = CODE_PATTERN.exec(code) ?? [];
  const id = hex === undefined ? null : findId(env, hex);
  return id && secret !== undefined ? { id, secret, secretHash: hashSecret(secret) } : null;
}

/** Repeats a call once if the platform marks the error as retryable: by a new stub, since an error breaks the old. */
async function callTwice<Result>(
  env: Env,
  id: DurableObjectId,
  call: (object: DurableObjectStub<AuthorizationCode>) => Promise<Result>,
): Promise<Result> {
  const callObject = () => callStore("authorization code", () => call(env.AUTHORIZATION_CODE.get(id)));
  try {
    return await callObject();
  } catch (error) {
    if (error instanceof StoreError && isRetryable(error.cause)) return await callObject();
    throw error;
  }
}

/** Ids are authenticated by the namespace: an invented one is rejected here, without a call. */
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

/** An overloaded object must not be called again at once (same page). */
const isOverloaded = (cause: Error): boolean => "overloaded" in cause && cause.overloaded === true;
