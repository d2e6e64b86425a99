/** Finds signed ends of one institution's chain: those of closed segments, and of the last two days every minute's. */
import type { Head, Heads } from "./heads.ts";
import { endOf, type Segment } from "./segment.ts";
import type { SegmentFiles } from "./segment-files.ts";
import { isDamage, type SegmentPlaces } from "./segment-places.ts";

/** Of two million records: a proof that shows more than these is none that anybody reads. */
const FAR_SEGMENTS = 500;

export class HeadSearch {
  readonly #heads: Heads;
  readonly #places: SegmentPlaces;
  readonly #files: () => SegmentFiles | null;

  constructor(heads: Heads, places: SegmentPlaces, files: () => SegmentFiles | null) {
    this.#heads = heads;
    this.#places = places;
    this.#files = files;
  }

  /**
   * Those between two records. `covered`: if none of them is signed and covers this record, the first one that is and
   * does, however late the first key was made. Throws StoreError.
   */
  async between(from: number, to: number, covered = from): Promise<Head[]> {
    const closed: Head[] = [];
    const files = this.#files();
    for (let seq = from; seq <= to; ) {
      const segment = await this.#places.findFrom(files, seq);
      if (!segment || segment.last_seq > to) break;
      if (!isDamage(segment)) closed.push(headOf(segment));
      seq = segment.last_seq + 1;
    }
    const heads = new Map(this.#heads.between(from, to).map((head) => [head.seq, head]));
    // the end of a segment that was closed without a signing key, or by a clock that was wrong, may have been signed since
    for (const head of closed) if ((heads.get(head.seq)?.jws ?? null) === null) heads.set(head.seq, head);
    const isCovering = ({ seq, jws }: Head) => seq >= covered && jws !== null;
    const far = [...heads.values()].some(isCovering) ? null : await this.#findSigned(to + 1);
    return [...heads.values(), ...(far ? [far] : [])].sort((a, b) => a.seq - b.seq);
  }

  /** The first signed end that covers the record; null if there is none, or too much before it. */
  async #findSigned(record: number): Promise<Head | null> {
    const recent = this.#heads.firstSigned(record);
    if (!recent) return null;
    const files = this.#files();
    for (let [seq, reads] = [record, 0]; reads < FAR_SEGMENTS; reads++) {
      const segment = await this.#places.findFrom(files, seq);
      if (!segment || segment.last_seq >= recent.seq) return recent;
      if (!isDamage(segment) && segment.head !== null) return headOf(segment);
      seq = segment.last_seq + 1;
    }
    return null;
  }
}

const headOf = (segment: Segment): Head => ({ ...endOf(segment), time: segment.last_time, jws: segment.head });
