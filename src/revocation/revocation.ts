/** Checks the revocation of each certificate on a path but the anchor: by kept answers, then OCSP, then CRLs. */

import type { Instant } from "../platform/instant.ts";
import { memoryOf } from "../platform/memory.ts";
import type { KeyValueStore } from "../platform/stores.ts";
import type { Certificate } from "../x509/certificate.ts";
import { findHolder } from "../x509/name.ts";
import { type Asking, askSource } from "./ask-source.ts";
import { describeSilence, listCrlUrls } from "./distribution-points.ts";
import { type CheckDelegate, type JudgedSource, judgeVerified, onceForRequest } from "./judge-source.ts";
import { type CachedRevocation, keep, learn } from "./kept-answers.ts";
import {
  type Issued,
  issuedAt,
  listCrlSources,
  listDelegateSources,
  listOcspSources,
  type SignerPath,
  type Source,
} from "./revocation-sources.ts";
import {
  chooseCurrent,
  describeStatus,
  isDefinite,
  isDisowned,
  isFinal,
  type RevocationStatus,
} from "./revocation-status.ts";
import { readKept } from "./revocation-store.ts";
import type { VerifiedAnswer } from "./verified-answer.ts";
import { isDueForRefresh, validUntil } from "./verified-answer.ts";

/** Milliseconds for all network requests of one check together. */
const TOTAL_TIMEOUT_MS = 6_000;
/** Milliseconds between two refreshes of one answer by an isolate, because the source may not have a newer one yet. */
const REFRESH_INTERVAL_MS = 10 * 60_000;

export interface RevocationCheck {
  readonly kv: Pick<KeyValueStore, "get" | "put">;
  readonly ctx: { waitUntil(promise: Promise<unknown>): void };
  /** Leaf first, anchor last. All signatures must be verified. */
  readonly path: readonly Certificate[];
  /** Whose keys may have signed CRLs beside the issuers on the path. */
  readonly signers?: readonly SignerPath[];
  /** The result of `readRevocationCache` for these certificates. */
  readonly cached: CachedRevocation;
  readonly now: Instant;
}

/** Leaf first. New answers are stored in `ctx.waitUntil`. Never throws because of what a source answers. */
export async function checkRevocation(check: RevocationCheck): Promise<RevocationStatus[]> {
  const { kv, ctx, now } = check;
  let signal: AbortSignal | null = null;
  return await checkPath(check, now, (checkDelegate) => {
    signal ??= AbortSignal.timeout(TOTAL_TIMEOUT_MS);
    return { kv, ctx, now, signal, checkDelegate };
  });
}

/** As {@link checkRevocation}, by the kept answers of `now` alone, judged at the instant `at`. */
export const judgeKeptRevocation = (check: RevocationCheck, at: Instant): Promise<RevocationStatus[]> =>
  checkPath(check, at, null);

type StartAsking = (checkDelegate: CheckDelegate | null) => Asking;

/** By kept answers alone where `startAsking` is null, as in all that follows. */
const checkPath = (check: RevocationCheck, at: Instant, startAsking: StartAsking | null): Promise<RevocationStatus[]> =>
  Promise.all(
    check.path.slice(0, -1).map(async (_, i) => {
      const issued = await withoutRevokedSigners(check, issuedAt(check.path, i, check.signers), at, startAsking);
      const question = {
        ocsp: listOcspSources(issued),
        crls: listCrlSources(issued),
        checkDelegate: delegateChecker(check, issued, at, startAsking),
        silence: () => describeSilence(issued.certificate),
      };
      return await checkBySources(check, issued.certificate, question, at, startAsking);
    }),
  );

async function checkBySources(
  check: Omit<RevocationCheck, "path">,
  certificate: Certificate,
  question: Question,
  at: Instant,
  startAsking: StartAsking | null,
): Promise<RevocationStatus> {
  const { kept, known } = await judgeKept(question, check, at);
  const asked = !startAsking || isSettled(kept) ? [] : await askNetwork(question, kept, known, startAsking);
  if (startAsking && !chooseCurrent(asked) && isDue(chooseCurrent(kept), check.now))
    check.ctx.waitUntil(askNetwork(question, [], known, startAsking));
  return describeStatus(holderOf(certificate), [...kept, ...asked], at, question.silence);
}

/**
 * Leaves out signers that are revoked by the issuers on their paths (RFC 5280 section 6.3.3 (f)). The CRLs that a
 * signer alone names have to clear it. Those that it shares need not: a CA with a next key may sign none with the last
 * one.
 */
async function withoutRevokedSigners(
  check: RevocationCheck,
  { certificate, issuer, signerPaths }: ReturnType<typeof issuedAt>,
  at: Instant,
  startAsking: StartAsking | null,
): Promise<Issued> {
  const theirs = listCrlUrls(certificate);
  const signers: Certificate[] = [];
  for (const [signer, by] of signerPaths) {
    const own = listCrlUrls(signer).filter((url) => !theirs.includes(url));
    const ask = (urls: readonly string[], start: StartAsking | null) => {
      const crls = by ? listCrlSources({ certificate: signer, issuer: by }, urls) : [];
      return checkBySources(check, signer, { ocsp: [], crls, checkDelegate: null, silence: NO_CRL }, at, start);
    };
    if ((await ask(theirs, null)).status === "revoked") continue;
    // a listed service is trusted by its list
    if (by && own.length > 0 && (await ask(own, startAsking)).status !== "good") continue;
    signers.push(signer);
  }
  return { certificate, issuer, signers };
}

/** Completes the sentence on a responder of which no CRL can say whether it is revoked. */
export const NO_CRL = () => "neither it nor the certificate that it answered for names a CRL that can be asked";

/** How a delegated responder is checked: by CRLs, at `at`. By OCSP the same responders would have to answer. */
function delegateChecker(
  check: Omit<RevocationCheck, "path">,
  issued: Issued,
  at: Instant,
  startAsking: StartAsking | null,
): CheckDelegate {
  const { kv, ctx, now } = check;
  return (delegate) => {
    const { crls, areOthers } = listDelegateSources(delegate, issued);
    const keys = crls.map(({ slot }) => slot.key);
    const question = { ocsp: [], crls, checkDelegate: null, silence: NO_CRL };
    const judge = (cached: CachedRevocation, start: StartAsking | null) =>
      checkBySources({ kv, ctx, cached, now }, delegate, question, at, start);
    if (!areOthers) return judge(check.cached, startAsking);
    return onceForRequest(ctx, [at, issued.issuer.fingerprint, delegate.fingerprint].join(" "), async (mayAsk) =>
      mayAsk ? judge(await readKept(kv, { crls: keys, now }), startAsking) : judge(check.cached, null),
    );
  };
}

interface Question {
  readonly ocsp: readonly Source[];
  readonly crls: readonly Source[];
  readonly checkDelegate: CheckDelegate | null;
  readonly silence: () => string;
}

type Known = Map<string, readonly VerifiedAnswer[]>;

/** Evaluates the stored answers as of `at`. Answers that KV turns out to lack are written to it in `ctx.waitUntil`. */
async function judgeKept(
  { ocsp, crls, checkDelegate }: Question,
  { kv, ctx, cached, now }: Omit<RevocationCheck, "path">,
  at: Instant,
): Promise<{ kept: JudgedSource[]; known: Known }> {
  const known: Known = new Map();
  // all OCSP responders of a certificate share one slot
  const bySource = await Promise.all(
    [...ocsp.slice(0, 1), ...crls].map(async (source): Promise<JudgedSource[]> => {
      const { kind, slot } = source;
      const url = kind === "OCSP" ? null : source.url;
      const { answers, problem, isMissingInKv } = await learn(slot, cached, now);
      if (isMissingInKv) ctx.waitUntil(keep(kv, slot, [], now));
      known.set(slot.key, answers);
      const concerning = answers.filter(source.concerns);
      if (concerning.length === 0 && problem)
        return [{ source: kind, url, key: slot.key, answer: { status: "unusable", ...problem } }];
      return await Promise.all(concerning.map((answer) => judgeVerified(source, answer, url, at, checkDelegate)));
    }),
  );
  return { kept: bySource.flat(), known };
}

/** A kept CRL does not replace asking a responder, unless its revocation is final. */
function isSettled(kept: readonly JudgedSource[]): boolean {
  const chosen = chooseCurrent(kept);
  if (chosen === null || isFinal(chosen.answer)) return chosen !== null;
  return chosen.source === "OCSP" && !isDisowned(kept);
}

/** OCSP responders until one says revoked, or good later than any "unknown". Then CRLs, while nothing is current. */
async function askNetwork(
  { ocsp, crls, checkDelegate }: Question,
  kept: readonly JudgedSource[],
  known: Known,
  startAsking: StartAsking,
): Promise<JudgedSource[]> {
  const asked: JudgedSource[] = [];
  const ask = async (source: Source) => {
    asked.push(await askSource(source, known.get(source.slot.key) ?? [], startAsking(checkDelegate)));
  };
  for (const source of ocsp) if (!chooseCurrent(asked) || isDisowned([...kept, ...asked])) await ask(source);
  for (const source of crls) if (!chooseCurrent([...kept, ...asked])) await ask(source);
  return asked;
}

/** By KV key. */
const refreshed = memoryOf<true>("revocationRefreshes");

/** Past half its period and not refreshed recently. A CRL shared by many certificates is refreshed once. */
function isDue(chosen: JudgedSource | null, now: Instant): boolean {
  if (!chosen || !isDefinite(chosen.answer)) return false;
  const { thisUpdate } = chosen.answer;
  if (!isDueForRefresh({ thisUpdate, validUntil: validUntil(chosen.answer) }, now)) return false;
  if (refreshed.get(chosen.key, now)) return false;
  refreshed.set(chosen.key, true, now + REFRESH_INTERVAL_MS, now);
  return true;
}

export const holderOf = ({ subject }: Certificate): string => findHolder(subject) ?? "an unnamed holder";
