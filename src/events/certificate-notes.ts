/** What certificates.ts notes, and how it is found. Loaded by the first certificate that is noted. */
import type { Chain } from "../psp-check/chain.ts";
import type { PspCheck } from "../psp-check/psp-check.ts";
import type { KnownAnchor } from "../trust/known-anchors.ts";
import type { Certificate } from "../x509/certificate.ts";
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

/** Writes which of the `anchors` issued it, if one did. `db`: the first. */
export async function noteIssuer(
  db: D1Database,
  leaf: Certificate,
  anchors: readonly KnownAnchor[],
  check: PspCheck,
  pspId: string,
): Promise<void> {
  const issued = findIssued(leaf, anchors, check, pspId);
  if (issued) await noteIssued(db, issued);
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

function findIssued(
  leaf: Certificate,
  anchors: readonly KnownAnchor[],
  { evidence }: PspCheck,
  pspId: string,
): IssuedCertificate | null {
  const path = new Set(evidence.path.map(({ sha256 }) => sha256));
  const issuing = anchors.find(
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
