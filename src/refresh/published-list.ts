/**
 * Verifies a published trusted list against the loaded ones and stores it in KV. Used by the operator's command and by
 * the scheduled refresh.
 */

import type { KeyValueStore } from "../key-value-store.ts";
import { type AnchorReader, listTrustLists, type TrustList } from "../trust/anchors.ts";
import { importTrustList, type TrustImport } from "../trust/trust-import.ts";
import { acceptTrustedList, type LoadedIssue } from "../trusted-lists/accept.ts";
import type { TrustedList } from "../trusted-lists/list.ts";
import { TRUSTED_LIST_SOURCE } from "../trusted-lists/loaded-list.ts";
import { LIST_MIME_TYPE, type Pointer } from "../trusted-lists/pointers.ts";
import type { Refusal } from "../trusted-lists/refusal.ts";

/** The territory of the list of lists. */
export const LIST_OF_LISTS = "EU";
const LIST_OF_LISTS_KEY = "trust/list-of-lists";

/** The pointers to national lists in the loaded list of lists. */
export interface ListOfLists {
  readonly sequenceNumber: number;
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
  /** Milliseconds since 1970. */
  readonly now: number;
  /** See importTrustList. */
  readonly maxWrites?: number;
}

export type PublishedList =
  | { readonly ok: true; readonly list: TrustedList; readonly stale: boolean; readonly counts: TrustImport }
  | (Omit<Refusal, "reason"> & { readonly reason: Refusal["reason"] | "another territory" });

export const readListOfLists = (kv: Pick<KeyValueStore, "get">): Promise<ListOfLists | null> =>
  kv.get<ListOfLists>(LIST_OF_LISTS_KEY, "json");

/** Accepts or refuses a list. Nothing is written for a refused list. */
export async function acceptPublishedList(kv: TrustStore, input: PublishedListInput): Promise<PublishedList> {
  const { bytes, listOfLists, pivots = [], expected, now, maxWrites } = input;
  const published = (await listTrustLists(kv)).filter(({ source }) => source === TRUSTED_LIST_SOURCE);
  const loaded = new Map<string, LoadedIssue>(published.map((each) => [each.jurisdiction, each]));
  if (listOfLists) loaded.set(LIST_OF_LISTS, listOfLists);
  const accepted = await acceptTrustedList({
    bytes,
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
  // pointers first: they contain the sequence number, so an older list of lists is refused even if the import fails
  if (list.kind === "list of lists") await storeListOfLists(kv, list);
  return { ok: true, list, stale, counts: await importTrustList(kv, toTrustList(list), now, maxWrites) };
}

async function storeListOfLists(kv: KeyValueStore, { sequenceNumber, pointers }: TrustedList): Promise<void> {
  const readable = pointers.filter(({ mimeType }) => mimeType === LIST_MIME_TYPE);
  await kv.put(LIST_OF_LISTS_KEY, JSON.stringify({ sequenceNumber, pointers: readable } satisfies ListOfLists));
}

const toTrustList = ({ territory, sequenceNumber, issued, nextUpdate, services, anchors }: TrustedList): TrustList => ({
  source: TRUSTED_LIST_SOURCE,
  jurisdiction: territory,
  sequenceNumber,
  issuedAt: issued,
  nextUpdate,
  services,
  anchors: [...anchors],
});
