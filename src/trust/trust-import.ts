/**
 * Imports a trusted list into KV: the changed anchors first, the manifest last. The keys that will change are stored
 * before. If an import is interrupted, the next one finishes it. KV may show the previous value for a minute, so a name
 * that another list has, too, is noted for that list's next refresh (isCertain).
 */

import { fromBase64 } from "../platform/encoding.ts";
import { type ImportChange, NO_CHANGE, recordChange, sumChanges } from "../platform/import-change.ts";
import type { Instant } from "../platform/instant.ts";
import { createHash } from "../platform/node-crypto.ts";
import { bulkReads, deleteNote, type KeyValueStore } from "../platform/stores.ts";
import { parseCertificate } from "../x509/certificate.ts";
import { nameKey } from "../x509/name.ts";
import {
  type AnchorReader,
  anchorsKey,
  type ListedAnchor,
  pendingTrustKey,
  type TrustAnchor,
  type TrustList,
  type TrustListManifest,
  trustListKey,
} from "./anchors.ts";

export interface TrustImport {
  readonly written: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Anchor names left for the next run because of `maxWrites`. The manifest is not replaced until none is left. */
  readonly left: number;
}

/** A Worker may have six simultaneous connections. */
const WRITES_AT_ONCE = 6;

/** Replaces one list. Throws TypeError for an anchor that is not base64, CertificateError for no certificate. */
export async function importTrustList(
  kv: KeyValueStore & AnchorReader,
  list: TrustList,
  now: Instant,
  maxWrites = Number.POSITIVE_INFINITY,
): Promise<TrustImport> {
  const { source, jurisdiction } = list;
  const pendingKey = pendingTrustKey(source, jurisdiction);
  const [before, pending] = await Promise.all([
    kv.get<TrustListManifest>(trustListKey(source, jurisdiction), "json"),
    kv.get<string[]>(pendingKey, "json"),
  ]);
  const wanted = anchorsByKey(list);
  const keys = Object.fromEntries([...wanted].map(([key, anchors]) => [key, hashOf(anchors)]));
  const unsure = new Set(pending);
  const touched = new Set([...wanted.keys(), ...Object.keys(before?.keys ?? {}), ...unsure]);
  const differing = [...touched].filter((key) => unsure.has(key) || before?.keys[key] !== keys[key]);

  const changes = await findChanges(kv, differing, list, wanted);
  const due = changes.slice(0, maxWrites);
  if (due.length > 0) await kv.put(pendingKey, JSON.stringify(differing));
  await warnOthers(kv, due);
  for (let i = 0; i < due.length; i += WRITES_AT_ONCE)
    await Promise.all(due.slice(i, i + WRITES_AT_ONCE).map((change) => write(kv, change)));

  const left = changes.length - due.length;
  const change = countNames(due);
  if (left > 0 && before) {
    const changeSoFar = sumChanges(before.changeSoFar ?? NO_CHANGE, change);
    await kv.put(trustListKey(source, jurisdiction), JSON.stringify({ ...before, changeSoFar }));
  }
  if (left === 0) {
    const manifest: TrustListManifest = {
      ...list,
      fetchedAt: new Date(now).toISOString(),
      anchors: list.anchors.length,
      granted: list.anchors.filter(({ periods }) => periods.at(-1)?.status === "granted").length,
      keys,
      ...recordChange(before, before ? change : { ...NO_CHANGE, added: wanted.size }, now),
    };
    await kv.put(trustListKey(source, jurisdiction), JSON.stringify(manifest));
    if (unsure.size > 0 || due.length > 0) await deleteNote(kv, pendingKey);
  }
  const removed = due.filter(({ removes }) => removes).length;
  return { written: due.length - removed, removed, unchanged: touched.size - changes.length, left };
}

function anchorsByKey(list: TrustList): Map<string, ListedAnchor[]> {
  const { anchors, source, jurisdiction } = list;
  const ofList = {
    listSequenceNumber: list.sequenceNumber,
    listIssuedAt: list.issuedAt,
    listNextUpdate: list.nextUpdate,
  };
  const listed = anchors.map((anchor): ListedAnchor => ({ ...anchor, source, jurisdiction, ...ofList }));
  return Map.groupBy(listed, ({ certificate }) => {
    const der = fromBase64(certificate);
    if (!der) throw new TypeError(`trust list ${source}/${jurisdiction}: an anchor is not base64`);
    return anchorsKey(nameKey(parseCertificate(der).subject));
  });
}

/** Whether no import has been interrupted, or has written beside the list's anchors, since the list was imported. */
export const isCertain = async (kv: Pick<KeyValueStore, "get">, source: string, jurisdiction: string) =>
  (await kv.get<string[]>(pendingTrustKey(source, jurisdiction), "json")) === null;

/** Before the first change: an import that is interrupted may have written it. */
async function warnOthers(kv: KeyValueStore, changes: readonly Change[]): Promise<void> {
  const shared = changes.flatMap(({ key, others }) =>
    others.map(({ source, jurisdiction }) => ({ pendingKey: pendingTrustKey(source, jurisdiction), key })),
  );
  for (const [pendingKey, names] of Map.groupBy(shared, (one) => one.pendingKey)) {
    const known = (await kv.get<string[]>(pendingKey, "json")) ?? [];
    await kv.put(pendingKey, JSON.stringify([...new Set([...known, ...names.map(({ key }) => key)])]));
  }
}

interface Change {
  readonly key: string;
  readonly others: readonly ListedAnchor[];
  /** The new value: the anchors of this list and of the others. */
  readonly anchors: readonly ListedAnchor[];
  /** This list no longer has an anchor of this name. */
  readonly removes: boolean;
  /** Null: nothing but the number and dates of the list. */
  readonly kind: keyof ImportChange | null;
}

async function findChanges(
  kv: AnchorReader,
  keys: readonly string[],
  { source, jurisdiction }: TrustList,
  wanted: ReadonlyMap<string, ListedAnchor[]>,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const some of bulkReads(keys)) {
    const entries = (await kv.get(some, "json")) as Map<string, ListedAnchor[] | null>;
    for (const [key, stored] of entries) {
      const isMine = (anchor: ListedAnchor) => anchor.source === source && anchor.jurisdiction === jurisdiction;
      const { mine = [], others = [] } = Object.groupBy(stored ?? [], (one) => (isMine(one) ? "mine" : "others"));
      const next = wanted.get(key) ?? [];
      if (hashOf(mine) !== hashOf(next))
        changes.push({
          key,
          others,
          anchors: [...others, ...next],
          removes: next.length === 0,
          kind: kindOf(mine, next),
        });
    }
  }
  return changes;
}

function kindOf(before: readonly ListedAnchor[], after: readonly ListedAnchor[]): Change["kind"] {
  if (before.length === 0) return "added";
  if (after.length === 0) return "removed";
  return hashOf(before.map(withoutList)) === hashOf(after.map(withoutList)) ? null : "changed";
}

const withoutList = ({ listSequenceNumber: _n, listIssuedAt: _i, listNextUpdate: _u, ...anchor }: ListedAnchor) =>
  anchor;

function countNames(changes: readonly Change[]): ImportChange {
  const count = (kind: Change["kind"]) => changes.filter((change) => change.kind === kind).length;
  return { added: count("added"), changed: count("changed"), removed: count("removed") };
}

const write = (kv: KeyValueStore, { key, anchors }: Change): Promise<void> =>
  anchors.length === 0 ? kv.delete(key) : kv.put(key, JSON.stringify(anchors));

const hashOf = (anchors: readonly TrustAnchor[]): string =>
  createHash("sha256").update(JSON.stringify(anchors)).digest("hex");
