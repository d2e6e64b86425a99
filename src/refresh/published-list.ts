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
  LIST_OF_LISTS,
  type LoadedIssue,
  listTrustLists,
  TRUSTED_LIST_SOURCE,
  type TrustList,
  type TrustListManifest,
} from "../trust/anchors.ts";
import { acceptTrustedList } from "../trust/lists/accept.ts";
import type { Refusal } from "../trust/lists/elements.ts";
import type { TrustedList } from "../trust/lists/list.ts";
import { PINNED_SIGNERS } from "../trust/lists/pinned-signers.ts";
import { LIST_MIME_TYPE, type Pointer, signersFor } from "../trust/lists/scheme.ts";
import { importTrustList, type TrustImport } from "../trust/trust-import.ts";

const LIST_OF_LISTS_KEY = "trust/list-of-lists";

/** The pointers to national lists in the loaded list of lists. */
export interface ListOfLists extends LoadedIssue {
  /** Fingerprint of the pinned certificates under which it was accepted. */
  readonly pins: string;
  /** SHA-256 of each certificate that was pinned when this one or an earlier one was accepted. */
  readonly pinnedSoFar: readonly string[];
  /** Only those to the XML form of a list. */
  readonly pointers: readonly Pointer[];
  /** Address of the newest notice of the Official Journal that it names; absent where it names none. */
  readonly journal?: string;
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
  | {
      readonly ok: true;
      readonly list: TrustedList;
      readonly stale: boolean;
      /** The number of the issue before, where it is higher. */
      readonly fellFrom: number | undefined;
      readonly counts: TrustImport;
    }
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
  const manifests = new Map(published.map((each) => [each.jurisdiction, each]));
  const loaded = new Map<string, LoadedIssue>(manifests);
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
  const fellFrom = findFall(list, manifests.get(list.territory));
  return {
    ok: true,
    list,
    stale,
    fellFrom,
    counts: await importTrustList(kv, toTrustList(list, fellFrom), now, maxWrites),
  };
}

/**
 * TS 119 612 section 5.3.2 lets a number never fall. One that does is taken if it was issued later ({@link isOlder}), and is
 * told until the next issue.
 */
const findFall = (
  { sequenceNumber, issued }: TrustedList,
  before: TrustListManifest | undefined,
): number | undefined => {
  if (before && before.sequenceNumber > sequenceNumber) return before.sequenceNumber;
  return before?.sequenceNumber === sequenceNumber && before.issuedAt === issued ? before.fellFrom : undefined;
};

/** The pinned certificates that were pinned before, and that the loaded list of lists names no longer. */
const findRetired = (named: readonly Uint8Array[], loaded: ListOfLists | null): Uint8Array[] =>
  PINNED_SIGNERS.filter(
    (der) => loaded?.pinnedSoFar.includes(fingerprint(der)) && !named.some((one) => sameBytes(one, der)),
  );

const fingerprint = (der: Uint8Array): string => hashBytes("sha256", der);

async function storeListOfLists(
  kv: KeyValueStore,
  { sequenceNumber, issued, pointers, journal }: TrustedList,
  before: ListOfLists | null,
): Promise<void> {
  const readable = pointers.filter(({ mimeType }) => mimeType === LIST_MIME_TYPE);
  const pinnedSoFar = [...new Set([...(before?.pinnedSoFar ?? []), ...PINNED_SIGNERS.map(fingerprint)])];
  const pins = fingerprintOfPins();
  const stored: ListOfLists = {
    ...{ sequenceNumber, issuedAt: issued, pins, pinnedSoFar, pointers: readable },
    ...(journal !== null && { journal }),
  };
  await kv.put(LIST_OF_LISTS_KEY, JSON.stringify(stored));
}

/** Sentences on what was left out of a list, of which `status` shows this many. */
const MOST_SKIPPED = 20;

/** The first ones, and how many more there are. */
export const nameSkipped = (skipped: readonly string[], most: number): string[] => [
  ...skipped.slice(0, most),
  ...(skipped.length > most ? [`and ${skipped.length - most} more`] : []),
];

const toTrustList = (list: TrustedList, fellFrom: number | undefined): TrustList => ({
  source: TRUSTED_LIST_SOURCE,
  jurisdiction: list.territory,
  sequenceNumber: list.sequenceNumber,
  issuedAt: list.issued,
  nextUpdate: list.nextUpdate,
  services: list.services,
  ...(list.skipped.length > 0 && { skipped: nameSkipped(list.skipped, MOST_SKIPPED) }),
  ...(list.remarks.length > 0 && { remarks: nameSkipped(list.remarks, MOST_SKIPPED) }),
  ...(fellFrom !== undefined && { fellFrom }),
  anchors: [...list.anchors],
});
