/** The Worker's side of authorization codes: the code's text, and the calls to its Durable Object. */

import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { hashSecret, makeMac, makeMacText, makeSecret, sameSecret, seal, unseal } from "../platform/secrets.ts";
import { callStore, StoreError } from "../platform/stores.ts";
import type { AuthorizationCode } from "./authorization-code.ts";
import { CODE_LIFETIME_SECONDS, type CodeRecord, type CodeUse, type SealedRecord, type Verdict } from "./redemption.ts";
import { readTokenKeys, type TokenKey } from "./token-keys.ts";

/** A code's record, with what its text says beside it. */
export type IssuedCode = CodeRecord & {
  /** The last ticket that was given before the customer agreed (record-order.ts). */
  readonly agreedAfter: number;
};

type RedeemedCode =
  | (Omit<Extract<Verdict, { ok: true }>, "record"> & { readonly record: IssuedCode })
  | (Omit<Extract<Verdict, { reason: "used" }>, "record"> & { readonly record: IssuedCode })
  | Exclude<Verdict, { record: unknown }>;

/**
 * The text of a code: the object's id (64 hex digits), the secret (256 bits as base64url), and `agreedAfter` (base 36) with the MAC of both id
 * and ticket, by the token key that is named: the object is written while D1 is asked for the ticket. A PSP could give a
 * code the ticket of a newer one, which a withdrawal has not ended; the MAC forbids it.
 */
const CODE_PATTERN = /^([0-9a-f]{64})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9]{1,32})\.([0-9a-z]{1,10})\.[A-Za-z0-9_-]{43}$/;

function writeCode(key: TokenKey, id: string, secret: string, agreedAfter: number): string {
  const ticket = agreedAfter.toString(36);
  return [id, secret, key.kid, ticket, makeMacText(key.codes, `${id}.${ticket}`)].join(".");
}

/**
 * Issues a code for `grant` at `now`, whose token will live for `tokenSeconds`. One call to a new Durable Object, beside
 * which `agreedAfter` may be read.
 */
export async function issueCode(
  env: Env,
  grant: Omit<CodeRecord, "expiresAt">,
  tokenSeconds: number,
  now: Instant,
  agreedAfter: number | Promise<number>,
): Promise<string> {
  const { newest: key } = readTokenKeys(env);
  const jurisdiction = env.JURISDICTION as DurableObjectJurisdiction | "";
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
  const issue = callStore("authorization code", () => env.AUTHORIZATION_CODE.get(id).issue(code, keepUntil));
  const [ticket] = await Promise.all([agreedAfter, issue]);
  return writeCode(key, id.toString(), secret, ticket);
}

/**
 * Exchanges a code. One call to its Durable Object, none if the text is not in the form of a code. A call whose answer was
 * lost is repeated once: with the same `tokenId` it is the same attempt.
 */
export async function redeemCode(env: Env, code: string, use: CodeUse): Promise<RedeemedCode> {
  const parts = findCode(env, code);
  if (!parts) return { ok: false, reason: "unknown" };
  const { id, secret, secretHash, agreedAfter } = parts;
  const { accountId, ...rest } = use;
  const accountDigest = accountId === null ? null : digestAccount(secret, accountId);
  const verdict = await callTwice(env, id, async (object) => object.redeem({ ...rest, accountDigest, secretHash }));
  if (!("record" in verdict)) return verdict;
  return { ...verdict, record: { ...openAccount(secret, verdict.record), agreedAfter } };
}

/**
 * Makes a code usable again whose token `tokenId` could not be stored. True if it can be exchanged again at `now`; false if
 * it is used, expired or unknown, or if its object could not be reached.
 */
export async function giveCodeBack(env: Env, code: string, tokenId: string, now: Instant): Promise<boolean> {
  const parts = findCode(env, code);
  if (!parts) return false;
  const { id, secretHash } = parts;
  try {
    return await callTwice(env, id, async (object) => object.giveBack({ secretHash, tokenId }, now));
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}

/** What a code's text says; null if it is not in the form of a code, or its ticket is not the one that it was issued with. */
function findCode(env: Env, code: string) {
  const [, hex = "", secret = "", kid = "", ticket = ""] = CODE_PATTERN.exec(code) ?? [];
  const key = readTokenKeys(env).byKid.get(kid);
  const agreedAfter = Number.parseInt(ticket, 36);
  if (!key || !sameSecret(writeCode(key, hex, secret, agreedAfter), code)) return null;
  const id = findId(env, hex);
  return id && { id, secret, secretHash: hashSecret(secret), agreedAfter };
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

/**
 * The account of a code, as the code's object holds it: sealed with the code's secret, of which the object has a hash only.
 * Nothing can be learned from the object's storage about an account, which may have been erased.
 */
const LABEL = "account of a code";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Equal for equal accounts of one code, so that the object can compare them. `secret`: the code's, 256 random bits. */
const digestAccount = (secret: string, accountId: string): string =>
  makeMacText(makeMac(bytesOf(secret), "digest"), accountId);

const sealAccount = (secret: string, accountId: string) => ({
  accountId: digestAccount(secret, accountId),
  sealedAccountId: toBase64Url(seal(makeMac(bytesOf(secret), "seal"), accountId, LABEL)),
});

/** The record with its account. Throws if the record was sealed with another secret. */
function openAccount(secret: string, { sealedAccountId, ...record }: SealedRecord): CodeRecord {
  const sealed = fromBase64(sealedAccountId);
  const accountId = sealed && unseal(makeMac(bytesOf(secret), "seal"), sealed, LABEL);
  if (accountId === null) throw new Error("the account of a code was sealed with another secret");
  return { ...record, accountId };
}
