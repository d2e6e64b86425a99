/**
 * Whose certificate is sent first. A TLS client proves to hold the key of the first only (RFC 8446 section 4.4.2), and
 * a proxy forwards all: whoever sends its own before a PSP's is a stranger to that PSP. Those before the leaf have to
 * be on its path by their signatures, and those between on the path to a listed service, since anybody can make another
 * for a public key. Of certificates joined by commas each may be what a proxy added to the client's own header.
 */
import type { Instant } from "../platform/instant.ts";
import type { Certificate } from "../x509/certificate.ts";
import { buildPath, type PathFailure, type PathResult } from "../x509/path.ts";
import type { PathBudget } from "../x509/path-budget.ts";

export interface SentBefore {
  readonly leaf: Certificate;
  /** What was sent before the leaf, or all that was joined to it by commas. */
  readonly suspects: readonly Certificate[];
  readonly joined: boolean;
  readonly built: PathResult;
  readonly anchors: readonly Certificate[];
  readonly now: Instant;
  readonly budget: PathBudget;
}

/** Null if signatures lead from the leaf to each suspect, or if there is no path; else why the leaf is not accepted. */
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
