/** Proves single records of one ledger: each by a signed head, and its way to the root of the head's tree (record-tree.ts). */
import { hashRecord } from "./chain.ts";
import { isDamage } from "./damage.ts";
import { type Head, readHead } from "./head.ts";
import type { OpenSegment } from "./open-segment.ts";
import type { RecordSearch } from "./record-search.ts";
import { findPath, growTree, rootOf } from "./record-tree.ts";
import type { SegmentFiles } from "./segment-files.ts";
import type { SegmentPlaces } from "./segment-places.ts";

export interface RecordProof {
  /** Compact JWS (head.ts). */
  readonly head: string;
  readonly path: readonly string[];
}

interface SignedTree {
  readonly head: string;
  readonly first: number;
  readonly last: number;
  readonly rows: readonly (readonly string[])[];
}

export class RecordProofs {
  readonly #open: OpenSegment;
  readonly #places: SegmentPlaces;
  readonly #search: RecordSearch;
  /** Null without R2. */
  readonly #files: () => SegmentFiles | null;

  constructor(open: OpenSegment, places: SegmentPlaces, search: RecordSearch, files: () => SegmentFiles | null) {
    this.#open = open;
    this.#places = places;
    this.#search = search;
    this.#files = files;
  }

  /**
   * Of these records, in their order; null for one that no signed head has in its tree: there was no signing key when its
   * segment was closed, or it cannot be read. `signEnd`: signs the end of the chain, if it is not. Throws StoreError.
   */
  async find(seqs: readonly number[], signEnd: () => Head | null): Promise<(RecordProof | null)[]> {
    const proofs: (RecordProof | null)[] = [];
    let tree: SignedTree | null = null;
    for (const seq of seqs) {
      if (!tree || seq < tree.first || seq > tree.last) tree = await this.#findTree(seq, signEnd);
      proofs.push(tree && { head: tree.head, path: findPath(tree.rows, seq - tree.first) });
    }
    return proofs;
  }

  async #findTree(seq: number, signEnd: () => Head | null): Promise<SignedTree | null> {
    if (seq >= this.#open.first) return makeTree(signEnd()?.jws ?? null, seq, this.#open.hashes);
    const segment = await this.#places.findFrom(this.#files(), seq);
    if (!segment || isDamage(segment)) return null;
    const { texts } = await this.#search.range(segment.first_seq, segment.last_seq);
    return makeTree(segment.head, seq, texts.map(hashRecord));
  }
}

/** Null unless the head has signed this tree, and the record is in it. */
function makeTree(jws: string | null, seq: number, hashes: readonly string[]): SignedTree | null {
  const head = readHead(jws);
  const rows = growTree(hashes);
  if (jws === null || !head || head.root !== rootOf(rows) || seq < head.first || seq > head.seq) return null;
  return { head: jws, first: head.first, last: head.seq, rows };
}
