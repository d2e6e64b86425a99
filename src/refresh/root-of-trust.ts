/**
 * The root of trust for people: who may sign the list of lists, until when, and whether the loaded list of lists
 * announces other signers. Only tells; trust/lists/accept.ts decides.
 */
import { sameBytes } from "../platform/encoding.ts";
import { PINNED_SIGNERS } from "../trust/lists/pinned-signers.ts";
import { signersFor } from "../trust/lists/scheme.ts";
import { parseCertificate } from "../x509/certificate.ts";
import { writeName } from "../x509/name.ts";
import { LIST_OF_LISTS, type ListOfLists } from "./published-list.ts";

interface Signer {
  /** RFC 4514 text. */
  readonly subject: string;
  /** ISO 8601. */
  readonly validUntil: string;
  /** SHA-256 of the certificate in hex, as the Official Journal prints it. */
  readonly sha256: string;
}

export interface RootOfTrust {
  /** The pinned certificates. */
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

/** `now`: milliseconds since 1970. */
export function readRootOfTrust(
  listOfLists: ListOfLists | null,
  now: number,
  pinned: readonly Uint8Array[] = PINNED_SIGNERS,
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
    advice: advise(announced, retired, ends, last),
  };
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
