/**
 * The PSP check: everything that the service finds out about a certificate and its PSP.
 * GET /v1/psp/eidas answers it, the endpoints where a PSP authenticates decide by it, the command line prints it.
 */

import type { PspIdentity } from "../eidas/psd2.ts";
import { checkValidity, type Validity } from "../eidas/validity.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory, memoryKey } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import type { RegisterReading } from "../registers/reading.ts";
import { checkRevocation } from "../revocation/revocation.ts";
import type { Certificate } from "../x509/certificate.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";
import { completeReading, type ReadAhead, type Readings, readStores } from "./psp-readings.ts";

/**
 * How long an isolate uses a check again. What it rests on may itself have been read half a minute before: what was
 * imported or revoked meanwhile shows within a minute, as in KV itself.
 */
const SEEN_SECONDS = 30;

/** A certificate as it was presented. */
export interface Chain {
  readonly leaf: Certificate;
  readonly issuers: readonly Certificate[];
}

export interface PspCheck {
  readonly psp: PspIdentity;
  readonly validity: Validity;
  /** A sentence for each false, then what is odd about the certificate. */
  readonly warnings: readonly string[];
  readonly evidence: Evidence;
  /** null when the certificate holds no authorisation number, and so no home. */
  readonly home: RegisterReading | null;
  /** null when no other jurisdiction than home was asked about. */
  readonly host: RegisterReading | null;
  /** Milliseconds since 1970: from then on the check is made again. How old a register is by then, the answer says. */
  readonly expiresAt: number;
}

export type CheckEnv = Pick<Env, "KV">;

/** By jurisdiction and chain. Exported for the test that fills it. */
export const knownChecks = new Memory<PspCheck>(MEMORY_SHARES.checks, heapBytes);

const checkKey = (chain: string, jurisdiction: string | null) => `${jurisdiction ?? "home"} ${chain}`;

/** Names the certificates of a chain in their order: the same key is the same chain. */
export const chainKey = ({ leaf, issuers }: Chain): string =>
  memoryKey([leaf, ...issuers].map(({ fingerprint }) => fingerprint).join(" "));

/** The check of a chain that was made a moment ago, by its {@link chainKey}. */
export const recallCheck = (chain: string, jurisdiction: string | null, now: number): PspCheck | null =>
  knownChecks.get(checkKey(chain, jurisdiction), now) ?? null;

/**
 * Checks a certificate and reads its PSP's registers as of `now`. `jurisdiction` is an ISO code in capitals, or null
 * where only the home register matters. What is out of date in the caches is refreshed behind `ctx.waitUntil`.
 * `ahead`: what was begun for this jurisdiction; it counts when it is for the leaf.
 */
export async function checkPsp(
  env: CheckEnv,
  ctx: Pick<ExecutionContext, "waitUntil">,
  chain: Chain,
  jurisdiction: string | null,
  now: number,
  ahead: ReadAhead | null = null,
): Promise<PspCheck> {
  const key = chainKey(chain);
  const remembered = recallCheck(key, jurisdiction, now);
  if (remembered) return remembered;
  const readings = await (ahead?.leaf === chain.leaf.fingerprint
    ? completeReading(env.KV, chain.issuers, ahead, now)
    : readStores(env.KV, chain, jurisdiction, now));
  // a copy: part of a text keeps the whole alive, and a warning may quote a certificate's
  const check = structuredClone(await judge(env, ctx, chain, readings, now));
  knownChecks.set(checkKey(key, jurisdiction), check, check.expiresAt, now);
  return check;
}

async function judge(
  env: CheckEnv,
  ctx: Pick<ExecutionContext, "waitUntil">,
  { leaf, issuers }: Chain,
  { psp, anchors, cached, home, host }: Readings,
  now: number,
): Promise<PspCheck> {
  const revocation = (path: readonly Certificate[]) => checkRevocation({ kv: env.KV, ctx, path, cached, now });
  const verdict = await checkValidity({ leaf, issuers, claims: psp, anchors, now, revocation });
  const turns = verdict.anchor?.periods.map(({ from }) => Date.parse(from)).filter((turn) => turn > now) ?? [];
  return {
    psp,
    validity: verdict.validity,
    warnings: [...verdict.warnings, ...psp.warnings],
    evidence: gatherEvidence(verdict),
    home,
    host,
    expiresAt: Math.min(now + SEEN_SECONDS * 1000, verdict.validUntil, ...turns),
  };
}
