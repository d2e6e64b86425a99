/**
 * The PSP check: everything that the service finds out about a certificate and its PSP, in one parallel round of reads.
 * GET /v1/psp/eidas answers it, the endpoints where a PSP authenticates decide by it, the command line prints it.
 */

import { findAnchors, type KnownAnchor } from "./eidas/known-anchors.ts";
import { type PspIdentity, readPsp } from "./eidas/psd2.ts";
import type { ListedAnchor } from "./eidas/trust.ts";
import { checkValidity, type Validity } from "./eidas/validity.ts";
import { Memory } from "./memory.ts";
import { findRegister } from "./registers/known-registers.ts";
import { type RegisterManifest, type RegisterMaxAges, registerAge } from "./registers/manifest.ts";
import { type RegisterMaxAgeVars, registerMaxAges } from "./registers/max-ages.ts";
import type { RegisterReading } from "./registers/reading.ts";
import { type CachedRevocation, checkRevocation, readRevocationCache } from "./revocation/revocation.ts";
import { reach } from "./store-error.ts";
import type { Certificate } from "./x509/certificate.ts";
import { nameKey } from "./x509/names.ts";

/**
 * How long an isolate answers a certificate that it has seen without judging it anew. What that rests on may itself have
 * been read half a minute before: what was imported or revoked meanwhile shows within a minute, as in KV itself.
 */
export const SEEN_SECONDS = 30;
const SEEN_ENTRIES = 2_000;

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
  /** Milliseconds since 1970: from then on the check is made anew. */
  readonly expiresAt: number;
}

export type CheckEnv = Pick<Env, "KV"> & RegisterMaxAgeVars;

/** What the stores hold on a certificate and its PSP: read in one parallel round, judged by nobody yet. */
export interface Evidence {
  readonly psp: PspIdentity;
  readonly anchors: readonly KnownAnchor[];
  readonly cached: CachedRevocation;
  readonly home: RegisterReading | null;
  readonly host: RegisterReading | null;
}

const seen = new Memory<PspCheck>(SEEN_ENTRIES);

const seenKey = ({ leaf, issuers }: Chain, jurisdiction: string | null) =>
  [jurisdiction, leaf.fingerprint, ...issuers.map((issuer) => issuer.fingerprint)].join(" ");

/**
 * The one parallel round of reads: every key is known from the certificates and the jurisdiction. What the isolate
 * remembers of the QTSP, its CRL and the PSP is not read again.
 */
export async function readEvidence(
  kv: KVNamespace,
  { leaf, issuers }: Chain,
  jurisdiction: string | null,
  now: number,
): Promise<Evidence> {
  const psp = readPsp(leaf);
  const { authNumber, homeCountry } = psp;
  const given = [leaf, ...issuers];
  const names = given.map(({ issuer }) => nameKey(issuer));
  const register = (country: string | null) =>
    country !== null && authNumber !== null ? findRegister(kv, country, authNumber, now) : null;
  const [anchors, cached, home, host] = await Promise.all([
    reach("KV", () => findAnchors(kv, names, now)),
    reach("KV", () => readRevocationCache(kv, given, now)),
    register(homeCountry),
    jurisdiction === homeCountry ? null : register(jurisdiction),
  ]);
  return { psp, anchors, cached, home, host };
}

/**
 * Checks a certificate and reads its PSP's registers as of `now`. `jurisdiction` is an ISO code in capitals, or null
 * where only the home register matters. What is out of date in the caches is refreshed behind `ctx.waitUntil`.
 * `ahead` is the evidence when its reading has already begun.
 */
export async function checkPsp(
  env: CheckEnv,
  ctx: Pick<ExecutionContext, "waitUntil">,
  chain: Chain,
  jurisdiction: string | null,
  now: number,
  ahead: Promise<Evidence> | null = null,
): Promise<PspCheck> {
  const key = seenKey(chain, jurisdiction);
  const remembered = seen.get(key, now);
  if (remembered) return remembered;
  const evidence = await (ahead ?? readEvidence(env.KV, chain, jurisdiction, now));
  const check = await judge(env, ctx, chain, evidence, now);
  seen.set(key, check, check.expiresAt);
  return check;
}

async function judge(
  env: CheckEnv,
  ctx: Pick<ExecutionContext, "waitUntil">,
  { leaf, issuers }: Chain,
  { psp, anchors, cached, home, host }: Evidence,
  now: number,
): Promise<PspCheck> {
  const { qcTypes } = psp;
  const revocation = (path: readonly Certificate[]) => checkRevocation({ kv: env.KV, ctx, path, cached, now });
  const verdict = await checkValidity({ leaf, issuers, qcTypes, anchors, now, revocation });
  const manifests = [home, host].flatMap((reading) => reading?.manifests ?? []);
  return {
    psp,
    validity: verdict.validity,
    warnings: [...verdict.warnings, ...psp.warnings],
    anchor: verdict.anchor,
    home,
    host,
    expiresAt: Math.min(
      now + SEEN_SECONDS * 1000,
      verdict.validUntil,
      ...staleFrom(manifests, registerMaxAges(env), now),
    ),
  };
}

/** When snapshots that are still fresh grow stale, and the answer a warning longer. */
const staleFrom = (manifests: readonly RegisterManifest[], maxAges: RegisterMaxAges, now: number): number[] =>
  manifests.flatMap((manifest) => {
    const limit = maxAges[manifest.source];
    const left = limit === null ? -1 : limit - registerAge(manifest, now);
    return left < 0 ? [] : [now + left + 1];
  });
