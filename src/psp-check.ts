/**
 * The PSP check: everything that the service finds out about a certificate and its PSP, in one parallel round of reads.
 * GET /v1/psp/eidas answers it, the endpoints where a PSP authenticates decide by it, the command line prints it.
 */

import { findAnchors, type KnownAnchor } from "./eidas/known-anchors.ts";
import { type PspIdentity, readPsp } from "./eidas/psd2.ts";
import type { ListedAnchor } from "./eidas/trust.ts";
import { checkValidity, type Validity } from "./eidas/validity.ts";
import { heapBytes } from "./heap-bytes.ts";
import { Memory, memoryKey } from "./memory.ts";
import { MEMORY_SHARES } from "./memory-shares.ts";
import { findRegister } from "./registers/known-registers.ts";
import type { RegisterReading } from "./registers/reading.ts";
import { type CachedRevocation, checkRevocation, readRevocationCache } from "./revocation/revocation.ts";
import { reach } from "./store-error.ts";
import type { Certificate } from "./x509/certificate.ts";
import { nameKey } from "./x509/names.ts";

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
  /** The listed service that the path ends at; null when there is none. */
  readonly anchor: ListedAnchor | null;
  /** null when the certificate holds no authorisation number, and so no home. */
  readonly home: RegisterReading | null;
  /** null when no other jurisdiction than home was asked about. */
  readonly host: RegisterReading | null;
  /** Milliseconds since 1970: from then on the check is made again. How old a register is by then, the answer says. */
  readonly expiresAt: number;
}

export type CheckEnv = Pick<Env, "KV">;

/** What the stores hold on a certificate's issuers and its revocation. */
interface Holdings {
  readonly anchors: readonly KnownAnchor[];
  readonly cached: CachedRevocation;
}

/** What the stores hold on a certificate and its PSP, not judged yet. */
interface Readings extends Holdings {
  readonly psp: PspIdentity;
  readonly home: RegisterReading | null;
  readonly host: RegisterReading | null;
}

/** A reading for one certificate that was begun before it was known who asks. */
export interface ReadAhead {
  /** The certificate's fingerprint. */
  readonly leaf: string;
  readonly readings: Promise<Readings>;
}

/** By jurisdiction and chain. Exported for the test that fills it. */
export const knownChecks = new Memory<PspCheck>(MEMORY_SHARES.checks, heapBytes);

const checkKey = (chain: string, jurisdiction: string | null) => `${jurisdiction ?? "home"} ${chain}`;

/** Names the certificates of a chain in their order: the same key is the same chain. */
export const chainKey = ({ leaf, issuers }: Chain): string =>
  memoryKey([leaf, ...issuers].map(({ fingerprint }) => fingerprint).join(" "));

/** The check of a chain that was made a moment ago, by its {@link chainKey}. */
export const recallCheck = (chain: string, jurisdiction: string | null, now: number): PspCheck | null =>
  knownChecks.get(checkKey(chain, jurisdiction), now) ?? null;

/** Begins to read for a certificate alone, without its issuers. When nobody asks for the result, its failure is unseen. */
export function readAhead(kv: KVNamespace, leaf: Certificate, jurisdiction: string | null, now: number): ReadAhead {
  const readings = readStores(kv, { leaf, issuers: [] }, jurisdiction, now);
  readings.catch(() => {});
  return { leaf: leaf.fingerprint, readings };
}

/**
 * One parallel round of reads: every key is known from the certificates and the jurisdiction. What the isolate remembers
 * of the QTSP, its CRL and the PSP is not read again.
 */
async function readStores(
  kv: KVNamespace,
  { leaf, issuers }: Chain,
  jurisdiction: string | null,
  now: number,
): Promise<Readings> {
  const psp = readPsp(leaf);
  const { authNumber, homeCountry } = psp;
  const register = (country: string | null) =>
    country !== null && authNumber !== null ? findRegister(kv, country, authNumber, now) : null;
  const [holdings, home, host] = await Promise.all([
    readHoldings(kv, [leaf, ...issuers], now),
    register(homeCountry),
    jurisdiction === homeCountry ? null : register(jurisdiction),
  ]);
  return { ...holdings, psp, home, host };
}

async function readHoldings(kv: KVNamespace, certificates: readonly Certificate[], now: number): Promise<Holdings> {
  const names = certificates.map(({ issuer }) => nameKey(issuer));
  const [anchors, cached] = await Promise.all([
    reach("KV", () => findAnchors(kv, names, now)),
    reach("KV", () => readRevocationCache(kv, certificates, now)),
  ]);
  return { anchors, cached };
}

/** What was begun for the leaf, with what the issuers need beside it. */
async function completeReading(
  kv: KVNamespace,
  issuers: readonly Certificate[],
  ahead: ReadAhead,
  now: number,
): Promise<Readings> {
  const [begun, more] = await Promise.all([ahead.readings, issuers.length > 0 ? readHoldings(kv, issuers, now) : null]);
  if (!more) return begun;
  return {
    ...begun,
    // an issuer may bear the name of the leaf's own: its anchors are here already
    anchors: [...new Set([...begun.anchors, ...more.anchors])],
    cached: new Map([...begun.cached, ...more.cached]),
  };
}

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
  return {
    psp,
    validity: verdict.validity,
    warnings: [...verdict.warnings, ...psp.warnings],
    anchor: verdict.anchor,
    home,
    host,
    expiresAt: Math.min(now + SEEN_SECONDS * 1000, verdict.validUntil),
  };
}
