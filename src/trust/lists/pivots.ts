/**
 * Follows changes of the signers of the list of lists (TS 119 615 clause 4.1). A pivot is an earlier list of lists: a
 * signer known before it signed it, and its pointer to itself names the signers after it.
 */
import type { Element } from "@xmldom/xmldom";
import { parseCertificate } from "../../x509/certificate.ts";
import { isOlder, type LoadedIssue } from "../loaded-list.ts";
import { readDocument } from "./document.ts";
import { signersFor } from "./pointers.ts";
import { answerRefusals, ListRefused } from "./refusal.ts";
import { readScheme, type Scheme } from "./scheme.ts";
import { verifyList } from "./verify.ts";

export interface FollowPivots {
  /** DER of the certificates published in the Official Journal, or named by the loaded list of lists. */
  readonly pinned: readonly Uint8Array[];
  /** Those of them that may sign the first pivot. */
  readonly believed: readonly Uint8Array[];
  /** That list of lists; null if it is the Journal. */
  readonly namedBy: LoadedIssue | null;
  /** The bytes of the pivots, oldest first. */
  readonly pivots: readonly Uint8Array[];
}

const LIST_OF_LISTS = "EU";

/**
 * Who may sign after the last pivot (DER). Pivots that lead to the first signers are passed over: what some of an
 * earlier Journal signed would make retired ones valid again.
 */
export async function followPivots({
  pinned,
  believed,
  namedBy,
  pivots,
}: FollowPivots): Promise<readonly Uint8Array[]> {
  // the Journal cannot have named the certificates before they were made
  const pinnedSince = Math.max(...pinned.map((der) => parseCertificate(der).notBefore));
  const isPast = ({ sequenceNumber, issued }: Scheme): boolean =>
    namedBy ? isOlder({ sequenceNumber, issuedAt: issued }, namedBy) : Date.parse(issued) < pinnedSince;
  let signers = believed;
  let lastSequenceNumber = 0;
  for (const bytes of pivots) {
    const verified = await answerRefusals(
      async () => ({ ok: true, ...(await verifyList(bytes, () => signers)) }) as const,
    );
    if (!verified.ok) {
      if (signers === believed && verified.reason === "unknown signer") continue;
      throw new ListRefused(verified.reason, verified.message);
    }
    const pivot = readPivot(verified.root);
    if (isPast(pivot)) continue;
    // a pivot replayed out of order would make retired signers valid again
    if (pivot.sequenceNumber <= lastSequenceNumber)
      throw new ListRefused("pivots", `pivot ${pivot.sequenceNumber} does not follow ${lastSequenceNumber}`);
    lastSequenceNumber = pivot.sequenceNumber;
    signers = signersFor(pivot.pointers, LIST_OF_LISTS);
  }
  return signers;
}

function readPivot(root: Element): Scheme {
  const scheme = readScheme(root);
  if (scheme.kind !== "list of lists") throw new ListRefused("pivots", "a pivot that is not a list of lists");
  return scheme;
}

/** Returns the URLs of the pivots that a list of lists names, newest first. The list is not verified here. Throws {@link ListRefused}. */
export function claimedPivots(bytes: Uint8Array): readonly string[] {
  const { documentElement } = readDocument(bytes);
  return documentElement ? readScheme(documentElement).pivots : [];
}
