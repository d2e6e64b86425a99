/**
 * Verifies an archive of a ledger without the service that made it: that nothing in it was altered, left out or added,
 * that the chain of its records ends in a signed head, and that each answer comes out again from its documents.
 */
import * as z from "zod";
import { boundedInstant, type Instant } from "../../platform/instant.ts";
import { type ChainEnd, checkChain, checkParts, hashRecord, type Numbered } from "../ledger/chain.ts";
import { type SignedEnd, verifyHead } from "../ledger/head.ts";
import type { LedgerRecord } from "../ledger/record.ts";
import { listContents, listNamedDocuments, NAMING, parseDocument, type ReadKept } from "../ledger/record-documents.ts";
import { growTree, rootOf } from "../ledger/record-tree.ts";
import { type Compared, type Replay, replay } from "../replay/replay.ts";
import type { PublicSigningKey } from "../signatures/signing-keys.ts";
import { DOCUMENTS, HEADS, KEYS, notOfLines, README, RECORDS, readLines } from "./form.ts";
import {
  checkSignature,
  digest,
  findAlteredFile,
  LATE_MS,
  MANIFEST,
  type Manifest,
  parseManifest,
  SIGNATURE,
} from "./manifest.ts";
import type { Files } from "./zip-file.ts";

export type ArchiveVerdict =
  | {
      readonly ok: true;
      readonly manifest: Manifest;
      /** The key that signed the manifest, and when. */
      readonly kid: string;
      readonly signedAt: Instant;
      readonly records: number;
      readonly heads: number;
      readonly documents: number;
      readonly whole: WholeSpan;
      readonly replays: Replays;
    }
  | { readonly ok: false; readonly reason: string };

/**
 * The part of the time asked for of which the archive shows that no record is left out: who may read a ledger can make an
 * archive of any part of its chain. ISO 8601 in UTC.
 */
interface WholeSpan {
  readonly from: string;
  readonly to: string;
}

export interface Replays {
  readonly equal: number;
  /** How many of the equal ones were compared by what. */
  readonly compared: Readonly<Record<Compared, number>>;
  /** How many of the equal ones this release says in other words (evidence/replay/differences.ts). */
  readonly reworded: number;
  /** With the record's id. */
  readonly different: readonly (Extract<Replay, { equal: false }> & { readonly id: string })[];
  readonly incomplete: readonly (Extract<Replay, { ok: false }> & { readonly id: string })[];
}

/**
 * `keys`: of the service, from elsewhere than the archive; null: those in the archive, which prove only that it agrees with
 * itself.
 */
export async function verifyArchive(
  files: Files,
  keys: readonly PublicSigningKey[] | null,
  now: Instant,
): Promise<ArchiveVerdict> {
  const read = (name: string): Uint8Array => files.get(name) ?? new Uint8Array();
  const manifest = parseManifest(textOf(read(MANIFEST)));
  if (!manifest) return refuse(`${MANIFEST} is not the manifest of an archive of this form`);
  const altered = findAlteredFile(manifest, files);
  if (altered !== null) return refuse(altered);
  const trusted = keys ?? readArchivedKeys(read(KEYS));
  const signature = await checkSignature(read(SIGNATURE), read(MANIFEST), manifest.fi, trusted, now);
  if (!signature.ok) return refuse(`${SIGNATURE}: ${signature.reason}`);
  const [texts, heads] = [readLines(read(RECORDS)), readLines(read(HEADS))];
  if (!texts || !heads) return refuse(notOfLines(texts ? HEADS : RECORDS));
  const chain = checkRecords(texts, manifest);
  if (!chain.ok) return chain;
  const covered = checkHeads(heads, chain, texts, manifest, trusted);
  if (!covered.ok) return covered;
  const documents = checkDocuments(files, chain.records, KNOWN);
  if (!documents.ok) return documents;
  const { kid, signedAt } = signature;
  return {
    ...{ ok: true, manifest, kid, signedAt },
    ...{ records: texts.length, heads: heads.length, documents: documents.count },
    whole: findWholeSpan(manifest, chain.records, signature, covered.newest),
    replays: await replayAll(chain.records, async (sha256) => files.get(`${DOCUMENTS}${sha256}`) ?? null),
  };
}

const refuse = (reason: string) => ({ ok: false, reason }) as const;
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** A key that evidence brings with it, of this service's kind. Whoever made the evidence may have written anything there. */
const archivedKey = z.looseObject({
  ...{ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string().regex(/^[\w-]{43}$/), kid: z.string() },
  ...{ nbf: z.number(), exp: z.number().optional() },
});

/** Whether its times are instants: whoever made the evidence may have written anything there. */
export const isDated = ({ time = "", as_of = time }: Partial<LedgerRecord>): boolean =>
  [time, as_of].every((instant) => boundedInstant(Date.parse(instant)) !== null);

/** The keys in the form of RFC 7517 that are of this service's kind. */
export function readArchivedKeys(bytes: Uint8Array): PublicSigningKey[] {
  const { keys } = (parseDocument(bytes) ?? {}) as { readonly keys?: unknown };
  return Array.isArray(keys) ? keys.filter((key) => archivedKey.safeParse(key).success) : [];
}

function checkRecords(texts: readonly string[], { fi, first, last, missing = [] }: Manifest) {
  const before = { seq: first.seq - 1, hash: first.prev };
  // without a gap a text that is no record is found by its place
  const numbered = missing.length === 0 ? null : readNumbered(texts);
  const chain = numbered ? checkParts(numbered, missing, before) : checkOne(texts, before);
  if (!chain.ok) return refuse(`${RECORDS}: record ${chain.seq} ${chain.reason}`);
  const { seq, hash } = chain.ends.at(-1) ?? before;
  if (seq !== last.seq || hash !== last.hash)
    return refuse(`${RECORDS} ends with record ${seq}: it is not the last one that ${MANIFEST} names`);
  const records = texts.map((text) => JSON.parse(text) as LedgerRecord);
  const strange = records.find((record) => record.fi !== fi);
  if (strange) return refuse(`${RECORDS}: record ${strange.seq} is of ${strange.fi}, the archive is of ${fi}`);
  const undated = records.find((record) => !isDated(record));
  if (undated) return refuse(`${RECORDS}: record ${undated.seq} does not say its time`);
  return { ok: true, records, ends: chain.ends } as const;
}

function checkOne(texts: readonly string[], before: ChainEnd) {
  const chain = checkChain(texts, before);
  return chain.ok ? ({ ok: true, ends: [chain.end] } as const) : chain;
}

/** Null if one is no record. */
function readNumbered(texts: readonly string[]): Numbered[] | null {
  const read = texts.map((text) => ({ ...(Object(parseDocument(text)) as LedgerRecord), text }));
  const numbered = read.map(({ seq, prev, text }) => ({ seq, prev, text }));
  return numbered.every(({ seq, prev }) => Number.isSafeInteger(seq) && typeof prev === "string") ? numbered : null;
}

/** Whether each head is right, and one is of the last record before each gap and of all; and when the newest was signed. */
function checkHeads(
  heads: readonly string[],
  { records, ends }: { readonly records: readonly LedgerRecord[]; readonly ends: readonly ChainEnd[] },
  texts: readonly string[],
  { fi }: Manifest,
  keys: readonly PublicSigningKey[],
) {
  const places = new Map(records.map(({ seq }, i) => [seq, i]));
  const covered = new Set<number>();
  /** By the first record of its tree the last head, which has all records of those before. */
  const trees = new Map<number, SignedEnd>();
  let newest = 0;
  for (const [i, jws] of heads.entries()) {
    const checked = verifyHead(jws, keys);
    if (!checked.ok) return refuse(`${HEADS}: head ${i + 1} ${checked.reason}`);
    const { head } = checked;
    const text = texts[places.get(head.seq) ?? -1];
    if (head.fi !== fi || text === undefined) return refuse(`${HEADS}: head ${i + 1} is not of these records`);
    if (hashRecord(text) !== head.hash)
      return refuse(`${HEADS}: record ${head.seq} is not the one that was signed at ${head.time}: it was altered`);
    trees.set(head.first, head);
    covered.add(head.seq);
    newest = Math.max(newest, Date.parse(head.time));
  }
  for (const { first, seq, root, time } of trees.values()) {
    const hashes = texts.slice(places.get(first) ?? texts.length, (places.get(seq) ?? 0) + 1).map(hashRecord);
    // a tree that begins before the archive, or has a gap, cannot be grown again
    if (hashes.length === seq - first + 1 && rootOf(growTree(hashes)) !== root)
      return refuse(`${HEADS}: the tree that was signed at ${time} is not that of records ${first} to ${seq}`);
  }
  const uncovered = ends.find(({ seq }) => !covered.has(seq));
  if (!uncovered) return { ok: true, newest } as const;
  const upTo = (places.get(uncovered.seq) ?? 0) + 1;
  const open =
    upTo - 1 - Math.max(-1, ...[...covered].map((seq) => places.get(seq) ?? -1).filter((place) => place < upTo));
  return refuse(`${HEADS}: no signed head covers the last ${open} of ${upTo} records`);
}

/**
 * A head is the end of the whole chain at its time, and so is what the manifest's signature answers. What is left out came to
 * the ledger before the first record, or after the last.
 */
function findWholeSpan(
  { from, to, first, last }: Manifest,
  [oldest]: readonly LedgerRecord[],
  { lastSeq, signedAt }: { readonly lastSeq: number | null; readonly signedAt: Instant },
  newestHead: number,
): WholeSpan {
  const until = (lastSeq === last.seq ? signedAt : newestHead) - LATE_MS;
  const since = first.seq === 1 || oldest === undefined ? 0 : Date.parse(oldest.time) + LATE_MS;
  return {
    from: since <= Date.parse(from) ? from : new Date(since).toISOString(),
    to: Date.parse(to) <= until ? to : new Date(until).toISOString(),
  };
}

/** Every document is what its name says, and belongs to a record. `known`: the names of the other files. */
export function checkDocuments(files: Files, records: readonly LedgerRecord[], known: ReadonlySet<string>) {
  const names = [...files.keys()].filter((name) => name.startsWith(DOCUMENTS));
  const wrong = names.find((name) => digest(files.get(name) ?? "") !== name.slice(DOCUMENTS.length));
  if (wrong !== undefined) return refuse(`${wrong} is not the document of this SHA-256: it was altered`);
  const named = records.flatMap(listNamedDocuments);
  const naming = new Map(named.flatMap(({ kind, sha256 }) => (NAMING.has(kind) ? [[sha256, kind] as const] : [])));
  const contents = [...naming].flatMap(([sha256, kind]) =>
    listContents(kind, files.get(`${DOCUMENTS}${sha256}`) ?? null),
  );
  const needed = new Set([...named, ...contents].map(({ sha256 }) => sha256));
  const unneeded = names.find((name) => !needed.has(name.slice(DOCUMENTS.length)));
  if (unneeded !== undefined) return refuse(`${unneeded} belongs to no record: it was added`);
  const other = [...files.keys()].find((name) => !name.startsWith(DOCUMENTS) && !known.has(name));
  if (other !== undefined) return refuse(`${other} has no place in an archive of this form`);
  return { ok: true, count: names.length } as const;
}

const KNOWN: ReadonlySet<string> = new Set([MANIFEST, SIGNATURE, README, RECORDS, HEADS, KEYS]);

export async function replayAll(records: readonly LedgerRecord[], read: ReadKept): Promise<Replays> {
  const compared = { answer: 0, results: 0, checks: 0, nothing: 0 };
  let reworded = 0;
  const different: Replays["different"][number][] = [];
  const incomplete: Replays["incomplete"][number][] = [];
  for (const record of records) {
    const result = await replay(record, read);
    if (!result.ok) incomplete.push({ id: record.id, ...result });
    else if (!result.equal) different.push({ id: record.id, ...result });
    else {
      compared[result.compared] += 1;
      if (result.notes) reworded++;
    }
  }
  const equal = records.length - different.length - incomplete.length;
  return { equal, compared, reworded, different, incomplete };
}
