/** The root of trust as `status` and `doctor` tell it: who may sign the list of lists, and what is to be done about it. Pure. */

import { sameBytes } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { LIST_OF_LISTS } from "../trust/anchors.ts";
import { PINNED_JOURNAL, PINNED_SIGNERS } from "../trust/lists/pinned-signers.ts";
import { type Pointer, signersFor } from "../trust/lists/scheme.ts";
import { parseCertificate } from "../x509/certificate.ts";
import { writeName } from "../x509/name.ts";
import type { ListOfLists } from "./published-list.ts";

interface Signer {
  /** RFC 4514 text. */
  readonly subject: string;
  /** ISO 8601. */
  readonly validUntil: string;
  /** SHA-256 of the certificate in hex, as the Official Journal prints it. */
  readonly sha256: string;
}

export interface RootOfTrust {
  readonly signers: readonly Signer[];
  /** Sequence number of the loaded list of lists; null if none is loaded. */
  readonly listOfLists: number | null;
  /** Signers that the loaded list of lists names for itself and that are not pinned. */
  readonly announced: readonly Signer[];
  /** Pinned signers that it names no longer: they sign nothing here that is newer, but would where nothing is loaded. */
  readonly retired: readonly Signer[];
  /** What to do; null if nothing is to be done. */
  readonly advice: string | null;
}

/** Pinned signers that are valid for less than this are worth a sentence: the next ones should be announced by then. */
const SOON_MS = 90 * 86_400_000;

interface RootOfTrustOptions {
  readonly pinned?: readonly Uint8Array[];
  /** LOTL_URL; null where it is not to be compared. */
  readonly fetchedFrom?: string | null;
}

export function readRootOfTrust(
  listOfLists: ListOfLists | null,
  now: Instant,
  { pinned = PINNED_SIGNERS, fetchedFrom = null }: RootOfTrustOptions = {},
): RootOfTrust {
  const named = listOfLists ? signersFor(listOfLists.pointers, LIST_OF_LISTS) : [];
  const without = (list: readonly Uint8Array[], others: readonly Uint8Array[]) =>
    list.filter((der) => !others.some((other) => sameBytes(other, der))).map(describe);
  const announced = without(named, pinned);
  const retired = named.length > 0 ? without(pinned, named) : [];
  const signers = pinned.map(describe);
  const last = signers
    .map(({ validUntil }) => validUntil)
    .sort()
    .at(-1);
  const ends = last === undefined || Date.parse(last) < now + SOON_MS;
  return {
    signers,
    listOfLists: listOfLists?.sequenceNumber ?? null,
    announced,
    retired,
    advice:
      advise(announced, retired, ends, last) ??
      adviseOnJournal(listOfLists?.journal) ??
      adviseOnMove(listOfLists?.pointers ?? [], fetchedFrom),
  };
}

/** PRO-4.1.4-03 and -17: a newer notice may name other signers. Who may sign is for people to compare with it. */
const adviseOnJournal = (journal: string | undefined): string | null =>
  journal === undefined || journal === PINNED_JOURNAL
    ? null
    : `The list of lists names a notice of the Official Journal, ${journal}, and the pinned signers are by another, ${PINNED_JOURNAL}. Compare them with it (${PINS}) and deploy`;

/** PRO-4.1.4-05 and -16. A mirror of the operator's own is where it was set to be. */
function adviseOnMove(pointers: readonly Pointer[], fetchedFrom: string | null): string | null {
  const own = pointers.find(({ territoryOnList }) => territoryOnList === LIST_OF_LISTS)?.location;
  const isPublishers = fetchedFrom !== null && URL.parse(fetchedFrom)?.hostname.endsWith(".europa.eu") === true;
  return own === undefined || !isPublishers || own === fetchedFrom
    ? null
    : `The list of lists says that it is published at ${own}, and LOTL_URL is ${fetchedFrom}: set it and deploy`;
}

function describe(der: Uint8Array): Signer {
  const { subject, notAfter, fingerprint } = parseCertificate(der);
  return { subject: writeName(subject), validUntil: new Date(notAfter).toISOString(), sha256: fingerprint };
}

const PINS = "src/trust/lists/pinned-signers.ts";
const BY_HAND = "trust import eu-lotl.xml --pivot PIVOT.xml";

function advise(
  announced: readonly Signer[],
  retired: readonly Signer[],
  ends: boolean,
  last: string | undefined,
): string | null {
  if (announced.length > 0)
    return `The list of lists names ${announced.length} signers that are not pinned. Check them against the Official Journal of the EU, put them into ${PINS} and deploy. Until then the refresh takes what they sign, and follows the pivots; by hand: ${BY_HAND}`;
  if (retired.length > 0)
    return `${retired.length} pinned signers are no longer named by the list of lists. They sign nothing here any more, but could where no list of lists is loaded: check them against the Official Journal of the EU, take them out of ${PINS} and deploy`;
  if (ends)
    return `The last pinned signer is valid until ${last ?? "never"}. Look for the next ones in the Official Journal of the EU and put them into ${PINS}`;
  return null;
}
