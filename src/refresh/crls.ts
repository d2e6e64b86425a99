/**
 * Fetches stored CRLs again before they expire, so that no request waits for one. A fetched CRL is verified with the
 * issuer's certificate that is stored with the CRL, and stored only if it is newer.
 */
import * as z from "zod";
import { fetchLimited } from "../platform/fetch-limited.ts";
import type { Instant } from "../platform/instant.ts";
import { MAX_CRL_BYTES } from "../revocation/crl.ts";
import { type CrlVerification, verifyCrl } from "../revocation/crl-import.ts";
import { crlSlotAt } from "../revocation/crl-slot.ts";
import { keep, learn } from "../revocation/kept-answers.ts";
import { type KeptCrl, listKeptCrls } from "../revocation/revocation-store.ts";
import { hasEnded, isDueForRefresh, isNewer, type VerifiedAnswer, validUntil } from "../revocation/verified-answer.ts";
import { parseCertificate } from "../x509/certificate.ts";
import { keepStepState } from "./refreshes.ts";
import { CRL_TASK, type Step } from "./schedule.ts";

/** Limit for one step: each CRL is a fetch of at most ten seconds. The next step continues with the rest. */
const CRLS_PER_STEP = 10;
const TIMEOUT_MS = 10_000;

interface DueCrl extends KeptCrl {
  readonly crlUrl: string;
}

type CrlResult = "newer" | "no newer" | { readonly failed: string };

/** The position in a round through all due CRLs: the last key, and the failures so far. */
const STEP_STATE = z.object({ after: z.string(), failed: z.array(z.string()) });

export const refreshCrls: Step = async ({ env, stepState, now }) => {
  const round = STEP_STATE.safeParse(stepState).data ?? { after: "", failed: [] };
  const due = (await listKeptCrls(env.KV))
    .filter((kept): kept is DueCrl => kept.crlUrl !== undefined && kept.key > round.after)
    .filter((kept) => !hasEnded(kept, now))
    .filter((kept) => isDueForRefresh({ thisUpdate: kept.thisUpdate, validUntil: validUntil(kept) }, now))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const mine = due.slice(0, CRLS_PER_STEP);
  const results: CrlResult[] = [];
  const failed = [...round.failed];
  for (const kept of mine) {
    // megabytes may kill the step: the next one is to go on after them, or none of the others would ever have its turn
    const state = { after: kept.key, failed: [...failed, `a step did not end at the CRL of ${kept.crlUrl}`] };
    await keepStepState(env.DB, CRL_TASK, state);
    const result = await refreshCrl(env.KV, kept, now);
    results.push(result);
    if (typeof result === "object") failed.push(result.failed);
  }
  const newer = results.filter((result) => result === "newer").length;
  const summary = `${due.length} CRLs due, ${newer} newer ones kept`;
  const last = mine.at(-1);
  if (last && due.length > mine.length)
    return { ok: true, stepState: { after: last.key, failed }, unfinished: true, heavy: true, summary };
  if (failed.length > 0) return { ok: false, message: failed.join("; "), stepState: {} };
  return { ok: true, stepState: {}, unfinished: false, heavy: newer > 0, summary };
};

async function refreshCrl(kv: KVNamespace, { key, crlUrl }: DueCrl, now: Instant): Promise<CrlResult> {
  const slot = crlSlotAt(key, crlUrl);
  const value = await kv.get(key, "arrayBuffer");
  const { answers, problem } = await learn(slot, new Map(value ? [[key, new Uint8Array(value)]] : []), now);
  if (answers.length === 0) return { failed: `the stored CRL of ${crlUrl} cannot be used: ${problem?.message}` };
  const fetched = await fetchLimited({ url: crlUrl, method: "GET", maxBytes: MAX_CRL_BYTES, timeoutMs: TIMEOUT_MS });
  if (!fetched.ok) return { failed: `the CRL server ${crlUrl} ${fetched.message}` };
  const verified = await verifyByAny(fetched.bytes, answers, now);
  if (!verified.ok) return { failed: `the CRL of ${crlUrl} cannot be used: ${verified.message}` };
  const { answer } = verified;
  // replaying an older CRL would undo revocations
  if (answers.some((known) => known.line === answer.line && !isNewer(answer, known))) return "no newer";
  slot.memory.add(key, [answer], now);
  await keep(kv, slot, [answer], now);
  return "newer";
}

/** Verifies with the issuers of the stored CRLs, newest first. If none succeeds, the first problem is returned. */
async function verifyByAny(der: Uint8Array, kept: readonly VerifiedAnswer[], now: Instant): Promise<CrlVerification> {
  const results: CrlVerification[] = [];
  for (const { issuer } of kept.toSorted((a, b) => b.thisUpdate - a.thisUpdate))
    if (issuer && !results.at(-1)?.ok) results.push(await verifyCrl(der, parseCertificate(issuer), now));
  const [first = { ok: false, reason: "other-issuer", message: "its issuer is not known" } as const] = results;
  return results.find(({ ok }) => ok) ?? first;
}
