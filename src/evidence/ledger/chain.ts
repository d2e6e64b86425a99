/**
 * The chain of an institution's records: each holds the hash of the one before. The hash is over the record's text as it is
 * stored, so no canonical form of JSON is needed. Pure.
 */
import { hashText } from "../../platform/node-crypto.ts";
import type { Damage } from "./damage.ts";
import type { LedgerEntry, LedgerRecord } from "./record.ts";
import { parseDocument } from "./record-documents.ts";

/** The end of a chain, or of a part of it. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export const CHAIN_START: ChainEnd = { seq: 0, hash: "0".repeat(64) };

/** The text of a record. */
export const chainText = (entry: LedgerEntry, before: ChainEnd): string =>
  JSON.stringify({ seq: before.seq + 1, prev: before.hash, ...entry } satisfies LedgerRecord);

/** SHA-256 of the UTF-8 of a record's text, in lower-case hex. */
export const hashRecord = (text: string): string => hashText("sha256", text);

type BrokenChain = { readonly ok: false; readonly seq: number; readonly reason: string };
export type ChainCheck = { readonly ok: true; readonly end: ChainEnd } | BrokenChain;

/** Checks that the texts continue the chain after `before`, without a gap. */
export function checkChain(texts: Iterable<string>, before: ChainEnd = CHAIN_START): ChainCheck {
  let end = before;
  for (const text of texts) {
    const seq = end.seq + 1;
    const record = parseDocument(text) as LedgerRecord | null | undefined;
    if (!record) return { ok: false, seq, reason: "is not a record: JSON with seq and prev was expected" };
    if (record.seq !== seq) return { ok: false, seq, reason: `is missing: ${record.seq} stands in its place` };
    if (record.prev !== end.hash)
      return { ok: false, seq, reason: "does not hold the hash of the record before: one of both was altered" };
    end = { seq, hash: hashRecord(text) };
  }
  return { ok: true, end };
}

/** Numbers of records, both inclusive. */
interface Span {
  readonly first_seq: number;
  readonly last_seq: number;
}

export interface Numbered {
  readonly seq: number;
  readonly prev: string;
  readonly text: string;
}

/** The records between the gaps, in their order; a part without records is left out. */
export function splitAtGaps<Each extends Pick<Numbered, "seq">>(
  records: readonly Each[],
  gaps: readonly Span[],
): readonly (readonly Each[])[] {
  const parts = Map.groupBy(records, ({ seq }) => gaps.filter(({ last_seq }) => last_seq < seq).length);
  return [...parts.values()];
}

/** Checks that each part is a chain, and that only the gaps are between them. `before`: the end before the first record. */
export function checkParts(
  records: readonly Numbered[],
  gaps: readonly Span[],
  before: ChainEnd,
): BrokenChain | { readonly ok: true; readonly ends: readonly ChainEnd[] } {
  const ends: ChainEnd[] = [];
  for (const part of splitAtGaps(records, gaps)) {
    const [first] = part;
    const end = ends.at(-1);
    const next = end && skipGaps(end.seq + 1, gaps);
    const start = end && first && next !== end.seq + 1 ? { seq: (next ?? 0) - 1, hash: first.prev } : (end ?? before);
    const chain = checkChain(
      part.map(({ text }) => text),
      start,
    );
    if (!chain.ok) return chain;
    ends.push(chain.end);
  }
  return { ok: true, ends };
}

/** The first number from this one on that is in no gap. */
function skipGaps(seq: number, gaps: readonly Span[]): number {
  const gap = gaps.find(({ first_seq, last_seq }) => first_seq <= seq && seq <= last_seq);
  return gap ? skipGaps(gap.last_seq + 1, gaps) : seq;
}

/** Of a comparison: so many files of R2 are read, or so many records, of which each is hashed. */
const READS = 8;
const RECORDS = 8_192;

export const HEAD_VERDICTS = ["contained", "differs", "shorter", "unknown"] as const;

export interface HeadComparison {
  /**
   * `differs`: another record has its number, or the chain is broken after it. `shorter`: no record has it any more, as after a
   * backup was put back. `unknown`: the record of this number cannot be read.
   */
  readonly verdict: (typeof HEAD_VERDICTS)[number];
  /** Of the record that has the number today; null if there is none that can be read. */
  readonly found: string | null;
  /** The last record up to which the chain was read, and is right; null unless it contains the head. */
  readonly followedTo: number | null;
  /** The first record that is not what it should be; null unless it differs. */
  readonly differsAt: number | null;
  /** Why it is not known, or the chain was not followed further: damaged records, or these are kept no longer. */
  readonly gap: Damage["reason"] | "expired" | null;
}

interface ReadRecords {
  readonly texts: readonly string[];
  readonly gaps: readonly Damage[];
}

const NOTHING = { found: null, followedTo: null, differsAt: null, gap: null };

/**
 * Whether the chain of today contains a head that somebody has kept, and goes on from it, as far as is read. `kept`: of a
 * verified signature. `end`: of the chain today. Throws StoreError.
 */
export async function compareHead(
  search: { readonly range: (from: number, to: number) => Promise<ReadRecords> },
  kept: ChainEnd,
  end: ChainEnd,
): Promise<HeadComparison> {
  if (kept.seq > end.seq) return { ...NOTHING, verdict: "shorter" };
  let [found, followed]: [string | null, ChainEnd | null] = [null, null];
  for (let reads = 0; reads < READS; reads++) {
    const seq = followed ? followed.seq + 1 : kept.seq;
    if (seq > end.seq || seq - kept.seq >= RECORDS) break;
    const { texts, gaps } = await search.range(seq, end.seq);
    const [first] = texts;
    const { seq: firstSeq = 0, prev = "" } = first === undefined ? {} : (JSON.parse(first) as LedgerRecord);
    if (first === undefined || firstSeq !== seq) {
      const gap = gaps[0]?.reason ?? "expired";
      if (!followed) return { ...NOTHING, verdict: "unknown", gap };
      return { ...NOTHING, verdict: "contained", found, followedTo: followed.seq, gap };
    }
    found ??= hashRecord(first);
    if (found !== kept.hash) return { ...NOTHING, verdict: "differs", found, differsAt: kept.seq };
    const chain = checkChain(texts, followed ?? { seq: kept.seq - 1, hash: prev });
    if (!chain.ok) return { ...NOTHING, verdict: "differs", found, differsAt: chain.seq };
    followed = chain.end;
  }
  if (followed?.seq === end.seq && followed.hash !== end.hash)
    return { ...NOTHING, verdict: "differs", found, differsAt: end.seq };
  return { ...NOTHING, verdict: "contained", found, followedTo: followed?.seq ?? null };
}
