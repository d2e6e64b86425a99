/**
 * What is noted of a checked certificate, behind the answer: itself with the listed service that issued it, so that its
 * withdrawal can be told, and a revocation. Once for each isolate and certificate.
 */
import { fromBase64 } from "../platform/encoding.ts";
import type { Chain } from "../psp-check/check-budget.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import { findAnchors } from "../trust/anchors.ts";
import { parseCertificate } from "../x509/certificate.ts";
import { nameKey } from "../x509/name.ts";
import { noteOnce, type UnderWay } from "./noted.ts";

/** What was noted is the same a day later. */
const NOTED_MS = 86_400_000;

/**
 * Notes a check's certificate. A failure is logged only: the same certificate is noted again by another isolate, or after
 * the next start. `now`: milliseconds since 1970. Returns the note that is under way; null if it is noted already.
 */
export function noteCertificate(
  env: Pick<Env, "DB" | "KV">,
  ctx: Pick<ExecutionContext, "waitUntil">,
  shown: Chain,
  check: PspCheck,
  now: number,
): UnderWay | null {
  const { pspId } = check.psp;
  const revoked = isRevoked(check);
  if (pspId === null || !(revoked || isGranted(check))) return null;
  const key = `${shown.leaf.fingerprint}${revoked ? " revoked" : ""}`;
  return noteOnce(ctx, key, { now, lifetimeMs: NOTED_MS }, "certificate_not_noted", async () => {
    // with the issuers that were found: the sweep judges the chain without looking for them
    const chain = { ...shown, issuers: [...shown.issuers, ...check.found.flatMap(readFound)] };
    // the anchors that the check has just read, from the isolate's memory
    const names = [chain.leaf, ...chain.issuers].map(({ issuer }) => nameKey(issuer));
    const anchors = revoked ? [] : await findAnchors(env.KV, names, now);
    const { noteIssuer, noteRevocation } = await import("./certificate-notes.ts");
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

/** By an answer of its issuer; not for want of a path, which counts as revoked, too. */
const isRevoked = ({ validity, warnings }: PspCheck): boolean =>
  validity.validSignature && !validity.notRevoked && warnings.some(({ code }) => code === "certificate_revoked");
