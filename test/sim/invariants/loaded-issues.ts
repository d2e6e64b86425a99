/** Which issue of each trusted list is loaded, as its manifest in KV says. */
import { TRUSTED_LIST_SOURCE, trustListKey } from "../../../src/trust/anchors.ts";
import type { KvEntry } from "../kv.ts";
import { COUNTRY, LIST_OF_LISTS } from "../signed-issues.ts";
import type { World } from "../world.ts";

export const TERRITORIES = [LIST_OF_LISTS, COUNTRY] as const;

export interface Loaded {
  readonly number: number;
  /** ISO 8601. */
  readonly issuedAt: string;
  /** It has none: the list of lists, or a list that was dropped. */
  readonly isEmpty: boolean;
}

const read = new WeakMap<KvEntry, Loaded>();

/** The same object for the same entry. */
export function readLoaded({ kv }: World, territory: string): Loaded | null {
  const entry = kv.newest(trustListKey(TRUSTED_LIST_SOURCE, territory));
  if (!entry) return null;
  const known = read.get(entry);
  if (known) return known;
  const { sequenceNumber, issuedAt, anchors } = JSON.parse(Buffer.from(entry.bytes).toString());
  const loaded = { number: sequenceNumber, issuedAt, isEmpty: anchors === 0 };
  read.set(entry, loaded);
  return loaded;
}
