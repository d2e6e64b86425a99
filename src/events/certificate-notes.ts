/** What certificates.ts notes, and how it is found. Loaded by the first certificate that is noted. */
import type { Chain } from "../psp-check/chain.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import { findAnchors } from "../trust/known-anchors.ts";
import { nameKey } from "../x509/name.ts";
import type { EventEvidence } from "./event.ts";
import { type IssuedCertificate, noteIssued } from "./issuers.ts";
import { addNotice, type Notice } from "./notices.ts";

/** Writes a notice of it, unless there is one. `db`: the first. `now`: milliseconds since 1970. */
export const noteRevocation = (
  db: D1Database,
  chain: Chain,
  check: PspCheck,
  pspId: string,
  now: number,
): Promise<void> => addNotice(db, describeRevocation(chain, check, pspId), now);

/** Writes which listed service issued it, if one did. `now`: milliseconds since 1970. */
export async function noteIssuer(
  env: Pick<Env, "DB" | "KV">,
  chain: Chain,
  check: PspCheck,
  pspId: string,
  now: number,
): Promise<void> {
  const issued = await findIssued(env.KV, chain, check, pspId, now);
  if (issued) await noteIssued(env.DB, issued);
}

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
