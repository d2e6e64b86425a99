/**
 * Checks the revocation status of each certificate on a path but the anchor: by OCSP first, then by CRL. Stored answers
 * come from KV. The network is asked only for missing answers; old ones are refreshed in the background.
 */

import type { KeyValueStore } from "../key-value-store.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import type { Certificate } from "../x509/certificate.ts";
import { findHolder } from "../x509/name.ts";
import { type Asking, askSource, type JudgedSource, judgeVerified } from "./ask-source.ts";
import { isDueForRefresh, validUntil } from "./freshness.ts";
import { keep, learn } from "./kept-answers.ts";
import { issuedAt, listCrlSources, listOcspSources, type Source } from "./revocation-sources.ts";
import { chooseCurrent, describeStatus, isDefinite, isFinal, type RevocationStatus } from "./revocation-status.ts";
import type { CachedRevocation } from "./revocation-store.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";

export type { RevocationStatus } from "./revocation-status.ts";
export { type CachedRevocation, readRevocationCache } from "./revocation-store.ts";

/** Milliseconds for all network requests of one check together. */
const TOTAL_TIMEOUT_MS = 6_000;
/** Milliseconds between two refreshes of one answer by an isolate, because the source may not have a newer one yet. */
const REFRESH_INTERVAL_MS = 10 * 60_000;

export interface RevocationCheck {
  readonly kv: Pick<KeyValueStore, "get" | "put">;
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  /** Leaf first, anchor last. All signatures must be verified. */
  readonly path: readonly Certificate[];
  /** The result of `readRevocationCache` for these certificates. */
  readonly cached: CachedRevocation;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Returns the status of each certificate but the anchor, leaf first. New answers are stored in `ctx.waitUntil`, and
 * answers past half their period are refreshed there. Never throws because of what a source answers or fails to answer.
 */
export async function checkRevocation({ kv, ctx, path, cached, now }: RevocationCheck): Promise<RevocationStatus[]> {
  let signal: AbortSignal | null = null;
  const startAsking = (): Asking => {
    signal ??= AbortSignal.timeout(TOTAL_TIMEOUT_MS);
    return { kv, ctx, now, signal };
  };
  return await Promise.all(
    path.slice(0, -1).map(async (certificate, i) => {
      const question = questionOn(path, i);
      const { judged: kept, known } = await judgeKept(question, { kv, ctx, cached, now });
      const asked = isSettled(kept) ? [] : await askNetwork(question, kept, known, startAsking);
      if (!chooseCurrent(asked) && isDue(chooseCurrent(kept), now))
        ctx.waitUntil(askNetwork(question, [], known, startAsking));
      return describeStatus(holderOf(certificate), [...kept, ...asked], now);
    }),
  );
}

/**
 * As {@link checkRevocation}, but by the kept answers alone, judged as of the instant `at`, in milliseconds since 1970.
 * They are read as of `now`.
 */
export async function judgeKeptRevocation(check: RevocationCheck, at: number): Promise<RevocationStatus[]> {
  const { path } = check;
  return await Promise.all(
    path.slice(0, -1).map(async (certificate, i) => {
      const { judged } = await judgeKept(questionOn(path, i), check, at);
      return describeStatus(holderOf(certificate), judged, at);
    }),
  );
}

/** The sources on the certificate at this place of a path. */
function questionOn(path: readonly Certificate[], i: number): Question {
  const issued = issuedAt(path, i);
  return { ocsp: listOcspSources(issued), crls: listCrlSources(issued) };
}

interface Question {
  readonly ocsp: readonly Source[];
  readonly crls: readonly Source[];
}

/** The evaluated answers by KV key. */
type Known = Map<string, readonly VerifiedAnswer[]>;

/** Evaluates the stored answers as of `at`. Answers that KV turns out to lack are written to it in `ctx.waitUntil`. */
async function judgeKept(
  { ocsp, crls }: Question,
  { kv, ctx, cached, now }: Omit<RevocationCheck, "path">,
  at = now,
): Promise<{ judged: JudgedSource[]; known: Known }> {
  const known: Known = new Map();
  // all OCSP responders of a certificate share one slot
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
      return await Promise.all(concerning.map((answer) => judgeVerified(source, answer, url, at)));
    }),
  );
  return { judged: judged.flat(), known };
}

/**
 * Whether the stored answers suffice. A stored CRL does not replace asking an OCSP responder, because it may be days
 * older, unless it lists a final revocation.
 */
function isSettled(kept: readonly JudgedSource[]): boolean {
  const chosen = chooseCurrent(kept);
  return chosen !== null && (chosen.source === "OCSP" || isFinal(chosen.answer));
}

/**
 * Asks the OCSP responders in turn until one gives a definite answer, then the CRLs. CRLs are asked only while there is
 * no current answer, stored ones included.
 */
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

/**
 * True when the answer is past half its period and was not refreshed recently. A CRL shared by many certificates is
 * refreshed once.
 */
function isDue(chosen: JudgedSource | null, now: number): boolean {
  if (!chosen || !isDefinite(chosen.answer)) return false;
  const { thisUpdate } = chosen.answer;
  if (!isDueForRefresh({ thisUpdate, validUntil: validUntil(chosen.answer) }, now)) return false;
  if (refreshed.get(chosen.key, now)) return false;
  refreshed.set(chosen.key, true, now + REFRESH_INTERVAL_MS, now);
  return true;
}

/** The name of a certificate's holder in the sentences on its status. */
export const holderOf = ({ subject }: Certificate): string => findHolder(subject) ?? "an unnamed holder";
