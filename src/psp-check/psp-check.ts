/**
 * The PSP check: the verdicts on a certificate, and its PSP's register entries. GET /v1/psp/eidas returns it, endpoints
 * that authenticate a PSP base their decision on it, and the command line prints it.
 */

import type { PspIdentity } from "../eidas/psd2.ts";
import type { PspUse } from "../eidas/qualified-use.ts";
import { checkValidity, type Validity, type ValidityInput } from "../eidas/validity.ts";
import type { Warning } from "../eidas/warnings.ts";
import { toBase64 } from "../platform/encoding.ts";
import { heapBytes, MEMORY_SHARES, Memory } from "../platform/memory.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import {
  type RegisterMaxAges,
  type RegisterMaxAgeVars,
  registerMaxAges as readRegisterMaxAges,
  staleFrom,
} from "../registers/manifest.ts";
import { nextRegisterDay } from "../registers/status.ts";
import type { CachedRevocation } from "../revocation/kept-answers.ts";
import { checkRevocation, judgeKeptRevocation } from "../revocation/revocation.ts";
import type { SignerPath } from "../revocation/revocation-sources.ts";
import type { RevocationStatus } from "../revocation/revocation-status.ts";
import { believableFor } from "../trust/sandbox-source.ts";
import type { Certificate } from "../x509/certificate.ts";
import { isCa } from "../x509/chain-order.ts";
import { readPathExtensions } from "../x509/extensions.ts";
import { type PathBudget, startBudget } from "../x509/path-budget.ts";
import { findPeriodProblem } from "../x509/path-rules.ts";
import { type Grounds, gatherGrounds, type KeepDocuments, type KeptDocument } from "./basis.ts";
import { type BegunCheck, type Chain, chainKey } from "./check-budget.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";
import { completeReading, type ReadAhead, type Readings, readStores } from "./psp-readings.ts";

/**
 * How long an isolate caches a check. Its inputs may have been cached for 30 seconds before, and KV may have shown them for
 * a minute before that: an import or a revocation takes effect within two minutes.
 */
const SEEN_SECONDS = 30;

export interface PspCheck {
  readonly psp: PspIdentity;
  readonly validity: Validity;
  /** One sentence for each false verdict, then the warnings about the certificate's contents. */
  readonly warnings: readonly Warning[];
  /** What the certificate is qualified for: a QWAC, a QSealC; empty unless validQTSP is true. */
  readonly uses: readonly PspUse[];
  readonly evidence: Evidence;
  /** Null if the certificate has no authorisation number, so that the home country is unknown. */
  readonly home: RegisterReading | null;
  /** Null if the jurisdiction is the home country, or none was given. */
  readonly host: RegisterReading | null;
  /** SHA-256 of the leaf's DER in lower-case hex. */
  readonly certificate: string;
  /** Base64 DER of the issuers' certificates that were not sent and were found, from the leaf's issuer up. */
  readonly found: readonly string[];
  /** Everything that this check is based on but `host`: see basis.ts. */
  readonly restsOn: Grounds;
  /** The check must be repeated from then on. Until then an answer to it says the same. */
  readonly expiresAt: number;
}

/** `WEBHOOK_TARGETS`: `any` lets also issuers' certificates be fetched from anywhere. For tests only. */
export type CheckEnv = Pick<Env, "KV"> & Partial<Pick<Env, "WEBHOOK_TARGETS">> & RegisterMaxAgeVars;

/** What goes on after the response. */
export interface CheckContext extends Pick<ExecutionContext, "waitUntil"> {
  /** Gets what a new check is based on, before the check is cached; absent: nothing of it is kept. */
  readonly keep?: KeepDocuments | undefined;
}

/** By jurisdiction and chain. Exported for the test that fills it. */
export const knownChecks = new Memory<PspCheck>(MEMORY_SHARES.checks, heapBytes);

const checkKey = (chain: string, jurisdiction: string | null) => `${jurisdiction ?? "home"} ${chain}`;

/** The cached check of a chain, by its {@link chainKey}; null if there is none. */
export const recallCheck = (chain: string, jurisdiction: string | null, now: number): PspCheck | null =>
  knownChecks.get(checkKey(chain, jurisdiction), now) ?? null;

/**
 * The newest cached check of a chain, for one of the jurisdictions or for the home country: none is made anew from an older
 * one.
 */
export function recallAny(key: string, jurisdictions: Iterable<string>, now: number): PspCheck | null {
  let newest: PspCheck | null = null;
  for (const jurisdiction of [...jurisdictions, null]) {
    const known = recallCheck(key, jurisdiction, now);
    if (known && (newest === null || known.expiresAt > newest.expiresAt)) newest = known;
  }
  return newest;
}

/** Caches a check of a chain. It must share no text with what it was read from. */
export const keepCheck = (chain: string, jurisdiction: string | null, check: PspCheck, now: number): void =>
  knownChecks.set(checkKey(chain, jurisdiction), check, check.expiresAt, now);

/** Of a caller that counts the work of several checks. */
export type CheckLimits = Pick<BegunCheck, "path" | "spendCalls">;

const usualLimits = (): CheckLimits => ({ path: startBudget(), spendCalls: () => {} });

/**
 * Checks a certificate and reads its PSP's registers as of `now`. `jurisdiction` is an ISO code in upper case, or null if
 * only the home register is needed. Outdated revocation data is refreshed in the background with `ctx.waitUntil`. What the
 * check is based on is given to `ctx.keep`. `ahead`: a reading that was started earlier for this jurisdiction; used if it is
 * for the leaf. `limits`: for a caller that counts the work of several; it throws what their `spendCalls` throws.
 */
export async function checkPsp(
  env: CheckEnv,
  ctx: CheckContext,
  chain: Chain,
  jurisdiction: string | null,
  now: number,
  ahead: ReadAhead | null = null,
  limits = usualLimits(),
): Promise<PspCheck> {
  const key = chainKey(chain);
  const known = recallCheck(key, jurisdiction, now);
  if (known) return known;
  const readings = await (ahead?.leaf === chain.leaf.fingerprint
    ? completeReading(env.KV, chain.issuers, ahead, now)
    : readStores(env.KV, chain, jurisdiction, now));
  const revocation: JudgeRevocation = (path, signers, cached) =>
    checkRevocation({ kv: env.KV, ctx, path, signers, cached, now });
  const judged = await judgeCompleted(env, ctx, chain, readings, { now, at: now }, revocation, limits);
  const { check: judgement, documents, verified } = judged;
  // with issuers between the leaf and the anchor
  if (verified.length > 2) ctx.waitUntil(keepLater(env.KV, verified, now));
  ctx.keep?.(documents);
  const { home, host, ...rest } = judgement;
  // a copy: in V8 a substring keeps the whole text in memory, and a warning may quote the certificate. The registers'
  // readings are copies already (registers/lookup.ts)
  const check = { ...structuredClone(rest), home, host };
  keepCheck(key, jurisdiction, check, now);
  return check;
}

/**
 * As {@link checkPsp}, but as of the instant `at`, past or to come. What is known is what is known at `now`: today's
 * trusted lists with their history, today's registers, and the revocation answers that are kept. Nothing is cached by it,
 * so that no other check is answered as of `at`.
 */
export async function checkPspAt(
  env: CheckEnv,
  ctx: CheckContext,
  chain: Chain,
  jurisdiction: string | null,
  { now, at }: { readonly now: number; readonly at: number },
  limits = usualLimits(),
): Promise<PspCheck> {
  // fetches the revocation answers that are not kept yet
  await checkPsp(env, ctx, chain, jurisdiction, now, null, limits);
  const readings = await readStores(env.KV, chain, jurisdiction, now);
  const revocation: JudgeRevocation = (path, signers, cached) =>
    judgeKeptRevocation({ kv: env.KV, ctx, path, signers, cached, now }, at);
  const judged = await judgeCompleted(env, ctx, chain, readings, { now, at }, revocation, usualLimits());
  ctx.keep?.(judged.documents);
  return judged.check;
}

const keepLater = async (kv: KVNamespace, path: readonly Certificate[], now: number): Promise<void> =>
  (await import("./kept-issuers.ts")).keepIssuers(kv, path, now);

type JudgeRevocation = (
  path: readonly Certificate[],
  signers: readonly SignerPath[],
  cached: CachedRevocation,
) => Promise<readonly RevocationStatus[]>;

/** Judges as of `at`, and again with issuers that were not sent if the path has no end without them. */
async function judgeCompleted(
  env: CheckEnv,
  ctx: CheckContext,
  chain: Chain,
  readings: Readings,
  { now, at }: { readonly now: number; readonly at: number },
  revocation: JudgeRevocation,
  { path: budget, spendCalls }: CheckLimits,
): Promise<Judgement> {
  const judgeWith = (of: Chain, read: Readings) =>
    judge(readRegisterMaxAges(env), of, read, at, (path, signers) => revocation(path, signers, read.cached), budget);
  const first = await judgeWith(chain, readings);
  const { withoutIssuer } = first;
  if (withoutIssuer === null || !mayBePsp(chain.leaf, readings.psp, at)) return first;
  // loaded where it is needed: nearly every chain has an end
  const { findIssuers } = await import("./issuer-search.ts");
  const anyHost = env.WEBHOOK_TARGETS === "any";
  const search = { kv: env.KV, ctx, now, at, budget, anyHost, spendCalls };
  const { sought, anchors, cached } = await findIssuers(search, withoutIssuer);
  if (sought.found.length === 0 && sought.missing === null) return first;
  return judgeWith(
    { ...chain, sought },
    {
      ...readings,
      anchors: [...new Set([...readings.anchors, ...anchors])],
      cached: new Map([...readings.cached, ...cached]),
    },
  );
}

/** Nothing is fetched for a certificate that would be refused with its issuers, too. */
const mayBePsp = (leaf: Certificate, { pspId }: PspIdentity, at: number): boolean =>
  pspId !== null && !isCa(leaf) && readPathExtensions(leaf).ok && findPeriodProblem(leaf, at) === null;

export interface Judgement {
  readonly check: PspCheck;
  readonly documents: readonly KeptDocument[];
  /** The valid path, leaf first, anchor last; empty if there is none. */
  readonly verified: readonly Certificate[];
  readonly withoutIssuer: Certificate | null;
}

/** The rules of the check, on what was read before, as of `now`. */
export async function judge(
  registerMaxAges: RegisterMaxAges,
  chain: Chain,
  { psp, anchors: read, home, host }: Omit<Readings, "cached">,
  now: number,
  revocation: ValidityInput["revocation"],
  budget?: PathBudget,
): Promise<Judgement> {
  const { homeCountry } = psp;
  const anchors = believableFor(read, homeCountry);
  const withheld = anchors.length < read.length ? { anchors: read, homeCountry } : undefined;
  const verdict = await checkValidity({ ...chain, claims: psp, anchors, withheld, now, revocation, budget });
  // of every entry: one that does not count yet may contradict the one that decided
  const periods = anchors.flatMap(({ listed }) => listed.periods);
  const manifests = [home, host].flatMap((reading) => reading?.manifests ?? []);
  const turns = [
    ...periods.map(({ from }) => Date.parse(from)),
    ...manifests.map((manifest) => staleFrom(manifest, registerMaxAges)),
  ].filter((turn) => turn > now);
  const { grounds, documents } = gatherGrounds({ chain, anchors: read, verdict, home, registerMaxAges });
  const check = {
    psp,
    validity: verdict.validity,
    warnings: [...verdict.warnings, ...psp.warnings],
    uses: verdict.uses,
    evidence: gatherEvidence(verdict),
    home,
    host,
    certificate: chain.leaf.fingerprint,
    found: (chain.sought?.found ?? []).map(({ certificate }) => toBase64(certificate.der)),
    restsOn: grounds,
    // documents are kept by the year of the record (evidence/ledger/kept-documents.ts)
    expiresAt: Math.min(now + SEEN_SECONDS * 1000, verdict.validUntil, endOfYear(now), nextRegisterDay(now), ...turns),
  };
  const { withoutIssuer } = verdict;
  return { check, documents, verified: verdict.validity.validSignature ? verdict.path : [], withoutIssuer };
}

const endOfYear = (now: number): number => Date.UTC(new Date(now).getUTCFullYear() + 1, 0);
