/**
 * What is noted of a checked certificate, behind the answer: the listed service that issued it, so that its withdrawal
 * can be told, and a revocation. Once for each isolate and certificate.
 */
import { clock } from "../clock.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import type { Chain } from "../psp-check/chain.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import { findAnchors } from "../trust/known-anchors.ts";
import { nameKey } from "../x509/name.ts";
import type { EventEvidence } from "./event.ts";
import { type IssuedCertificate, noteIssued } from "./issuers.ts";
import { addNotice, type Notice } from "./notices.ts";

/** What was noted is the same a day later. */
const NOTED_MS = 86_400_000;

/** By certificate and what was noted of it. Exported for the test that fills it. */
export const notedCertificates = new Memory<true>(MEMORY_SHARES.notedCertificates, heapBytes);

/**
 * Notes a check's certificate. A failure is logged only: the same certificate is noted again by another isolate, or after
 * the next start. `now`: milliseconds since 1970.
 */
export function noteCertificate(
  env: Pick<Env, "DB" | "KV">,
  ctx: Pick<ExecutionContext, "waitUntil">,
  chain: Chain,
  check: PspCheck,
  now: number,
): void {
  const { pspId } = check.psp;
  const revoked = isRevoked(check);
  if (pspId === null || (!revoked && check.evidence.anchor === null)) return;
  const key = `${chain.leaf.fingerprint}${revoked ? " revoked" : ""}`;
  if (notedCertificates.get(key, now)) return;
  notedCertificates.set(key, true, now + NOTED_MS, now);
  const note = async () => {
    // the answer is on its way first
    await clock.wait(0);
    if (revoked) return await addNotice(env.DB, describeRevocation(chain, check, pspId), now);
    const issued = await findIssued(env.KV, chain, check, pspId, now);
    if (issued) await noteIssued(env.DB, issued);
  };
  ctx.waitUntil(
    note().catch((error: unknown) => {
      notedCertificates.delete(key);
      console.error(JSON.stringify({ event: "certificate_not_noted", error: String(error) }));
    }),
  );
}

/** By an answer of its issuer; not for want of a path, which counts as revoked, too. */
const isRevoked = ({ validity, warnings }: PspCheck): boolean =>
  validity.validSignature && !validity.notRevoked && warnings.some(({ code }) => code === "certificate_revoked");

function describeRevocation({ leaf }: Chain, { evidence }: PspCheck, pspId: string): Notice {
  const certificate: EventEvidence = { document: "certificate", sha256: leaf.fingerprint };
  const proofs = evidence.revocation.map(({ source, sha256 }) => ({ document: source, sha256 }));
  const about = { certificate: leaf.fingerprint };
  return {
    id: `revoked ${leaf.fingerprint}`,
    type: "psp.certificate_revoked",
    subject: pspId,
    pspId,
    country: null,
    news: {
      before: { ...about, revoked: false },
      after: { ...about, revoked: true },
      evidence: [certificate, ...proofs],
    },
  };
}

/** The anchors were read for the check, so that they are in the isolate's memory. */
async function findIssued(
  kv: KVNamespace,
  { leaf, issuers }: Chain,
  { evidence }: PspCheck,
  pspId: string,
  now: number,
): Promise<IssuedCertificate | null> {
  const names = [leaf, ...issuers].map(({ issuer }) => nameKey(issuer));
  const path = new Set(evidence.path.map(({ sha256 }) => sha256));
  const issuing = (await findAnchors(kv, names, now)).find(
    ({ listed, certificate }) =>
      path.has(certificate.fingerprint) &&
      listed.source === evidence.anchor?.source &&
      listed.jurisdiction === evidence.anchor.jurisdiction &&
      listed.serviceName === evidence.anchor.serviceName,
  );
  if (!issuing) return null;
  const { source, jurisdiction, serviceName } = issuing.listed;
  return {
    pspId,
    anchor: issuing.certificate.fingerprint,
    anchorName: nameKey(issuing.certificate.subject),
    source,
    jurisdiction,
    serviceName,
    certificate: leaf.fingerprint,
    notAfter: leaf.notAfter,
  };
}
