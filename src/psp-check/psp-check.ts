/**
 * The PSP check: the verdicts on a certificate, and its PSP's register entries. GET /v1/psp/eidas returns it, endpoints
 * that authenticate a PSP base their decision on it, and the command line prints it.
 */

import type { PspIdentity } from "../eidas/psd2.ts";
import type { PspUse } from "../eidas/qualified-use.ts";
import { type FoundPath, findPath, judgeValidity, type Validity, type ValidityInput } from "../eidas/validity.ts";
import type { Warning } from "../eidas/warnings.ts";
import { toBase64 } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { memoryOf } from "../platform/memory.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import {
  type RegisterMaxAges,
  type RegisterMaxAgeVars,
  registerMaxAges as readRegisterMaxAges,
  staleFrom,
} from "../registers/manifest.ts";
import { nextRegisterDay } from "../registers/status.ts";
import { checkRevocation, judgeKeptRevocation } from "../revocation/revocation.ts";
import type { RevocationStatus } from "../revocation/revocation-status.ts";
import { believableFor } from "../trust/sandbox-source.ts";
import type { Certificate } from "../x509/certificate.ts";
import { isCa } from "../x509/chain-order.ts";
import { readPathExtensions } from "../x509/extensions.ts";
import { type PathBudget, startBudget } from "../x509/path-budget.ts";
import { findPeriodProblem } from "../x509/path-rules.ts";
import { type Grounds, gatherGrounds, type KeptDocument } from "./basis.ts";
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
  readonly foundIssuers: readonly string[];
  /** Everything that this check is based on but `host`: see basis.ts. */
  readonly restsOn: Grounds;
  /** As of when it was judged. */
  readonly madeAt: Instant;
  /** The check must be repeated from then on. From `madeAt` until then an answer to it says the same. */
  readonly expiresAt: Instant;
}

/** `WEBHOOK_TARGETS`: `any` lets also issuers' certificates be fetched from anywhere. For tests only. */
export type CheckEnv = Pick<Env, "KV"> & Partial<Pick<Env, "WEBHOOK_TARGETS">> & RegisterMaxAgeVars;

/** What goes on after the response. */
type CheckContext = Pick<ExecutionContext, "waitUntil">;

/** A check, and all that it is based on but its {@link PspCheck.host}. */
export interface Checked {
  readonly check: PspCheck;
  /** Empty if the check was cached: then they were given with it before. */
  readonly documents: readonly KeptDocument[];
}

/** By jurisdiction and chain. */
const knownChecks = memoryOf<PspCheck>("checks");

const checkKey = (chain: string, jurisdiction: string | null) => `${jurisdiction ?? "home"} ${chain}`;

/** The cached check of a chain, by its {@link chainKey}; null if there is none. */
export const recallCheck = (chain: string, jurisdiction: string | null, now: Instant): PspCheck | null =>
  knownChecks.get(checkKey(chain, jurisdiction), now) ?? null;

/**
 * The newest cached check of a chain, for one of the jurisdictions or for the home country: none is made anew from an older
 * one.
 */
export function recallAny(key: string, jurisdictions: Iterable<string>, now: Instant): PspCheck | null {
  let newest: PspCheck | null = null;
  for (const jurisdiction of [...jurisdictions, null]) {
    const known = recallCheck(key, jurisdiction, now);
    if (known && (newest === null || known.madeAt > newest.madeAt)) newest = known;
  }
  return newest;
}

/** Caches a check of a chain, unless a later one is cached. It must share no text with what it was read from. */
export function keepCheck(chain: string, jurisdiction: string | null, check: PspCheck, now: Instant): void {
  const known = recallCheck(chain, jurisdiction, now);
  // of a later request that took less time: it may know of a revocation
  if (known && known.madeAt > check.madeAt) return;
  knownChecks.set(checkKey(chain, jurisdiction), check, check.expiresAt, now);
}

/** Of a caller that counts the work of several checks. */
export type CheckLimits = Pick<BegunCheck, "path" | "spendCalls">;

const usualLimits = (): CheckLimits => ({ path: startBudget(), spendCalls: () => {} });

export interface PspQuestion {
  readonly env: CheckEnv;
  readonly ctx: CheckContext;
  readonly chain: Chain;
  /** An ISO code in upper case, or null if only the home register is needed. */
  readonly jurisdiction: string | null;
  readonly now: Instant;
  /** A reading that was started earlier for this jurisdiction; used if it is for the leaf. */
  readonly ahead?: ReadAhead | null;
  /** Of a caller that counts the work of several; it throws what their `spendCalls` throws. */
  readonly limits?: CheckLimits;
}

/**
 * Checks a certificate and reads its PSP's registers as of `now`. Outdated revocation data is refreshed in the background with
 * `ctx.waitUntil`. The check is cached: whoever is given it from then on is not given its documents. So they are to be
 * handed on at once, before anything is awaited: a request may be cancelled then.
 */
export async function checkPsp(question: PspQuestion): Promise<Checked> {
  const checked = await makeCheck(question);
  if (checked.documents.length > 0)
    keepCheck(chainKey(question.chain), question.jurisdiction, checked.check, question.now);
  return checked;
}

/** As {@link checkPsp}, for a caller that caches the check himself, when he hands on its documents. */
export async function makeCheck(question: PspQuestion): Promise<Checked> {
  const { env, ctx, chain, jurisdiction, now, ahead } = question;
  const known = recallCheck(chainKey(chain), jurisdiction, now);
  if (known) return { check: known, documents: [] };
  const readings = await (ahead?.leaf === chain.leaf.fingerprint
    ? completeReading(env.KV, chain.issuers, ahead, now)
    : readStores(env.KV, chain, jurisdiction, now));
  const { check, documents, verified } = await judgeCompleted(question, readings, null);
  // with issuers between the leaf and the anchor
  if (verified.length > 2) ctx.waitUntil(keepLater(env.KV, verified, now));
  const { home, host, ...rest } = check;
  // a copy: in V8 a substring keeps the whole text in memory, and a warning may quote the certificate. The registers'
  // readings are copies already (registers/lookup.ts)
  return { check: { ...structuredClone(rest), home, host }, documents };
}

/**
 * As {@link checkPsp}, but as of the instant `at`, past or to come. What is known is what is known at `now`: today's
 * trusted lists with their history, today's registers, and the revocation answers that are kept. {@link checkPsp} comes
 * first: it fetches those that are not. To be cached by nobody, so that no other check is answered as of `at`.
 */
export async function checkPspAt(question: PspQuestion, at: Instant): Promise<Checked> {
  const { env, chain, jurisdiction, now } = question;
  const readings = await readStores(env.KV, chain, jurisdiction, now);
  return judgeCompleted({ ...question, limits: usualLimits() }, readings, at);
}

const keepLater = async (kv: KVNamespace, path: readonly Certificate[], now: Instant): Promise<void> =>
  (await import("./kept-issuers.ts")).keepIssuers(kv, path, now);

/**
 * Judges as of `at` by what is kept, or as of now where it is null. Judges again with issuers that were not sent if the path
 * has no end without them.
 */
async function judgeCompleted(
  { env, ctx, chain, now, limits = usualLimits() }: PspQuestion,
  readings: Readings,
  at: Instant | null,
): Promise<Judgement> {
  const { path: budget, spendCalls } = limits;
  const judgeWith = async (presented: Chain, read: Readings) => {
    const began = await beginJudgement(presented, read, at ?? now, budget);
    const asked = { ...{ kv: env.KV, ctx, now, cached: read.cached }, ...began.foundPath };
    const statuses = await (at === null ? checkRevocation(asked) : judgeKeptRevocation(asked, at));
    return judge(began, statuses, readRegisterMaxAges(env));
  };
  const first = await judgeWith(chain, readings);
  const { withoutIssuer } = first;
  if (withoutIssuer === null || !mayBePsp(chain.leaf, readings.psp, at ?? now)) return first;
  // loaded where it is needed: nearly every chain has an end
  const { findIssuers } = await import("./issuer-search.ts");
  const anyHost = env.WEBHOOK_TARGETS === "any";
  const search = { kv: env.KV, ctx, now, at: at ?? now, budget, anyHost, spendCalls };
  const { sought, anchors, cached } = await findIssuers(search, withoutIssuer);
  if (sought.issuers.length === 0 && sought.missing === null) return first;
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
const mayBePsp = (leaf: Certificate, { pspId }: PspIdentity, at: Instant): boolean =>
  pspId !== null && !isCa(leaf) && readPathExtensions(leaf).ok && findPeriodProblem(leaf, at) === null;

export interface Judgement extends Checked {
  /** The valid path, leaf first, anchor last; empty if there is none. */
  readonly verified: readonly Certificate[];
  readonly withoutIssuer: Certificate | null;
}

/** A check whose path is found, and the revocation of its certificates not yet. */
export interface BegunJudgement {
  readonly chain: Chain;
  readonly readings: Omit<Readings, "cached">;
  readonly input: ValidityInput;
  readonly foundPath: FoundPath;
}

/** The rules of the check up to the path, on what was read before, as of `now`. */
export async function beginJudgement(
  chain: Chain,
  readings: Omit<Readings, "cached">,
  now: Instant,
  budget?: PathBudget,
): Promise<BegunJudgement> {
  const { psp, anchors: read } = readings;
  const { homeCountry } = psp;
  const anchors = believableFor(read, homeCountry);
  const withheld = anchors.length < read.length ? { anchors: read, homeCountry } : undefined;
  const input = { ...chain, claims: psp, anchors, withheld, now, budget };
  return { chain, readings, input, foundPath: await findPath(input) };
}

/** The rules of the check from there on. `statuses`: of the found path's certificates but the anchor, leaf first. */
export function judge(
  { chain, readings, input, foundPath }: BegunJudgement,
  statuses: readonly RevocationStatus[],
  registerMaxAges: RegisterMaxAges,
): Judgement {
  const { psp, home, host } = readings;
  const { anchors, now } = input;
  const verdict = judgeValidity(input, foundPath, statuses);
  // of every entry: one that does not count yet may contradict the one that decided
  const periods = anchors.flatMap(({ listed }) => listed.periods);
  const turns = periods.map(({ from }) => Date.parse(from)).filter((turn) => turn > now);
  const staleAt = Math.min(...[home, host].map((reading) => nextStale(reading, registerMaxAges, now)));
  const { grounds, documents } = gatherGrounds({ chain, anchors: readings.anchors, verdict, home, registerMaxAges });
  const check = {
    psp,
    validity: verdict.validity,
    warnings: [...verdict.warnings, ...psp.warnings],
    uses: verdict.uses,
    evidence: gatherEvidence(verdict),
    home,
    host,
    certificate: chain.leaf.fingerprint,
    foundIssuers: (chain.sought?.issuers ?? []).map(({ certificate }) => toBase64(certificate.der)),
    restsOn: grounds,
    madeAt: now,
    // documents are kept by the year of the record (evidence/ledger/kept-documents.ts)
    expiresAt: Math.min(
      now + SEEN_SECONDS * 1000,
      ...[verdict.validUntil, endOfYear(now), nextRegisterDay(now), staleAt, ...turns],
    ),
  };
  const { withoutIssuer } = verdict;
  return { check, documents, verified: verdict.validity.validSignature ? verdict.path : [], withoutIssuer };
}

/** When the next of a country's registers becomes older than it may be; infinite if none does. */
function nextStale(reading: RegisterReading | null, maxAges: RegisterMaxAges, now: Instant): Instant {
  const all = (reading?.manifests ?? []).map((manifest) => staleFrom(manifest, maxAges));
  return Math.min(...all.filter((at) => at > now));
}

/** The same check for a jurisdiction whose register is `host`. */
export function withHost(check: PspCheck, host: RegisterReading | null, now: Instant): PspCheck {
  const staleAt = nextStale(host, check.restsOn.registerMaxAges, now);
  return { ...check, host, expiresAt: Math.min(check.expiresAt, staleAt) };
}

const endOfYear = (now: Instant): Instant => Date.UTC(new Date(now).getUTCFullYear() + 1, 0);
