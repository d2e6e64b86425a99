/** CRLs that a path case brings along: each certificate but the anchor must be on none, and covered by one. */

import { parseCrl } from "../../src/revocation/crl.ts";
import { checkCrl } from "../../src/revocation/crl-check.ts";
import type { Certificate } from "../../src/x509/certificate.ts";
import { DerError } from "../../src/x509/der.ts";
import { sameName } from "../../src/x509/name.ts";
import { buildPath } from "../../src/x509/path.ts";

interface PathMaterial {
  readonly issuers: readonly Certificate[];
  readonly anchors: readonly Certificate[];
  readonly now: number;
}

/** Certificates that sign CRLs have CRLs of their own, and so on; PKITS needs one level. */
const MAX_SIGNER_DEPTH = 2;

/** What is wrong by these CRLs, or null when every certificate is good. */
export async function findRevocationProblem(
  path: readonly Certificate[],
  crls: readonly Uint8Array[],
  material: PathMaterial,
  depth = 0,
): Promise<string | null> {
  for (const [i, certificate] of path.entries()) {
    const issuer = path[i + 1];
    if (!issuer) return null;
    const problem = await findProblem({ certificate, issuer, crls, material, depth });
    if (problem !== null) return `revocation of ${certificate.serialNumber}: ${problem}`;
  }
  return null;
}

interface Question {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
  readonly crls: readonly Uint8Array[];
  readonly material: PathMaterial;
  readonly depth: number;
}

async function findProblem(question: Question): Promise<string | null> {
  const { certificate, issuer, crls, material } = question;
  const signers = await listSigners(question);
  const problems: string[] = [];
  let good = false;
  for (const der of crls) {
    if (!readCrl(der)) continue;
    const answer = await checkCrl({ crl: der, certificate, issuer, signers, now: material.now });
    if (answer.status === "revoked") return `revoked (${answer.reason ?? "no reason given"})`;
    if (answer.status === "good") good = true;
    else if (answer.reason !== "other-issuer") problems.push(answer.message);
  }
  return good ? null : problems.join("; ") || "no CRL covers it";
}

function readCrl(der: Uint8Array) {
  try {
    return parseCrl(der);
  } catch (error) {
    // a CRL that cannot be read covers nothing
    if (error instanceof DerError) return null;
    throw error;
  }
}

/** Other certificates of the issuer's name, each with a path of its own and itself not revoked. */
async function listSigners({ issuer, crls, material, depth }: Question): Promise<Certificate[]> {
  if (depth >= MAX_SIGNER_DEPTH) return [];
  const found: Certificate[] = [];
  for (const leaf of material.issuers) {
    if (leaf.fingerprint === issuer.fingerprint || !sameName(leaf.subject, issuer.subject)) continue;
    const result = await buildPath({ ...material, leaf });
    if (result.ok && (await findRevocationProblem(result.path, crls, material, depth + 1)) === null) found.push(leaf);
  }
  return found;
}
