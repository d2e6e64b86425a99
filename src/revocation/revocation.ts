/**
 * Is any certificate on a path revoked? OCSP first, then CRLs, for each but the anchor (design.md section 5). What was
 * answered before comes from KV; the network is asked only for what is missing, and behind the answer for what grows old.
 */

import { heapBytes } from "../heap-bytes.ts";
import type { KeyValueStore } from "../key-value-store.ts";
import { Memory } from "../memory.ts";
import { MEMORY_SHARES } from "../memory-shares.ts";
import type { Certificate } from "../x509/certificate.ts";
import { findAttribute } from "../x509/name.ts";
import { isDueForRefresh } from "./freshness.ts";
import { askCrl, askOcsp, type Issued, type JudgedSource, judgeCrl, judgeOcsp } from "./revocation-sources.ts";
import { chooseEvidence, describeStatus, isFinal, type RevocationStatus } from "./revocation-status.ts";
import {
  type CachedRevocation,
  crlKey,
  listCrlUrls,
  listOcspUrls,
  ocspKey,
  type RevocationWrite,
  writeRevocation,
} from "./revocation-store.ts";

export type { RevocationStatus } from "./revocation-status.ts";
export { type CachedRevocation, readRevocationCache } from "./revocation-store.ts";

/** For all that one check asks of the network. */
export const TOTAL_TIMEOUT_MS = 6_000;
/** An old answer is refreshed by an isolate no more often than this: its source may have no newer one yet. */
const REFRESH_INTERVAL_MS = 10 * 60_000;

export interface RevocationCheck {
  readonly kv: Pick<KeyValueStore, "put">;
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
  const startNetwork = () => {
    signal ??= AbortSignal.timeout(TOTAL_TIMEOUT_MS);
    return signal;
  };
  const keep = (writes: readonly RevocationWrite[]) =>
    Promise.all(writes.map((write) => writeRevocation(kv, write, now)));
  return await Promise.all(
    path.slice(0, -1).map(async (certificate, i) => {
      const issuer = path[i + 1] ?? certificate;
      const question = { certificate, issuer, ...listSources(certificate) };
      const kept = await judgeKept(question, cached, now);
      const asked = isSettled(question, kept) ? [] : await askNetwork(question, kept, now, startNetwork);
      const status = describeStatus(holderOf(certificate), [...kept, ...asked], now);
      if (asked.length > 0) ctx.waitUntil(keep(listNewer(asked, kept)));
      if (!chooseEvidence(asked) && isDue(certificate, status, now))
        ctx.waitUntil(askNetwork(question, [], now, startNetwork).then((answers) => keep(listNewer(answers, kept))));
      return status;
    }),
  );
}

interface Question extends Issued {
  readonly ocspUrls: readonly string[];
  readonly crlUrls: readonly string[];
}

const listSources = (certificate: Certificate) => ({
  ocspUrls: listOcspUrls(certificate),
  crlUrls: listCrlUrls(certificate),
});

/** What was kept of earlier answers, judged anew. */
async function judgeKept(question: Question, cached: CachedRevocation, now: number): Promise<JudgedSource[]> {
  const ocsp = cached.get(ocspKey(question.certificate));
  return await Promise.all([
    ...(ocsp ? [judgeOcsp(null, ocsp, question, now)] : []),
    ...question.crlUrls.flatMap((url) => {
      const crl = cached.get(crlKey(url));
      return crl ? [judgeCrl(url, crl, question, now)] : [];
    }),
  ]);
}

/**
 * Whether the kept answers suffice. A kept CRL does not stand in for a responder that was not asked, because it may be
 * days older; unless it lists a final revocation.
 */
function isSettled({ ocspUrls }: Question, kept: readonly JudgedSource[]): boolean {
  const chosen = chooseEvidence(kept);
  if (!chosen) return false;
  return chosen.source === "OCSP" || ocspUrls.length === 0 || isFinal(chosen.answer);
}

/** OCSP responders in turn until one knows, then CRLs; those only while `kept` holds no answer to fall back to. */
async function askNetwork(
  question: Question,
  kept: readonly JudgedSource[],
  now: number,
  startNetwork: () => AbortSignal,
): Promise<JudgedSource[]> {
  const asked: JudgedSource[] = [];
  for (const url of question.ocspUrls)
    if (!chooseEvidence(asked)) asked.push(await askOcsp(url, question, now, startNetwork()));
  for (const url of question.crlUrls)
    if (!chooseEvidence([...kept, ...asked])) asked.push(await askCrl(url, question, now, startNetwork()));
  return asked;
}

/** The answers worth keeping: never an older one in the place of a newer. */
function listNewer(asked: readonly JudgedSource[], kept: readonly JudgedSource[]): RevocationWrite[] {
  return asked.flatMap(({ keep }) => {
    const before = kept.find((each) => each.keep?.key === keep?.key)?.keep;
    return keep && (!before || before.span.thisUpdate < keep.span.thisUpdate) ? [keep] : [];
  });
}

/** By the certificate's fingerprint. Exported for the test that fills it. */
export const refreshed = new Memory<true>(MEMORY_SHARES.revocationRefreshes, heapBytes);

/** Past half of its time, and not just tried. */
function isDue(certificate: Certificate, { thisUpdate, validUntil }: RevocationStatus, now: number): boolean {
  if (thisUpdate === null || !isDueForRefresh({ thisUpdate, validUntil }, now)) return false;
  if (refreshed.get(certificate.fingerprint, now)) return false;
  refreshed.set(certificate.fingerprint, true, now + REFRESH_INTERVAL_MS, now);
  return true;
}

const COMMON_NAME = "2.5.4.3";
const ORGANISATION = "2.5.4.10";
const holderOf = ({ subject }: Certificate): string =>
  findAttribute(subject, COMMON_NAME) ?? findAttribute(subject, ORGANISATION) ?? "an unnamed holder";
