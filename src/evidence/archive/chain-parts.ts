/**
 * A part of a chain in which records are missing, because the service could not give them out: unbroken parts between gaps. Each
 * is proven by a head of its own last record; the numbers of both sides say how many records a gap has. Pure.
 */
import { type ChainCheck, type ChainEnd, checkChain } from "../ledger/record.ts";

/** Numbers of records, both inclusive. */
interface Span {
  readonly first_seq: number;
  readonly last_seq: number;
}

/** The number and the text of a record. */
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
): Extract<ChainCheck, { ok: false }> | { readonly ok: true; readonly ends: readonly ChainEnd[] } {
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
