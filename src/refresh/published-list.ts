/**
 * A published trusted list into KV: verified against what is loaded, stored, and its refusal recorded where `status`
 * finds it. The operator's command and the scheduled refresh both come through here.
 */

import type { KeyValueStore } from "../key-value-store.ts";
import type { AnchorReader, TrustList } from "../trust/anchors.ts";
import { listTrustLists } from "../trust/anchors.ts";
import { importTrustList, type TrustImport } from "../trust/trust-import.ts";
import { TRUSTED_LIST_SOURCE, type TrustedList } from "../trusted-lists/list.ts";
import { LIST_MIME_TYPE, type Pointer } from "../trusted-lists/pointers.ts";
import type { Refusal } from "../trusted-lists/refusal.ts";
import { takeTrustedList } from "../trusted-lists/take.ts";

/** The territory of the list of lists. */
export const LIST_OF_LISTS = "EU";
const LIST_OF_LISTS_KEY = "trust/list-of-lists";

/** What the loaded list of lists says of the national ones. */
export interface ListOfLists {
  readonly sequenceNumber: number;
  /** Those to lists that a machine reads. */
  readonly pointers: readonly Pointer[];
}

export type TrustStore = KeyValueStore &
  AnchorReader & { list(options: { prefix: string }): Promise<{ keys: { name: string }[] }> };

export interface TakePublishedList {
  readonly bytes: Uint8Array;
  /** Oldest first; only for a list of lists that no pinned certificate signed. */
  readonly pivots?: readonly Uint8Array[];
  /** The territory that it was asked for, ISO; another's list is refused. */
  readonly expected?: string;
  readonly now: number;
  /** See importTrustList. */
  readonly maxWrites?: number;
}

export type PublishedList =
  | { readonly ok: true; readonly list: TrustedList; readonly stale: boolean; readonly counts: TrustImport }
  | (Omit<Refusal, "reason"> & { readonly reason: Refusal["reason"] | "another territory" });

export const readListOfLists = (kv: Pick<KeyValueStore, "get">): Promise<ListOfLists | null> =>
  kv.get<ListOfLists>(LIST_OF_LISTS_KEY, "json");

/** Takes or refuses a list; a refused one changes nothing. `now` in milliseconds since 1970. */
export async function takePublishedList(kv: TrustStore, input: TakePublishedList): Promise<PublishedList> {
  const { bytes, pivots = [], expected, now, maxWrites } = input;
  const [listOfLists, manifests] = await Promise.all([readListOfLists(kv), listTrustLists(kv)]);
  const published = manifests.filter(({ source }) => source === TRUSTED_LIST_SOURCE);
  const loaded = new Map<string, { sequenceNumber: number }>(published.map((each) => [each.jurisdiction, each]));
  if (listOfLists) loaded.set(LIST_OF_LISTS, listOfLists);
  const taken = await takeTrustedList({
    bytes,
    pivots,
    pointers: listOfLists?.pointers ?? null,
    loaded,
    now,
  });
  if (!taken.ok) return taken;
  const { list, stale } = taken;
  if (expected !== undefined && list.territory !== expected) {
    const message = `it is the list of ${list.territory} where that of ${expected} should be`;
    return { ok: false, reason: "another territory", message };
  }
  // the pointers first: they bear their own number, so that an older list of lists is refused even if this ends here
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
