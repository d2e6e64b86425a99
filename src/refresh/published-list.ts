/**
 * Verifies a published trusted list against the loaded ones and stores it in KV. Used by the operator's command and by
 * the scheduled refresh.
 */
import { sameBytes, toBase64 } from "../platform/encoding.ts";
import type { Instant } from "../platform/instant.ts";
import { createHash, hashBytes } from "../platform/node-crypto.ts";
import type { KeyValueStore } from "../platform/stores.ts";
import {
  type AnchorReader,
  findLater,
  type LoadedIssue,
  listTrustLists,
  TRUSTED_LIST_SOURCE,
  type TrustList,
} from "../trust/anchors.ts";
import { acceptTrustedList } from "../trust/lists/accept.ts";
import type { Refusal } from "../trust/lists/elements.ts";
import type { TrustedList } from "../trust/lists/list.ts";
import { PINNED_SIGNERS } from "../trust/lists/pinned-signers.ts";
import { LIST_MIME_TYPE, type Pointer, signersFor } from "../trust/lists/scheme.ts";
import { importTrustList, type TrustImport } from "../trust/trust-import.ts";
import { parseCertificate } from "../x509/certificate.ts";
import { writeName } from "../x509/name.ts";

/** The territory of the list of lists. */
export const LIST_OF_LISTS = "EU";
const LIST_OF_LISTS_KEY = "trust/list-of-lists";

/** The pointers to national lists in the loaded list of lists. */
export interface ListOfLists extends LoadedIssue {
  /** Fingerprint of the pinned certificates under which it was accepted. */
  readonly pins: string;
  /** SHA-256 of each certificate that was pinned when this one or an earlier one was accepted. */
  readonly pinnedSoFar: readonly string[];
  /** Only those to the XML form of a list. */
  readonly pointers: readonly Pointer[];
}

export type TrustStore = KeyValueStore &
  AnchorReader & { list(options: { prefix: string }): Promise<{ keys: { name: string }[] }> };

export interface PublishedListInput {
  readonly bytes: Uint8Array;
  /** The loaded one, as {@link readListOfLists} returns it. */
  readonly listOfLists: ListOfLists | null;
  /** Oldest first; needed only for a list of lists that is not signed with a pinned certificate. */
  readonly pivots?: readonly Uint8Array[];
  /** The expected territory, as an ISO code; a list of another territory is refused. */
  readonly expected?: string;
  /** The issue of this list that an import began with last: KV may still show one before it. */
  readonly newest?: LoadedIssue | null;
  /** Called before anything is written, with what KV may not show at once. Answers why nothing is to be written yet; null: it is. */
  readonly onAccepted?: (issue: LoadedIssue) => Promise<string | null>;
  readonly now: Instant;
  readonly maxWrites?: number;
}

export type PublishedList =
  | { readonly ok: true; readonly list: TrustedList; readonly stale: boolean; readonly counts: TrustImport }
  | (Omit<Refusal, "reason"> & { readonly reason: Refusal["reason"] | "another territory" | "unsettled" });

/**
 * Once a list of lists is accepted, the next one is by a signer that it names for itself, or by pivots from there: a pinned
 * key that it names no longer is retired. Other pins, by a release, begin anew from the Official Journal, but for the keys that were
 * pinned before and are retired: a release that leaves them among its pins does not bring them back.
 */
const fingerprintOfPins = (): string =>
  createHash("sha256")
    .update(PINNED_SIGNERS.map((der) => toBase64(der)).join())
    .digest("hex");

export const readListOfLists = (kv: Pick<KeyValueStore, "get">): Promise<ListOfLists | null> =>
  kv.get<ListOfLists>(LIST_OF_LISTS_KEY, "json");

/** Accepts or refuses a list. Nothing is written for a refused list. */
export async function acceptPublishedList(kv: TrustStore, input: PublishedListInput): Promise<PublishedList> {
  const { bytes, listOfLists, pivots = [], expected, newest, onAccepted, now, maxWrites } = input;
  const published = (await listTrustLists(kv)).filter(({ source }) => source === TRUSTED_LIST_SOURCE);
  const loaded = new Map<string, LoadedIssue>(published.map((each) => [each.jurisdiction, each]));
  if (listOfLists) loaded.set(LIST_OF_LISTS, listOfLists);
  if (expected !== undefined && newest) loaded.set(expected, findLater(newest, loaded.get(expected)));
  const named = listOfLists ? signersFor(listOfLists.pointers, LIST_OF_LISTS) : [];
  const accepted = await acceptTrustedList({
    bytes,
    ...(named.length > 0 &&
      (listOfLists?.pins === fingerprintOfPins()
        ? { pinned: named, namedBy: listOfLists }
        : { retired: findRetired(named, listOfLists) })),
    pivots,
    pointers: listOfLists?.pointers ?? null,
    loaded,
    now,
  });
  if (!accepted.ok) return accepted;
  const { list, stale } = accepted;
  if (expected !== undefined && list.territory !== expected) {
    const message = `it is the list of ${list.territory} instead of ${expected}`;
    return { ok: false, reason: "another territory", message };
  }
  const waits = (await onAccepted?.({ sequenceNumber: list.sequenceNumber, issuedAt: list.issued })) ?? null;
  if (waits !== null) return { ok: false, reason: "unsettled", message: waits };
  // pointers first: they contain the sequence number, so an older list of lists is refused even if the import fails
  if (list.kind === "list of lists") await storeListOfLists(kv, list, listOfLists);
  return { ok: true, list, stale, counts: await importTrustList(kv, toTrustList(list), now, maxWrites) };
}

/** The pinned certificates that were pinned before, and that the loaded list of lists names no longer. */
const findRetired = (named: readonly Uint8Array[], loaded: ListOfLists | null): Uint8Array[] =>
  PINNED_SIGNERS.filter(
    (der) => loaded?.pinnedSoFar.includes(fingerprint(der)) && !named.some((one) => sameBytes(one, der)),
  );

const fingerprint = (der: Uint8Array): string => hashBytes("sha256", der);

async function storeListOfLists(
  kv: KeyValueStore,
  { sequenceNumber, issued, pointers }: TrustedList,
  before: ListOfLists | null,
): Promise<void> {
  const readable = pointers.filter(({ mimeType }) => mimeType === LIST_MIME_TYPE);
  const pinnedSoFar = [...new Set([...(before?.pinnedSoFar ?? []), ...PINNED_SIGNERS.map(fingerprint)])];
  const pins = fingerprintOfPins();
  const stored: ListOfLists = { sequenceNumber, issuedAt: issued, pins, pinnedSoFar, pointers: readable };
  await kv.put(LIST_OF_LISTS_KEY, JSON.stringify(stored));
}

/** Sentences on what was left out of a list, of which `status` shows this many. */
const MOST_SKIPPED = 20;

/** The first ones, and how many more there are. */
export const nameSkipped = (skipped: readonly string[], most: number): string[] => [
  ...skipped.slice(0, most),
  ...(skipped.length > most ? [`and ${skipped.length - most} more`] : []),
];

const toTrustList = (list: TrustedList): TrustList => ({
  source: TRUSTED_LIST_SOURCE,
  jurisdiction: list.territory,
  sequenceNumber: list.sequenceNumber,
  issuedAt: list.issued,
  nextUpdate: list.nextUpdate,
  services: list.services,
  ...(list.skipped.length > 0 && { skipped: nameSkipped(list.skipped, MOST_SKIPPED) }),
  anchors: [...list.anchors],
});

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

export function readRootOfTrust(
  listOfLists: ListOfLists | null,
  now: Instant,
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
