/**
 * What requests show and events tell of later: a checked certificate with the listed service that issued it, a revocation, that
 * an institution has met a PSP, and what it knows of it when it grants it something. It is stored after the response, once
 * for each isolate.
 */
import type { Client } from "../grants/client.ts";
import { databaseOf, type Placed } from "../institutions/databases.ts";
import { fromBase64 } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { memoryOf } from "../platform/memory.ts";
import type { Chain } from "../psp-check/check-budget.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import { findAnchors } from "../trust/anchors.ts";
import { parseCertificate } from "../x509/certificate.ts";
import { nameKey } from "../x509/name.ts";
import { readMetStanding, SEEN_AGAIN_MS } from "./met-standing.ts";

/** By certificate and whether it was revoked; by institution and PSP; by institution and what it was shown. */
const observed = memoryOf<true>("observations");

/** Milliseconds after which a write that never ended, because its request was cancelled, is tried again. */
const WRITE_TIMEOUT_MS = 60_000;

/** An observation that is being stored after the response. */
export interface UnderWay {
  /** Does not reject. */
  readonly done: Promise<void>;
}

/** When, and for how many milliseconds from then on it is not stored again. */
interface ObservationTime {
  readonly now: Instant;
  readonly lifetimeMs: number;
}

/**
 * Stores an observation, unless the isolate has stored it: then null. A failure is logged as `failure` only, and the next
 * occasion stores it.
 */
function storeOnce(
  ctx: Pick<ExecutionContext, "waitUntil">,
  key: string,
  { now, lifetimeMs }: ObservationTime,
  failure: string,
  write: () => Promise<void>,
): UnderWay | null {
  if (observed.get(key, now)) return null;
  observed.set(key, true, now + WRITE_TIMEOUT_MS, now);
  const done = write().then(
    () => observed.set(key, true, now + lifetimeMs, now),
    (error: unknown) => {
      observed.delete(key);
      console.error(JSON.stringify({ event: failure, error: String(error) }));
    },
  );
  ctx.waitUntil(done);
  return { done };
}

/** What was stored is the same a day later. */
const CERTIFICATE_REMEMBERED_MS = 86_400_000;

/**
 * Stores a check's certificate, or that it is revoked. A failure is logged only: another isolate stores it, or this one after
 * its next start. Null if it is stored already.
 */
export function observeCertificate(
  env: Pick<Env, "DB" | "KV">,
  ctx: Pick<ExecutionContext, "waitUntil">,
  shown: Chain,
  check: PspCheck,
  now: Instant,
): UnderWay | null {
  const { pspId } = check.psp;
  const revoked = isRevoked(check);
  if (pspId === null || !(revoked || isGranted(check))) return null;
  const key = `${shown.leaf.fingerprint}${revoked ? " revoked" : ""}`;
  return storeOnce(ctx, key, { now, lifetimeMs: CERTIFICATE_REMEMBERED_MS }, "certificate_not_noted", async () => {
    // with the issuers that were found: the sweep judges the chain without looking for them
    const chain = { ...shown, issuers: [...shown.issuers, ...check.foundIssuers.flatMap(readFound)] };
    // the anchors that the check has just read, from the isolate's memory
    const names = [chain.leaf, ...chain.issuers].map(({ issuer }) => nameKey(issuer));
    const anchors = revoked ? [] : await findAnchors(env.KV, names, now);
    const { addRevocationNotice, storeIssuer } = await import("./observed-facts.ts");
    if (revoked) await addRevocationNotice(env.DB, chain, check, pspId, now);
    else await storeIssuer(env.DB, chain, anchors, check, pspId, now);
  });
}

const readFound = (base64: string) => {
  const der = fromBase64(base64);
  return der ? [parseCertificate(der)] : [];
};

/** Its issuer was entitled to issue it, and it has not ended: of others there is nothing to lose. */
const isGranted = ({ validity }: PspCheck): boolean =>
  validity.validQTSP && validity.validSignature && validity.notExpired;

/** By an answer of its issuer; not without a path, which counts as revoked, too. */
const isRevoked = ({ validity, warnings }: PspCheck): boolean =>
  validity.validSignature && !validity.notRevoked && warnings.some(({ code }) => code === "certificate_revoked");

/** Of another instant than the request's: it says nothing of today. Checks are cached for half a minute. */
const OF_TODAY_MS = 60_000;

/**
 * Stores that the institution has met the PSP of a check, if a listed service has issued its certificate: others may say any
 * number. A failure is logged only, and the next check stores it.
 */
export function observeMetPsp(
  env: Pick<Env, "DB">,
  ctx: Pick<ExecutionContext, "waitUntil">,
  fi: Placed & { readonly id: number },
  check: PspCheck,
  now: Instant,
): void {
  const { psp, validity, certificate, home } = check;
  const { pspId } = psp;
  // as refusals are counted (evidence/ledger/traffic.ts)
  const isIssued = validity.validQTSP || validity.validSignature;
  if (pspId === null || !isIssued || Math.abs(now - check.madeAt) > OF_TODAY_MS) return;
  const found = isAccepted(check) ? "accepted" : isRevoked(check) ? "revoked" : "other";
  const standing = readMetStanding(home, now);
  const time = { now, lifetimeMs: SEEN_AGAIN_MS };
  storeOnce(ctx, `${fi.id} ${certificate} ${found} ${standing}`, time, "psp_not_noted", async () => {
    const { noteMetPsp } = await import("./met-psps.ts");
    const sight = { pspId, name: psp.pspSubjectName, standing, certificate, found, notAfter: psp.notAfter } as const;
    await noteMetPsp(databaseOf(env, fi), fi.id, sight, now);
  });
}

const isAccepted = ({ validity }: PspCheck): boolean =>
  validity.validQTSP && validity.validSignature && validity.notExpired && validity.notRevoked;

/** What a sweep has forgotten meanwhile, without interest, is stored again. */
const GRANT_REMEMBERED_MS = 3_600_000;

/**
 * Stores what is known of the PSP now. A failure is logged only: then the hourly sweep learns the PSP. `ofCertificate`: of the
 * request's certificate, if it is under way: it says who issued it.
 */
export function observeGrant(
  env: Pick<Env, "DB" | "KV">,
  ctx: Pick<ExecutionContext, "waitUntil">,
  fi: Placed & { readonly id: number },
  { pspId, home }: Pick<Client, "pspId" | "home">,
  ofCertificate: UnderWay | null,
  now: Instant,
): void {
  const key = `${fi.id} ${pspId}`;
  storeOnce(ctx, key, { now, lifetimeMs: GRANT_REMEMBERED_MS }, "standing_not_noted", async () => {
    const { storeGrantStanding } = await import("./observed-facts.ts");
    await ofCertificate?.done;
    await storeGrantStanding(env, databaseOf(env, fi), fi.id, pspId, await home, now);
  });
}
