/**
 * Many certificates for many jurisdictions in one request: each chain is checked once, and each register read once. The
 * checks are those of psp-check.ts, and cached with them.
 */

import { VERDICT_NAMES } from "../eidas/verdict-codes.ts";
import type { VerdictName } from "../eidas/verdicts.ts";
import type { Instant } from "../platform/instant.ts";
import { inLanes, LONG_STORE_TIMEOUT_MS, StoreError } from "../platform/stores.ts";
import { findRegister } from "../registers/lookup.ts";
import type { KeptDocument } from "./basis.ts";
import { type Chain, type CheckBudget, NoCallsLeft } from "./check-budget.ts";
import { type Decision, outcomeOf } from "./decision.ts";
import {
  type CheckEnv,
  type Checked,
  keepCheck,
  makeCheck,
  type PspCheck,
  type PspQuestion,
  recallAny,
  recallCheck,
  withHost,
} from "./psp-check.ts";
import { shareReads } from "./shared-reads.ts";

/** Checks that are under way at once: the platform allows six connections. */
const MAX_AT_ONCE = 6;

export interface ChainChecks {
  /** Of the chain: see `chainKey`. */
  readonly key: string;
  /** The chain, or a cached check of it for whichever jurisdiction. */
  readonly subject: { readonly chain: Chain } | { readonly known: PspCheck };
  /** ISO codes in upper case. */
  readonly jurisdictions: ReadonlySet<string>;
}

/** The checks by jurisdiction; or that the budget was used up, or a store failed. */
export type ChainResult =
  | { readonly ok: true; readonly checks: ReadonlyMap<string, PspCheck> }
  | { readonly ok: false; readonly reason: "postponed" }
  | { readonly ok: false; readonly reason: "store"; readonly error: StoreError };

export interface ManyChecked {
  /** One for each chain. */
  readonly results: readonly ChainResult[];
  /** Of all that were made, as of {@link checkPsp}. */
  readonly documents: readonly KeptDocument[];
}

type Failed = Extract<ChainResult, { ok: false }>;
type Base = { readonly ok: true; readonly check: PspCheck } | Failed;

/**
 * Checks the chains, in their order as far as the budget allows. `clock` has the present one. Throws only what is a
 * defect.
 */
export async function checkMany(
  { env, ctx, now }: Pick<PspQuestion, "env" | "ctx" | "now">,
  wanted: readonly ChainChecks[],
  budget: CheckBudget,
  clock: { now(): Instant },
): Promise<ManyChecked> {
  const shared = { env: { ...env, KV: shareReads(env.KV) }, ctx, now, jurisdiction: null };
  const bases: Base[] = [];
  const documents: KeptDocument[] = [];
  const made: (readonly [key: string, jurisdiction: string | null, check: PspCheck])[] = [];
  await inLanes(MAX_AT_ONCE, wanted.entries(), async ([i, { key, subject, jurisdictions }]) => {
    if ("known" in subject) {
      bases[i] = { ok: true, check: recallAny(key, jurisdictions, now) ?? subject.known };
      return;
    }
    const base = await checkHome({ ...shared, chain: subject.chain }, budget, clock);
    bases[i] = base;
    if (!base.ok) return;
    documents.push(...base.documents);
    made.push([key, null, base.check]);
  });
  // all at once: registers of one country are read together
  const results = await Promise.all(
    wanted.map(async ({ key, jurisdictions }, i): Promise<ChainResult> => {
      const base = bases[i] ?? { ok: false, reason: "postponed" };
      if (!base.ok) return base;
      return orStoreError(async () => {
        const checks = await Promise.all(
          Array.from(jurisdictions, async (jurisdiction) => {
            const check = await checkThere(shared.env, key, base.check, jurisdiction, now);
            made.push([key, jurisdiction, check]);
            return [jurisdiction, check] as const;
          }),
        );
        return { ok: true, checks: new Map(checks) };
      });
    }),
  );
  // not before: the request may be cancelled while others are awaited, and their documents would be nobody's
  for (const [key, jurisdiction, check] of made)
    if (recallCheck(key, jurisdiction, now) !== check) keepCheck(key, jurisdiction, check, now);
  return { results, documents };
}

/** The check of a chain with its home register only. */
function checkHome(
  question: PspQuestion,
  budget: CheckBudget,
  clock: { now(): Instant },
): Promise<({ readonly ok: true } & Checked) | Failed> {
  const begun = budget.begin(question.chain, clock.now());
  if (!begun) return Promise.resolve({ ok: false, reason: "postponed" });
  return orStoreError<({ readonly ok: true } & Checked) | Failed>(async () => {
    try {
      return { ok: true, ...(await makeCheck({ ...question, limits: begun })) };
    } catch (error) {
      if (error instanceof NoCallsLeft) return { ok: false, reason: "postponed" };
      throw error;
    } finally {
      begun.end();
    }
  });
}

/**
 * The same check for a jurisdiction: only the host register is another one. One that is cached may be based on something else,
 * which the record, with one basis for all jurisdictions of a certificate, would not name.
 */
async function checkThere(
  { KV }: CheckEnv,
  key: string,
  base: PspCheck,
  jurisdiction: string,
  now: Instant,
): Promise<PspCheck> {
  const known = recallCheck(key, jurisdiction, now);
  if (known && restOnSame(known, base)) return known;
  const { authNumber, homeCountry } = base.psp;
  // 1,550 registers are 140 calls of KV, six at a time
  const host =
    jurisdiction === homeCountry || authNumber === null
      ? null
      : await findRegister(KV, jurisdiction, authNumber, now, LONG_STORE_TIMEOUT_MS);
  return withHost(base, host, now);
}

const restOnSame = (a: PspCheck, b: PspCheck): boolean =>
  a.restsOn === b.restsOn || JSON.stringify(a.restsOn) === JSON.stringify(b.restsOn);

async function orStoreError<Result>(
  check: () => Promise<Result>,
): Promise<Result | Extract<Failed, { reason: "store" }>> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof StoreError) return { ok: false, reason: "store", error };
    throw error;
  }
}

interface CheckedLog {
  /** The normal form of the authorisation number; null if the certificate has none. */
  readonly psp: string | null;
  /** As of the single check: the first false verdict, or ok. */
  readonly outcome: string;
  readonly verdicts: readonly VerdictName[];
  /** All that were asked for, and those where the PSP is allowed each scope. */
  readonly jurisdictions: readonly string[];
  readonly payments: readonly string[];
  readonly accounts: readonly string[];
}

/** An element that was refused as a whole: its first error code. */
type RefusedLog = Pick<CheckedLog, "outcome">;

export interface ChecksLog {
  readonly checks: {
    readonly asked: number;
    /** Answers with the result of a check, one for each jurisdiction. */
    readonly results: number;
    /** Elements and jurisdictions with errors; those that were postponed among them. */
    readonly refused: number;
    readonly postponed: number;
    readonly each: readonly (CheckedLog | RefusedLog)[];
  };
}

/** `decisions`: by jurisdiction, in the order of the request. */
export function describeForLog(
  { psp, validity, warnings }: Pick<PspCheck, "psp" | "validity" | "warnings">,
  decisions: readonly (readonly [jurisdiction: string, decision: Decision])[],
): CheckedLog {
  const allowed = (scope: keyof Decision) =>
    decisions.flatMap(([jurisdiction, decision]) => (decision[scope].allowed ? [jurisdiction] : []));
  return {
    psp: psp.pspId,
    outcome: outcomeOf({ psp, validity, warnings }),
    verdicts: VERDICT_NAMES.filter((verdict) => !validity[verdict]),
    jurisdictions: decisions.map(([jurisdiction]) => jurisdiction),
    payments: allowed("payments"),
    accounts: allowed("accounts"),
  };
}
