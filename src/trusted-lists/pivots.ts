/**
 * How the signers of the list of lists change (TS 119 615 clause 4.1; the Commission's explanation of pivots):
 * each pivot is a past list of lists, signed by those known before it, whose pointer to itself names those after it.
 */
import type { Element } from "@xmldom/xmldom";
import { readDocument } from "./document.ts";
import { type Pointer, signersFor } from "./pointers.ts";
import { ListRefused } from "./refusal.ts";
import { readScheme } from "./scheme.ts";
import { verifyList } from "./verify.ts";

export interface FollowPivots {
  /** DER of the certificates that the Official Journal names. */
  readonly pinned: readonly Uint8Array[];
  /** The pivots' bytes, oldest first. */
  readonly pivots: readonly Uint8Array[];
}

const LIST_OF_LISTS = "EU";

/** The certificates (DER) that may sign the list of lists after the last pivot. Throws {@link ListRefused}. */
export async function followPivots({ pinned, pivots }: FollowPivots): Promise<readonly Uint8Array[]> {
  let signers = pinned;
  let lastSequenceNumber = 0;
  for (const bytes of pivots) {
    const pivot = readPivot((await verifyList(bytes, () => signers)).root);
    // a pivot replayed out of its turn would bring retired signers back
    if (pivot.sequenceNumber <= lastSequenceNumber)
      throw new ListRefused("pivots", `pivot ${pivot.sequenceNumber} does not follow ${lastSequenceNumber}`);
    lastSequenceNumber = pivot.sequenceNumber;
    signers = signersFor(pivot.pointers, LIST_OF_LISTS);
  }
  return signers;
}

function readPivot(root: Element): { sequenceNumber: number; pointers: readonly Pointer[] } {
  const scheme = readScheme(root);
  if (scheme.kind !== "list of lists") throw new ListRefused("pivots", "a pivot that is not a list of lists");
  return scheme;
}

/** Addresses of the pivots that a list of lists claims, oldest first. Nothing of it is verified. Throws {@link ListRefused}. */
export function claimedPivots(bytes: Uint8Array): readonly string[] {
  const { documentElement } = readDocument(bytes);
  return documentElement ? readScheme(documentElement).pivots.toReversed() : [];
}
