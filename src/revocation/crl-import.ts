/** Stores a CRL that nobody asked for with a check: the operator's, one that the refresh fetched, or a sandbox's. */
import type { Instant } from "../platform/instant.ts";
import type { KeyValueStore } from "../platform/stores.ts";
import type { Certificate } from "../x509/certificate.ts";
import { checkCrl } from "./crl-check.ts";
import { crlSlot, toVerifiedCrl } from "./crl-slot.ts";
import { keep } from "./kept-answers.ts";
import { isNewer, type VerifiedAnswer, validUntil } from "./verified-answer.ts";

export type CrlVerification =
  | { readonly ok: true; readonly answer: VerifiedAnswer }
  | { readonly ok: false; readonly reason: string; readonly message: string };

/** Whether this is a complete and current CRL signed by `issuer`. Never throws because of the contents. */
export async function verifyCrl(der: Uint8Array, issuer: Certificate, now: Instant): Promise<CrlVerification> {
  const answer = await checkCrl({ crl: der, certificate: null, issuer, now });
  if (answer.status === "unusable") return { ok: false, reason: answer.reason, message: answer.message };
  return { ok: true, answer: toVerifiedCrl(der, issuer) };
}

export type CrlImport =
  | { readonly ok: true; readonly entries: number; readonly thisUpdate: Instant; readonly nextUpdate: Instant | null }
  | { readonly ok: false; readonly message: string };

/** Stores a CRL for the operator, if it verifies and is not older than the stored one. */
export async function importCrl(
  kv: Pick<KeyValueStore, "get" | "put">,
  { url, der, issuer, now }: { url: string; der: Uint8Array; issuer: Certificate; now: Instant },
): Promise<CrlImport> {
  const verified = await verifyCrl(der, issuer, now);
  if (!verified.ok && verified.reason === "malformed") return { ok: false, message: `not a CRL: ${verified.message}` };
  if (!verified.ok) return { ok: false, message: `the CRL cannot be used: ${verified.message}` };
  const { answer } = verified;
  if (validUntil(answer) <= now) return { ok: false, message: "the CRL expires at this instant" };
  const kept = await keep(kv, crlSlot(url, issuer.subject), [answer], now);
  const newer = kept.find((each) => each.line === answer.line && isNewer(each, answer));
  if (newer) return { ok: false, message: `a newer one is stored, of ${new Date(newer.thisUpdate).toISOString()}` };
  const { revocations: entries, thisUpdate, nextUpdate } = answer;
  return { ok: true, entries, thisUpdate, nextUpdate };
}
