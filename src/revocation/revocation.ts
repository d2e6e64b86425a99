/**
 * Is any certificate on a path revoked? OCSP first, then CRLs, for each but the anchor. What was
 * answered before comes from KV; the network is asked only for what is missing, and behind the answer for what grows old.
 */

import type { KeyValueStore } from "../key-value-store.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import type { Certificate } from "../x509/certificate.ts";
import { findAttribute } from "../x509/name.ts";
import { type Asking, askSource, type JudgedSource, judgeVerified } from "./ask-source.ts";
import { isDueForRefresh, validUntil } from "./freshness.ts";
import { keep, learn } from "./kept-answers.ts";
import { listCrlSources, listOcspSources, type Source } from "./revocation-sources.ts";
import { chooseCurrent, describeStatus, isDefinite, isFinal, type RevocationStatus } from "./revocation-status.ts";
import type { CachedRevocation } from "./revocation-store.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

export type { RevocationStatus } from "./revocation-status.ts";
export { type CachedRevocation, readRevocationCache } from "./revocation-store.ts";

/** For all that one check asks of the network. */
export const TOTAL_TIMEOUT_MS = 6_000;
/** An old answer is refreshed by an isolate no more often than this: its source may have no newer one yet. */
const REFRESH_INTERVAL_MS = 10 * 60_000;

export interface RevocationCheck {
  readonly kv: Pick<KeyValueStore, "get" | "put">;
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  /** Leaf first, anchor last; every signature on it verified. */
  readonly path: readonly Certificate[];
  /** What `readRevocationCache` found for these certificates. */
  readonly cached: CachedRevocation;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * The status of each certificate on the path but the anchor, leaf first. New answers are kept behind `ctx.waitUntil`, and
 * those past half their time refreshed there. Never throws because of what a source answers, or fails to.
 */
export async function checkRevocation({ kv, ctx, path, cached, now }: RevocationCheck): Promise<RevocationStatus[]> {
  let signal: AbortSignal | null = null;
  const startAsking = (): Asking => {
    signal ??= AbortSignal.timeout(TOTAL_TIMEOUT_MS);
    return { kv, ctx, now, signal };
  };
  return await Promise.all(
    path.slice(0, -1).map(async (certificate, i) => {
      const issued = { certificate, issuer: path[i + 1] ?? certificate };
      const question = { ocsp: listOcspSources(issued), crls: listCrlSources(issued) };
      const { judged: kept, known } = await judgeKept(question, { kv, ctx, cached, now });
      const asked = isSettled(question, kept) ? [] : await askNetwork(question, kept, known, startAsking);
      if (!chooseCurrent(asked) && isDue(chooseCurrent(kept), now))
        ctx.waitUntil(askNetwork(question, [], known, startAsking));
      return describeStatus(holderOf(certificate), [...kept, ...asked], now);
    }),
  );
}

interface Question {
  readonly ocsp: readonly Source[];
  readonly crls: readonly Source[];
}

/** By KV key: what was judged. */
type Known = Map<string, readonly VerifiedAnswer[]>;

/** What is kept of earlier answers, judged again. What KV turns out to lack is put there behind the answer. */
async function judgeKept(
  { ocsp, crls }: Question,
  { kv, ctx, cached, now }: Omit<RevocationCheck, "path">,
): Promise<{ judged: JudgedSource[]; known: Known }> {
  const known: Known = new Map();
  // the responders of a certificate share one slot
  const judged = await Promise.all(
    [...ocsp.slice(0, 1), ...crls].map(async (source): Promise<JudgedSource[]> => {
      const { kind, slot } = source;
      const url = kind === "OCSP" ? null : source.url;
      const { answers, problem, isMissingInKv } = await learn(slot, cached, now);
      if (isMissingInKv) ctx.waitUntil(keep(kv, slot, [], now));
      known.set(slot.key, answers);
      const concerning = answers.filter(source.concerns);
      if (concerning.length === 0 && problem)
        return [{ source: kind, url, key: slot.key, answer: { status: "unusable", ...problem } }];
      return await Promise.all(concerning.map((answer) => judgeVerified(source, answer, url, now)));
    }),
  );
  return { judged: judged.flat(), known };
}

/**
 * Whether the kept answers suffice. A kept CRL does not stand in for a responder that was not asked, because it may be
 * days older; unless it lists a final revocation.
 */
function isSettled({ ocsp }: Question, kept: readonly JudgedSource[]): boolean {
  const chosen = chooseCurrent(kept);
  if (!chosen) return false;
  return chosen.source === "OCSP" || ocsp.length === 0 || isFinal(chosen.answer);
}

/** OCSP responders in turn until one knows, then CRLs; those only while `kept` holds no answer to fall back to. */
async function askNetwork(
  { ocsp, crls }: Question,
  kept: readonly JudgedSource[],
  known: Known,
  startAsking: () => Asking,
): Promise<JudgedSource[]> {
  const asked: JudgedSource[] = [];
  const ask = async (source: Source) =>
    void asked.push(await askSource(source, known.get(source.slot.key) ?? [], startAsking()));
  for (const source of ocsp) if (!chooseCurrent(asked)) await ask(source);
  for (const source of crls) if (!chooseCurrent([...kept, ...asked])) await ask(source);
  return asked;
}

/** By KV key. Exported for the test that fills it. */
export const refreshed = new Memory<true>(MEMORY_SHARES.revocationRefreshes, heapBytes);

/** Past half of its time, and not just tried: a CRL is refreshed once for all the certificates that it is about. */
function isDue(chosen: JudgedSource | null, now: number): boolean {
  if (!chosen || !isDefinite(chosen.answer)) return false;
  const { thisUpdate } = chosen.answer;
  if (!isDueForRefresh({ thisUpdate, validUntil: validUntil(chosen.answer) }, now)) return false;
  if (refreshed.get(chosen.key, now)) return false;
  refreshed.set(chosen.key, true, now + REFRESH_INTERVAL_MS, now);
  return true;
}

const COMMON_NAME = "2.5.4.3";
const ORGANISATION = "2.5.4.10";
const holderOf = ({ subject }: Certificate): string =>
  findAttribute(subject, COMMON_NAME) ?? findAttribute(subject, ORGANISATION) ?? "an unnamed holder";
