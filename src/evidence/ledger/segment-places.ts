/**
 * Where the closed segments of a ledger are: those whose rows are in its Durable Object, and those that only the files of
 * their days name; and what they hold, from here or from R2.
 */
import type { Instant } from "../../platform/instant.ts";
import { named, type Values } from "../../platform/statements.ts";
import { StoreError } from "../../platform/stores.ts";
import { type Damage, isDamage } from "./damage.ts";
import type { DamageMarks } from "./damage-marks.ts";
import { mayHold, openSegment, SEGMENT_COLUMNS, type Segment } from "./segment.ts";
import { type DayIndex, type SegmentFiles, segmentsOf } from "./segment-files.ts";

/** The newest stays as a row when its day is deleted, for the chain goes on from it. Of a day that is being deleted nothing is read. */
const IS_KEPT = "EXISTS (SELECT 1 FROM days WHERE days.day = segments.day AND days.indexed < 2)";
const DAY_COLUMNS = "day, first_seq, last_seq, first_time, last_time";
const STATEMENTS = {
  // newest first, those here; `:psp`: as JSON text, or null
  find: `
    SELECT ${SEGMENT_COLUMNS}, instr(psps, coalesce(:psp, '')) > 0 AS named FROM segments
    WHERE first_seq < coalesce(:before, 9e15) AND last_time >= coalesce(:from, 0) AND first_time < coalesce(:to, 9e15) AND ${IS_KEPT}
    ORDER BY first_seq DESC`,
  covering: `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE first_seq <= :seq AND ${IS_KEPT} ORDER BY first_seq DESC LIMIT 1`,
  after: `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE first_seq > :seq AND ${IS_KEPT} ORDER BY first_seq LIMIT 1`,
  bytes: "SELECT compressed FROM segment_bytes WHERE first_seq = :seq",
  indexedDays: `
    SELECT ${DAY_COLUMNS} FROM days WHERE indexed = 1 AND first_seq < coalesce(:before, 9e15)
      AND last_time >= coalesce(:from, 0) AND first_time < coalesce(:to, 9e15) ORDER BY day DESC`,
  dayCovering: `SELECT ${DAY_COLUMNS} FROM days WHERE first_seq <= :seq AND last_seq >= :seq AND indexed = 1`,
  dayAfter: `SELECT ${DAY_COLUMNS} FROM days WHERE first_seq > :seq AND indexed = 1 ORDER BY day LIMIT 1`,
  isKept: "SELECT 1 FROM days WHERE first_seq <= :seq AND last_seq >= :seq AND indexed < 2",
} as const;

type Row<Form> = Form & Record<string, SqlStorageValue>;
type Day = Pick<Damage, "first_seq" | "last_seq" | "first_time" | "last_time"> & { readonly day: string };

/** Of a closed segment. */
export type SegmentReading =
  | { readonly ok: true; readonly texts: readonly string[] }
  | { readonly ok: false; readonly damage: Damage };

export class SegmentPlaces {
  readonly #sql: SqlStorage;
  readonly #marks: DamageMarks;
  /** The one that was read last: whoever reads on, or looks for heads, needs it for each segment of the day. */
  #lastIndex: DayIndex | null = null;

  constructor(sql: SqlStorage, marks: DamageMarks) {
    this.#sql = sql;
    this.#marks = marks;
  }

  #rows<Form>(sql: string, values: Values): Form[] {
    return [...this.#sql.exec<Row<Form>>(...named(sql, values))];
  }

  /** Whether the day of this record is here, and is not being deleted. */
  #isKept(seq: number): boolean {
    return this.#rows(STATEMENTS.isKept, { seq }).length > 0;
  }

  /** The segments of an indexed day, or its damage; none if it was deleted meanwhile. `before`: the first record that rows here have. */
  async #readIndex(files: SegmentFiles, { day, ...span }: Day, before: number | null): Promise<DayIndex | Damage> {
    if (this.#lastIndex?.day === day) return this.#lastIndex;
    const [read, file] = [await files.getIndex(day), files.indexKey(day)];
    if (read.ok) {
      this.#lastIndex = read.index;
      await this.#marks.heal(file);
      return read.index;
    }
    if (!this.#isKept(span.first_seq)) return { day, segments: [], psps: {} };
    const last_seq = Math.min(span.last_seq, (before ?? Number.POSITIVE_INFINITY) - 1);
    const damage = { ...span, last_seq, file, reason: read.reason };
    await this.#marks.note(damage);
    return damage;
  }

  /**
   * Segments that may hold what is asked for, newest first, and days that may and cannot be read. `mayReadDay` is asked before
   * the file of a day; by no the search ends: what is not looked through is before the record of the number that it got.
   */
  async *find(
    files: SegmentFiles | null,
    asked: { readonly before: number | null; readonly from: Instant | null; readonly to: Instant | null },
    psp: string | null,
    mayReadDay: (before: number) => boolean = () => true,
  ): AsyncGenerator<Segment | Damage> {
    const { from, to } = asked;
    const text = psp === null ? null : JSON.stringify(psp);
    const rows = this.#rows<Segment & { named: 0 | 1 }>(STATEMENTS.find, { ...asked, psp: text });
    // where the rows here begin: what is before is in the files of days alone
    let before = asked.before;
    for (const { named: isNamed, ...segment } of rows) {
      before = segment.first_seq;
      if (isNamed === 1) yield segment;
    }
    if (!files) return;
    for (const day of this.#rows<Day>(STATEMENTS.indexedDays, { before, from, to })) {
      if (!mayReadDay(Math.min(day.last_seq + 1, before ?? Number.POSITIVE_INFINITY))) return;
      const index = await this.#readIndex(files, day, before);
      if (isDamage(index)) yield index;
      else for (const segment of segmentsOf(index, psp)) if (mayHold(segment, { before, from, to })) yield segment;
    }
  }

  /** The last one here that begins with this record or before it. */
  before(seq: number): Segment | null {
    return this.#rows<Segment>(STATEMENTS.covering, { seq })[0] ?? null;
  }

  /** The segment that holds this record, else the next one after it; of a day that cannot be read its damage. Null if there is none. */
  async findFrom(files: SegmentFiles | null, seq: number): Promise<Segment | Damage | null> {
    const covering = this.before(seq);
    if (covering && covering.last_seq >= seq) return covering;
    const [day] = this.#rows<Day>(STATEMENTS.dayCovering, { seq });
    const [next] = this.#rows<Segment>(STATEMENTS.after, { seq });
    const [nextDay] = this.#rows<Day>(STATEMENTS.dayAfter, { seq });
    const indexed = day ?? (nextDay && (!next || nextDay.first_seq < next.first_seq) ? nextDay : null);
    if (!indexed || !files) return next ?? null;
    const index = await this.#readIndex(files, indexed, next?.first_seq ?? null);
    if (isDamage(index)) return index;
    return index.segments.find(({ last_seq }) => last_seq >= seq) ?? next ?? null;
  }

  /** The texts of its records; none if its day was deleted meanwhile. Throws StoreError, also where no bucket is bound any more. */
  async read(files: SegmentFiles | null, segment: Segment): Promise<SegmentReading> {
    const here = this.bytesOf(segment.first_seq);
    if (!here && !files) throw new StoreError("R2: the bucket EVIDENCE, which has the ledger's segments, is not bound");
    const compressed = here ?? (await files?.getSegment(segment)) ?? null;
    const file = files?.segmentKey(segment.first_seq) ?? "";
    const opened = compressed ? await openSegment(compressed, segment) : ({ ok: false, reason: "missing" } as const);
    if (opened.ok) {
      await this.#marks.heal(file);
      return opened;
    }
    if (!this.#isKept(segment.first_seq)) return { ok: true, texts: [] };
    const { first_seq, last_seq, first_time, last_time } = segment;
    const damage = { first_seq, last_seq, first_time, last_time, file, reason: opened.reason };
    await this.#marks.note(damage);
    return { ok: false, damage };
  }

  /** Its compressed bytes, if they are here. */
  bytesOf(firstSeq: number): Uint8Array<ArrayBuffer> | null {
    const [row] = this.#rows<{ compressed: ArrayBuffer }>(STATEMENTS.bytes, { seq: firstSeq });
    return row ? new Uint8Array(row.compressed) : null;
  }
}
