/**
 * The PSP check: the verdicts on a certificate, and its PSP's register entries. GET /v1/psp/eidas returns it, endpoints
 * that authenticate a PSP base their decision on it, and the command line prints it.
 */

import type { PspIdentity } from "../eidas/psd2.ts";
import { checkValidity, type Validity } from "../eidas/validity.ts";
import type { Warning } from "../eidas/warnings.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import type { RegisterReading } from "../registers/lookup.ts";
import {
  type RegisterMaxAges,
  type RegisterMaxAgeVars,
  registerMaxAges as readRegisterMaxAges,
} from "../registers/manifest.ts";
import { checkRevocation, judgeKeptRevocation, type RevocationStatus } from "../revocation/revocation.ts";
import type { Certificate } from "../x509/certificate.ts";
import type { PathBudget } from "../x509/path-budget.ts";
import { type Grounds, gatherGrounds } from "./basis.ts";
import { type Chain, chainKey } from "./chain.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";
import type { KeepDocuments, KeptDocument } from "./kept-document.ts";
import { completeReading, type ReadAhead, type Readings, readStores } from "./psp-readings.ts";

/**
 * How long an isolate caches a check. Its inputs may have been cached for 30 seconds before, so an import or a
 * revocation takes effect within a minute, as in KV itself.
 */
const SEEN_SECONDS = 30;

export interface PspCheck {
  readonly psp: PspIdentity;
  readonly validity: Validity;
  /** One sentence for each false verdict, then the warnings about the certificate's contents. */
  readonly warnings: readonly Warning[];
  readonly evidence: Evidence;
  /** Null if the certificate has no authorisation number, so that the home country is unknown. */
  readonly home: RegisterReading | null;
  /** Null if the jurisdiction is the home country, or none was given. */
  readonly host: RegisterReading | null;
  /** SHA-256 of the leaf's DER in lower-case hex. */
  readonly certificate: string;
  /** Everything that this check rests on but `host`: see basis.ts. */
  readonly restsOn: Grounds;
  /** Milliseconds since 1970: the check must be repeated from then on. Each answer checks the registers' age itself. */
  readonly expiresAt: number;
}

export type CheckEnv = Pick<Env, "KV"> & RegisterMaxAgeVars;

/** What goes on behind the answer. */
export interface CheckContext extends Pick<ExecutionContext, "waitUntil"> {
  /** Gets what a new check rests on, before the check is cached; absent: nothing of it is kept. */
  readonly keep?: KeepDocuments | undefined;
}

/** By jurisdiction and chain. Exported for the test that fills it. */
export const knownChecks = new Memory<PspCheck>(MEMORY_SHARES.checks, heapBytes);

const checkKey = (chain: string, jurisdiction: string | null) => `${jurisdiction ?? "home"} ${chain}`;

/** The cached check of a chain, by its {@link chainKey}; null if there is none. `now`: milliseconds since 1970. */
export const recallCheck = (chain: string, jurisdiction: string | null, now: number): PspCheck | null =>
  knownChecks.get(checkKey(chain, jurisdiction), now) ?? null;

/** Caches a check of a chain. It must share no text with what it was read from. `now`: milliseconds since 1970. */
export const keepCheck = (chain: string, jurisdiction: string | null, check: PspCheck, now: number): void =>
  knownChecks.set(checkKey(chain, jurisdiction), check, check.expiresAt, now);

/**
 * Checks a certificate and reads its PSP's registers as of `now` (milliseconds since 1970). `jurisdiction` is an ISO
 * code in upper case, or null if only the home register is needed. Outdated revocation data is refreshed in the
 * background with `ctx.waitUntil`. What the check rests on is given to `ctx.keep`. `ahead`: a reading that was started earlier for this jurisdiction; used if it is for
 * the leaf. `budget`: of the path search, for a caller that counts the work of several.
 */
export async function checkPsp(
  env: CheckEnv,
  ctx: CheckContext,
  chain: Chain,
  jurisdiction: string | null,
  now: number,
  ahead: ReadAhead | null = null,
  budget?: PathBudget,
): Promise<PspCheck> {
  const key = chainKey(chain);
  const known = recallCheck(key, jurisdiction, now);
  if (known) return known;
  const readings = await (ahead?.leaf === chain.leaf.fingerprint
    ? completeReading(env.KV, chain.issuers, ahead, now)
    : readStores(env.KV, chain, jurisdiction, now));
  const revocation = (path: readonly Certificate[]) =>
    checkRevocation({ kv: env.KV, ctx, path, cached: readings.cached, now });
  const { check: judgement, documents } = await judge(
    readRegisterMaxAges(env),
    chain,
    readings,
    now,
    revocation,
    budget,
  );
  ctx.keep?.(documents);
  const { home, host, ...judged } = judgement;
  // a copy: in V8 a substring keeps the whole text in memory, and a warning may quote the certificate. The registers'
  // readings are copies already (registers/lookup.ts)
  const check = { ...structuredClone(judged), home, host };
  keepCheck(key, jurisdiction, check, now);
  return check;
}

/**
 * As {@link checkPsp}, but as of the instant `at`, past or to come. What is known is what is known at `now`: today's
 * trusted lists with their history, today's registers, and the revocation answers that are kept. Nothing is cached by
 * it, so that no other check is answered as of `at`. Times in milliseconds since 1970.
 */
export async function checkPspAt(
  env: CheckEnv,
  ctx: CheckContext,
  chain: Chain,
  jurisdiction: string | null,
  { now, at }: { readonly now: number; readonly at: number },
  budget?: PathBudget,
): Promise<PspCheck> {
  // fetches the revocation answers that are not kept yet
  await checkPsp(env, ctx, chain, jurisdiction, now, null, budget);
  const readings = await readStores(env.KV, chain, jurisdiction, now);
  const { cached } = readings;
  const revocation = (path: readonly Certificate[]) => judgeKeptRevocation({ kv: env.KV, ctx, path, cached, now }, at);
  return (await judge(readRegisterMaxAges(env), chain, readings, at, revocation)).check;
}

/** The rules of the check, on what was read before, as of `now` (milliseconds since 1970). */
export async function judge(
  registerMaxAges: RegisterMaxAges,
  chain: Chain,
  { psp, anchors, home, host }: Omit<Readings, "cached">,
  now: number,
  revocation: (path: readonly Certificate[]) => Promise<readonly RevocationStatus[]>,
  budget?: PathBudget,
): Promise<{ readonly check: PspCheck; readonly documents: readonly KeptDocument[] }> {
  const verdict = await checkValidity({ ...chain, claims: psp, anchors, now, revocation, budget });
  // of every entry: one that does not count yet may contradict the one that decided
  const periods = anchors.flatMap(({ listed }) => listed.periods);
  const turns = periods.map(({ from }) => Date.parse(from)).filter((turn) => turn > now);
  const { grounds, documents } = gatherGrounds({ chain, anchors, verdict, home, registerMaxAges });
  const check = {
    psp,
    validity: verdict.validity,
    warnings: [...verdict.warnings, ...psp.warnings],
    evidence: gatherEvidence(verdict),
    home,
    host,
    certificate: chain.leaf.fingerprint,
    restsOn: grounds,
    // documents are kept by the year of the record (ledger/kept-documents.ts)
    expiresAt: Math.min(now + SEEN_SECONDS * 1000, verdict.validUntil, endOfYear(now), ...turns),
  };
  return { check, documents };
}

const endOfYear = (now: number): number => Date.UTC(new Date(now).getUTCFullYear() + 1, 0);
