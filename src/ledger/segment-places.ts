/**
 * Where the closed segments of a ledger are: those whose rows are in its Durable Object, and those that only the files of
 * their days name; and what they hold, from here or from R2.
 */
import { callStore } from "../store-error.ts";
import { type DayIndex, segmentsOf } from "./day-index.ts";
import { mayHold, openSegment, type Segment } from "./segment.ts";
import type { SegmentFiles } from "./segment-files.ts";
import { SEGMENT_COLUMNS } from "./segment-tables.ts";

/** The newest stays as a row when its day is deleted, for the chain goes on from it. Of a day that is being deleted nothing is read. */
const IS_KEPT = "EXISTS (SELECT 1 FROM days WHERE days.day = segments.day AND days.indexed < 2)";
const STATEMENTS = {
  // newest first, those here; ?4: the PSP as JSON text, or null
  find: `
    SELECT ${SEGMENT_COLUMNS}, instr(psps, coalesce(?4, '')) > 0 AS named FROM segments
    WHERE first_seq < coalesce(?1, 9e15) AND last_time >= coalesce(?2, 0) AND first_time < coalesce(?3, 9e15) AND ${IS_KEPT}
    ORDER BY first_seq DESC`,
  covering: `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE first_seq <= ?1 AND ${IS_KEPT} ORDER BY first_seq DESC LIMIT 1`,
  after: `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE first_seq > ?1 AND ${IS_KEPT} ORDER BY first_seq LIMIT 1`,
  bytes: "SELECT compressed FROM segment_bytes WHERE first_seq = ?1",
  indexedDays: `
    SELECT day, last_seq FROM days WHERE indexed = 1 AND first_seq < coalesce(?1, 9e15)
      AND last_time >= coalesce(?2, 0) AND first_time < coalesce(?3, 9e15) ORDER BY day DESC`,
  dayCovering: "SELECT day FROM days WHERE first_seq <= ?1 AND last_seq >= ?1 AND indexed = 1",
  dayAfter: "SELECT day, first_seq FROM days WHERE first_seq > ?1 AND indexed = 1 ORDER BY day LIMIT 1",
} as const;

type Row<Form> = Form & Record<string, SqlStorageValue>;

export class SegmentPlaces {
  readonly #sql: SqlStorage;
  /** The one that was read last: whoever reads on, or looks for heads, needs it for each segment of the day. */
  #lastIndex: DayIndex | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  #rows<Form>(sql: string, ...values: SqlStorageValue[]): Form[] {
    return [...this.#sql.exec<Row<Form>>(sql, ...values)];
  }

  /** The file of a day that is indexed, which never changes. Throws StoreError, and another error if it is not there. */
  async #readIndex(files: SegmentFiles, day: string): Promise<DayIndex> {
    if (this.#lastIndex?.day === day) return this.#lastIndex;
    const index = await files.getIndex(day);
    // not as if there had been no record on that day
    if (!index) throw new Error(`the index of ${day} is missing`);
    this.#lastIndex = index;
    return index;
  }

  /**
   * Segments that may hold what is asked for, newest first; those of files of days after those here. `mayReadDay` is asked
   * before each file; by no the search ends: what is not looked through is before the record of the number that it got.
   */
  async *find(
    files: SegmentFiles | null,
    asked: { readonly before: number | null; readonly from: number | null; readonly to: number | null },
    psp: string | null,
    mayReadDay: (before: number) => boolean = () => true,
  ): AsyncGenerator<Segment> {
    const { before, from, to } = asked;
    const named = psp === null ? null : JSON.stringify(psp);
    let lowest = before;
    for (const { named: isNamed, ...segment } of this.#rows<Segment & { named: number }>(
      STATEMENTS.find,
      before,
      from,
      to,
      named,
    )) {
      lowest = segment.first_seq;
      if (isNamed === 1) yield segment;
    }
    if (!files) return;
    for (const { day, last_seq } of this.#rows<{ day: string; last_seq: number }>(
      STATEMENTS.indexedDays,
      lowest,
      from,
      to,
    )) {
      if (!mayReadDay(Math.min(last_seq + 1, lowest ?? Number.POSITIVE_INFINITY))) return;
      for (const segment of segmentsOf(await this.#readIndex(files, day), psp))
        if (mayHold(segment, { before: lowest, from, to })) yield segment;
    }
  }

  /** The last one here that begins with this record or before it. */
  before(seq: number): Segment | null {
    return this.#rows<Segment>(STATEMENTS.covering, seq)[0] ?? null;
  }

  /** The segment that holds this record, else the next one after it; null if there is none. */
  async findFrom(files: SegmentFiles | null, seq: number): Promise<Segment | null> {
    const covering = this.before(seq);
    if (covering && covering.last_seq >= seq) return covering;
    const [day] = this.#rows<{ day: string }>(STATEMENTS.dayCovering, seq);
    const [next] = this.#rows<Segment>(STATEMENTS.after, seq);
    const [nextDay] = this.#rows<{ day: string; first_seq: number }>(STATEMENTS.dayAfter, seq);
    const file = day?.day ?? (nextDay && (!next || nextDay.first_seq < next.first_seq) ? nextDay.day : undefined);
    const index = file !== undefined && files ? await this.#readIndex(files, file) : null;
    return index?.segments.find(({ last_seq }) => last_seq >= seq) ?? next ?? null;
  }

  /** The texts of its records. Throws StoreError, and another error if it is not what was stored. */
  async read(files: SegmentFiles | null, segment: Segment): Promise<string[]> {
    const compressed = this.bytesOf(segment.first_seq) ?? (await files?.getSegment(segment)) ?? null;
    if (!compressed) throw new Error(`the segment from record ${segment.first_seq} on is missing`);
    return await callStore("ledger", () => openSegment(compressed, segment));
  }

  /** Its compressed bytes, if they are here. */
  bytesOf(firstSeq: number): Uint8Array<ArrayBuffer> | null {
    const [row] = this.#rows<{ compressed: ArrayBuffer }>(STATEMENTS.bytes, firstSeq);
    return row ? new Uint8Array(row.compressed) : null;
  }
}
