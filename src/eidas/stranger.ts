/**
 * Whose certificate is sent first. A TLS client proves that it holds the key of the first certificate that it sends, and
 * of no other (RFC 8446 section 4.4.2); a proxy forwards them all. So whoever sends a certificate of its own and after it
 * a PSP's, which is public, is a stranger to that PSP. A chain from the CA down is told apart by its signatures: nobody
 * else has the key of a CA that issued the PSP's certificate. The certificates between them have to be those of the path
 * to a listed service, or listed themselves: anybody can make another one for the public key of the PSP's CA.
 *
 * Of certificates that are joined by commas each may be what a proxy added to the client's own header: a stranger's, who
 * sent a PSP's in that header. As a proxy that does not verify it takes any certificate, it may say that it is a CA's.
 */
import type { Certificate } from "../x509/certificate.ts";
import { buildPath, type PathFailure, type PathResult } from "../x509/path.ts";
import type { PathBudget } from "../x509/path-budget.ts";

export interface SentBefore {
  readonly leaf: Certificate;
  /** What was sent before the leaf, or all that was joined to it by commas. */
  readonly suspects: readonly Certificate[];
  readonly joined: boolean;
  /** The leaf's path to a trust anchor. */
  readonly built: PathResult;
  readonly anchors: readonly Certificate[];
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly budget: PathBudget;
}

/**
 * Null if signatures lead from the leaf to each suspect, whose rules and period are not asked here, or if there is no
 * path to rely on; else why the leaf is not relied on.
 */
export async function findStranger({
  leaf,
  suspects,
  joined,
  built,
  anchors,
  now,
  budget,
}: SentBefore): Promise<PathFailure | null> {
  if (!built.ok && !built.anchored) return null;
  const issuers = [...anchors, ...built.path.slice(1)];
  for (const suspect of suspects) {
    // signatures of the path have been verified
    if (built.path.some(({ fingerprint }) => fingerprint === suspect.fingerprint)) continue;
    const proven = await buildPath({ leaf, issuers, anchors: [suspect], now, budget });
    if (proven.ok || proven.anchored) continue;
    const message = proven.reason === "budget" ? proven.message : joined ? JOINED : FIRST;
    return { ...proven, reason: "rule", at: suspect, message, path: [] };
  }
  return null;
}

const FIRST = "the certificate that was sent first is neither the PSP's nor one of its issuers': send the PSP's first";
const JOINED =
  "of the certificates that are joined by commas one is neither the PSP's nor one of its issuers': send no other";
