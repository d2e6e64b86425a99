/**
 * Whether the chain of today contains a head that somebody has kept: the record of its number has its hash, and each record after it
 * the hash of the one before, as far as is read. The number and the hash are those of a verified signature, not the caller's word.
 */
import type { Damage } from "./damage.ts";
import { type ChainEnd, checkChain, hashRecord, type LedgerRecord } from "./record.ts";
import type { RecordSearch } from "./record-search.ts";

/** Records of that segment, and on from it: so many files of R2, or so many records, of which each is hashed. */
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

const NOTHING = { found: null, followedTo: null, differsAt: null, gap: null };

/** `end`: of the chain today. Throws StoreError. */
export async function compareHead(
  search: Pick<RecordSearch, "range">,
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
