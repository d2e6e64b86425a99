/** Accepts a published trusted list, or refuses it with a reason: TS 119 615 clauses 4.1 and 4.2. Pure. */

import type { Element } from "@xmldom/xmldom";
import { sameBytes } from "../../platform/encoding.ts";
import type { Instant } from "../../platform/instant.ts";
import { parseCertificate } from "../../x509/certificate.ts";
import {
  isOlder,
  isStale,
  LIST_OF_LISTS,
  LONGEST_ISSUE_MS,
  type LoadedIssue,
  TRUSTED_LIST_SOURCE,
} from "../anchors.ts";
import { readDocument } from "./document.ts";
import { answerRefusals, ListRefused, type Refusal } from "./elements.ts";
import { readList, type TrustedList } from "./list.ts";
import { PINNED_SIGNERS } from "./pinned-signers.ts";
import { type Pointer, readScheme, readTerritory, type Scheme, signersFor } from "./scheme.ts";
import { type VerifiedList, verifyList } from "./verify.ts";

export interface TrustedListInput {
  readonly bytes: Uint8Array;
  /** DER of the certificates that may sign the list of lists or its first pivot. */
  readonly pinned?: readonly Uint8Array[];
  /** The loaded list of lists, if it is the one that names these; null if the Official Journal does. */
  readonly namedBy?: LoadedIssue | null;
  /** Of `pinned` those that a list of lists was known to name no longer: they sign nothing. */
  readonly retired?: readonly Uint8Array[];
  /** Pivots, oldest first. Used if no pinned certificate signed the list of lists. */
  readonly pivots?: readonly Uint8Array[];
  /** Pointers of the loaded list of lists. Null if none is loaded; then only the list of lists is accepted. */
  readonly pointers: readonly Pointer[] | null;
  /** The loaded lists by ISO territory ("EU" for the list of lists). */
  readonly loaded: ReadonlyMap<string, LoadedIssue>;
  readonly now: Instant;
}

export interface AcceptedList {
  readonly ok: true;
  readonly list: TrustedList;
  /** {@link isStale}. It is accepted, but every answer based on it says that it is stale. */
  readonly stale: boolean;
}

/** Verifies and reads one list. A refusal does not change what is loaded. */
export function acceptTrustedList(input: TrustedListInput): Promise<AcceptedList | Refusal> {
  return answerRefusals(async () => {
    const list = readList(await verify(input));
    refuseEndless(list);
    refuseFuture(list, input.now);
    refuseOlder(list, input.loaded);
    const { nextUpdate, caQcGranted: granted } = list;
    return { ok: true, list, stale: isStale({ source: TRUSTED_LIST_SOURCE, nextUpdate, granted }, input.now) };
  });
}

async function verify(input: TrustedListInput) {
  const { bytes, pinned = PINNED_SIGNERS, namedBy = null, pivots = [], pointers } = input;
  const believed = namedBy ? pinned : pinned.filter((der) => mayBegin(der, input));
  try {
    return await verifyList(bytes, (root) => permitted(readTerritory(root), believed, pointers));
  } catch (error) {
    const unknownSigner = error instanceof ListRefused && error.reason === "unknown signer";
    if (!unknownSigner || pivots.length === 0) throw error;
    return await verifyByPivots(bytes, { pinned, believed, namedBy, pivots });
  }
}

const DAY_MS = 86_400_000;

/**
 * Rule: where no list of lists names the next signers, none counts that was retired, or whose certificate ended before
 * what it signed must have been replaced. The signing time is the signer's own word.
 */
const mayBegin = (der: Uint8Array, { retired = [], now }: TrustedListInput): boolean =>
  parseCertificate(der).notAfter + LONGEST_ISSUE_MS >= now && !retired.some((one) => sameBytes(one, der));

/** Rule: the signers of the list of lists are pinned; those of any other list come from its pointer. */
function permitted(
  territory: string,
  pinned: readonly Uint8Array[],
  pointers: readonly Pointer[] | null,
): readonly Uint8Array[] {
  if (territory === LIST_OF_LISTS) return pinned;
  if (!pointers) throw new ListRefused("no list of lists", "load the list of trusted lists first");
  const signers = signersFor(pointers, territory);
  if (signers.length === 0)
    throw new ListRefused("unknown territory", `the list of lists names no list for ${territory}`);
  return signers;
}

async function verifyByPivots(bytes: Uint8Array, way: FollowPivots): Promise<VerifiedList> {
  return await verifyList(bytes, async (root) => {
    if (readTerritory(root) !== LIST_OF_LISTS) throw new ListRefused("pivots", "pivots are for the list of lists only");
    return await followPivots(way);
  });
}

/** Rule: a list of lists says when it ends, so that what it names does not count for ever (PRO-4.1.4-13). */
function refuseEndless({ kind, nextUpdate }: TrustedList): void {
  if (kind === "list of lists" && nextUpdate === null)
    throw new ListRefused("content", "a list of lists without nextUpdate: it would be the last");
}

/** Rule: a list is not issued later than tomorrow, or a date by mistake would make each list after it an older one. */
function refuseFuture({ issued }: TrustedList, now: Instant): void {
  if (Date.parse(issued) > now + DAY_MS) throw new ListRefused("content", `it is issued in the future: ${issued}`);
}

/** Rule: {@link isOlder}. The same issue may be loaded again. */
function refuseOlder({ territory, sequenceNumber, issued }: TrustedList, loaded: TrustedListInput["loaded"]): void {
  const before = loaded.get(territory);
  if (before && isOlder({ sequenceNumber, issuedAt: issued }, before))
    throw new ListRefused("older than loaded", `number ${sequenceNumber}, but ${before.sequenceNumber} is loaded`);
}

/** TS 119 615 clause 4.1. A pivot is an earlier list of lists, whose pointer to itself names the signers after it. */
interface FollowPivots {
  /** DER of the certificates published in the Official Journal, or named by the loaded list of lists. */
  readonly pinned: readonly Uint8Array[];
  /** Those of them that may sign the first pivot. */
  readonly believed: readonly Uint8Array[];
  /** That list of lists; null if it is the Journal. */
  readonly namedBy: LoadedIssue | null;
  readonly pivots: readonly Uint8Array[];
}

/**
 * Who may sign after the last pivot (DER). Pivots that lead to the first signers are passed over: what some of an
 * earlier Journal signed would make retired ones valid again.
 */
async function followPivots({ pinned, believed, namedBy, pivots }: FollowPivots): Promise<readonly Uint8Array[]> {
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
  return readScheme(readDocument(bytes)).pivots;
}
