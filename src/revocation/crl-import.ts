import type { KeyValueStore } from "../platform/key-value-store.ts";
import type { Certificate } from "../x509/certificate.ts";
import { crlSlot } from "./crl-slot.ts";
import { validUntil } from "./freshness.ts";
import { keep } from "./kept-answers.ts";
import { isNewer } from "./verified-answer.ts";
import { verifyCrl } from "./verified-crl.ts";

/** Times in milliseconds since 1970. */
export type CrlImport =
  | { readonly ok: true; readonly entries: number; readonly thisUpdate: number; readonly nextUpdate: number | null }
  | { readonly ok: false; readonly message: string };

/** `now`: milliseconds since 1970. */
export async function importCrl(
  kv: Pick<KeyValueStore, "get" | "put">,
  { url, der, issuer, now }: { url: string; der: Uint8Array; issuer: Certificate; now: number },
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
