/**
 * What is noted after responses, so that events can tell of it: a checked certificate with the listed service that issued it, a
 * revocation, and what an institution knows of a PSP when it grants it something. Each thing once for each isolate.
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

/** By certificate and what was noted of it; by institution and PSP. */
const knownNotes = memoryOf<true>("notes");

/** Milliseconds after which a write that never ended, because its request was cancelled, is tried again. */
const WRITE_TIMEOUT_MS = 60_000;

/** A note that is written after the response. */
export interface UnderWay {
  /** Does not reject. */
  readonly done: Promise<void>;
}

/** When, and for how many milliseconds from then on it is not noted again. */
interface NoteTime {
  readonly now: Instant;
  readonly lifetimeMs: number;
}

/**
 * Writes a note, unless the isolate has written it: then null. A failure is logged as `failure` only, and the next occasion
 * notes it.
 */
function noteOnce(
  ctx: Pick<ExecutionContext, "waitUntil">,
  key: string,
  { now, lifetimeMs }: NoteTime,
  failure: string,
  write: () => Promise<void>,
): UnderWay | null {
  if (knownNotes.get(key, now)) return null;
  knownNotes.set(key, true, now + WRITE_TIMEOUT_MS, now);
  const done = write().then(
    () => knownNotes.set(key, true, now + lifetimeMs, now),
    (error: unknown) => {
      knownNotes.delete(key);
      console.error(JSON.stringify({ event: failure, error: String(error) }));
    },
  );
  ctx.waitUntil(done);
  return { done };
}

/** What was noted is the same a day later. */
const CERTIFICATE_NOTED_MS = 86_400_000;

/**
 * Notes a check's certificate. A failure is logged only: the same certificate is noted again by another isolate, or after
 * the next start. Returns the note that is under way; null if it is noted already.
 */
export function noteCertificate(
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
  return noteOnce(ctx, key, { now, lifetimeMs: CERTIFICATE_NOTED_MS }, "certificate_not_noted", async () => {
    // with the issuers that were found: the sweep judges the chain without looking for them
    const chain = { ...shown, issuers: [...shown.issuers, ...check.found.flatMap(readFound)] };
    // the anchors that the check has just read, from the isolate's memory
    const names = [chain.leaf, ...chain.issuers].map(({ issuer }) => nameKey(issuer));
    const anchors = revoked ? [] : await findAnchors(env.KV, names, now);
    const { noteIssuer, noteRevocation } = await import("./notes.ts");
    if (revoked) await noteRevocation(env.DB, chain, check, pspId, now);
    else await noteIssuer(env.DB, chain, anchors, check, pspId);
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

/** What a sweep has forgotten meanwhile, without interest, is noted again. */
const GRANT_NOTED_MS = 3_600_000;

/**
 * A failure is logged only: then the hourly sweep learns the PSP. `noted`: the note of the request's certificate, if it is
 * under way: it says who issued it.
 */
export function noteGrant(
  env: Pick<Env, "DB" | "KV">,
  ctx: Pick<ExecutionContext, "waitUntil">,
  fi: Placed & { readonly id: number },
  { pspId, home }: Pick<Client, "pspId" | "home">,
  noted: UnderWay | null,
  now: Instant,
): void {
  const key = `${fi.id} ${pspId}`;
  noteOnce(ctx, key, { now, lifetimeMs: GRANT_NOTED_MS }, "standing_not_noted", async () => {
    const { storeGrantStanding } = await import("./notes.ts");
    await noted?.done;
    await storeGrantStanding(env, databaseOf(env, fi), fi.id, pspId, await home, now);
  });
}
