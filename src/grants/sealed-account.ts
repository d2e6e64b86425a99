/**
 * The account of an authorization code as the code's object holds it: sealed with the code's secret, of which the object
 * has a hash only. So nothing can be learned from the object's storage about an account, which may have been erased.
 */
import { fromBase64, toBase64Url } from "../platform/encoding.ts";
import { makeMac, makeMacText, seal, unseal } from "../platform/secrets.ts";
import type { CodeRecord, SealedRecord } from "./redemption.ts";

const LABEL = "account of a code";
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Equal for equal accounts of one code, so that the object can compare them. `secret`: the code's, 256 random bits. */
export const digestAccount = (secret: string, accountId: string): string =>
  makeMacText(makeMac(bytesOf(secret), "digest"), accountId);

export const sealAccount = (secret: string, accountId: string) => ({
  accountId: digestAccount(secret, accountId),
  sealedAccountId: toBase64Url(seal(makeMac(bytesOf(secret), "seal"), accountId, LABEL)),
});

/** The record with its account. Throws if the record was sealed with another secret. */
export function openAccount(secret: string, { sealedAccountId, ...record }: SealedRecord): CodeRecord {
  const sealed = fromBase64(sealedAccountId);
  const accountId = sealed && unseal(makeMac(bytesOf(secret), "seal"), sealed, LABEL);
  if (accountId === null) throw new Error("the account of a code was sealed with another secret");
  return { ...record, accountId };
}
