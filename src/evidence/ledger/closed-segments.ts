/**
 * The closed segments of one ledger. A segment is stored here first, in the transaction that removes its rows from the
 * open one, and then moves to R2: its bytes are deleted here when R2 has confirmed them. The rows that say where segments
 * are move to R2, too, a file for each day, so that this store never fills up: 4 million records a day are 977 segments
 * and rows, some 0.5 MB, of which two days are here.
 *
 * Without R2, or while it does not answer, segments stay here up to a limit; beyond it the oldest go.
 */
import { nameDay } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { CHAIN_START, type ChainEnd } from "./chain.ts";
import { type ClosedSegment, endOf, SEGMENT_COLUMNS, type Segment } from "./segment.ts";
import { indexDay, type SegmentFiles } from "./segment-files.ts";
import type { SegmentPlaces } from "./segment-places.ts";

export const CLOSED_SEGMENT_TABLES = `
  CREATE TABLE IF NOT EXISTS segments (
    first_seq  INTEGER NOT NULL PRIMARY KEY,
    last_seq   INTEGER NOT NULL,
    first_time INTEGER NOT NULL,
    last_time  INTEGER NOT NULL,
    last_hash  TEXT    NOT NULL,
    sha256     TEXT    NOT NULL,
    bytes      INTEGER NOT NULL,
    head       TEXT,
    day        TEXT    NOT NULL, -- when its first record was appended
    psps       TEXT    NOT NULL  -- JSON
  ) STRICT;
  CREATE INDEX IF NOT EXISTS segments_by_day ON segments (day, first_seq);
  CREATE TABLE IF NOT EXISTS segment_bytes (
    first_seq  INTEGER NOT NULL PRIMARY KEY,
    bytes      INTEGER NOT NULL,
    compressed BLOB    NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS days (
    day        TEXT    NOT NULL PRIMARY KEY,
    first_seq  INTEGER NOT NULL,
    last_seq   INTEGER NOT NULL,
    first_time INTEGER NOT NULL,
    last_time  INTEGER NOT NULL,
    indexed    INTEGER NOT NULL DEFAULT 0 -- 1: its index is in R2; 2: the day is being deleted
  ) STRICT`;

const STATEMENTS = {
  latest: "SELECT coalesce(max(last_time), 0) AS time FROM days",
  last: `SELECT ${SEGMENT_COLUMNS} FROM segments ORDER BY first_seq DESC LIMIT 1`,
  insert: `INSERT INTO segments (${SEGMENT_COLUMNS}, day, psps) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)`,
  insertBytes: "INSERT INTO segment_bytes (first_seq, bytes, compressed) VALUES (?1, ?2, ?3)",
  noteDay: `
    INSERT INTO days (day, first_seq, last_seq, first_time, last_time) VALUES (?1, ?2, ?3, ?4, ?5)
    ON CONFLICT (day) DO UPDATE SET last_seq = excluded.last_seq,
      first_time = min(first_time, excluded.first_time), last_time = max(last_time, excluded.last_time)`,
  lastDay: "SELECT day, indexed FROM days ORDER BY day DESC LIMIT 1",
  oldestBytes: "SELECT first_seq, bytes FROM segment_bytes ORDER BY first_seq LIMIT 1",
  sumBytes: "SELECT count(*) AS segments, coalesce(sum(bytes), 0) AS bytes FROM segment_bytes",
  deleteBytes: "DELETE FROM segment_bytes WHERE first_seq = ?1",
  older: "SELECT day FROM segments WHERE first_seq = ?1 AND first_seq < (SELECT max(first_seq) FROM segments)",
  deleteSegment: "DELETE FROM segments WHERE first_seq = ?1",
  // not the newest one, by which the chain goes on; not while a segment of the day waits for R2
  unindexed: `
    SELECT day FROM days WHERE indexed = 0 AND day < ?1
      AND NOT EXISTS (SELECT 1 FROM segment_bytes b WHERE b.first_seq BETWEEN days.first_seq AND days.last_seq)
    ORDER BY day LIMIT 1`,
  ofDay: `SELECT ${SEGMENT_COLUMNS} FROM segments WHERE day = ?1 ORDER BY first_seq`,
  pspsOfDay: "SELECT psps FROM segments WHERE day = ?1 ORDER BY first_seq",
  setIndexed: "UPDATE days SET indexed = 1 WHERE day = ?1",
  deleteIndexed: `
    DELETE FROM segments WHERE first_seq < (SELECT max(first_seq) FROM segments)
      AND day IN (SELECT day FROM days WHERE indexed = 1 AND day < ?1)`,
  oldestDay: "SELECT day, first_seq, last_seq, first_time, last_time, indexed FROM days ORDER BY day LIMIT 1",
  // of one that is being deleted nothing is read
  oldestKept: "SELECT day, first_seq, last_time FROM days WHERE indexed < 2 ORDER BY day LIMIT 1",
  setExpiring: "UPDATE days SET indexed = 2 WHERE day = ?1",
  deleteDay: "DELETE FROM days WHERE day = ?1",
  moveDay: `
    UPDATE days SET first_seq = (SELECT min(first_seq) FROM segments s WHERE s.day = days.day) WHERE day = ?1
      AND EXISTS (SELECT 1 FROM segments s WHERE s.day = days.day)`,
} as const;

/** What a ledger keeps without R2: some 30 million records. */
const KEPT_HERE_BYTES = 1024 ** 3;
/** While R2 does not answer, or refuses: of the 10 GB of an object. A full one would refuse every new record. */
const KEPT_WHILE_FAILING_BYTES = 8 * KEPT_HERE_BYTES;
/** For so many days the rows of segments are here, beside the files of their days. */
const ROWS_KEPT_DAYS = 2;
const DAY_MS = 86_400_000;

type Row<Form> = Form & Record<string, SqlStorageValue>;

export class ClosedSegments {
  readonly #sql: SqlStorage;
  readonly #places: SegmentPlaces;
  /** The latest time of a record; 0 without one. */
  latest: Instant;

  constructor(sql: SqlStorage, places: SegmentPlaces) {
    this.#sql = sql;
    this.#places = places;
    this.latest = this.#rows<{ time: Instant }>(STATEMENTS.latest)[0]?.time ?? 0;
  }

  #rows<Form>(sql: string, ...values: SqlStorageValue[]): Form[] {
    return [...this.#sql.exec<Row<Form>>(sql, ...values)];
  }

  /** Where the open segment goes on. */
  get end(): ChainEnd {
    const [last] = this.#rows<Segment>(STATEMENTS.last);
    return last ? endOf(last) : CHAIN_START;
  }

  /** In a transaction with the removal of its records from the open segment. `appended`: its first. */
  add(segment: ClosedSegment, appended: Instant): void {
    const { first_seq, last_seq, first_time, last_time, last_hash, sha256, bytes, head, compressed, psps } = segment;
    const [newest] = this.#rows<{ day: string; indexed: number }>(STATEMENTS.lastDay);
    // days follow each other as segments do, whatever the clock says, and one with an index gets no more
    const least = newest ? (newest.indexed > 0 ? nameDay(Date.parse(newest.day) + DAY_MS) : newest.day) : "";
    const day = [least, nameDay(appended)].toSorted().at(-1) ?? least;
    const values = [first_seq, last_seq, first_time, last_time, last_hash, sha256, bytes, head];
    this.#sql.exec(STATEMENTS.insert, ...values, day, JSON.stringify(psps));
    this.#sql.exec(STATEMENTS.insertBytes, first_seq, bytes, compressed.buffer);
    this.#sql.exec(STATEMENTS.noteDay, day, first_seq, last_seq, first_time, last_time);
    this.latest = Math.max(this.latest, last_time);
  }

  /** Those whose bytes are here. */
  get waiting(): { readonly segments: number; readonly bytes: number } {
    const [sum = { segments: 0, bytes: 0 }] = this.#rows<{ segments: number; bytes: number }>(STATEMENTS.sumBytes);
    return sum;
  }

  /** Moves the oldest segment whose bytes are here to R2. False if there is none. Throws StoreError. */
  async moveOldest(files: SegmentFiles): Promise<boolean> {
    const [oldest] = this.#rows<{ first_seq: number }>(STATEMENTS.oldestBytes);
    if (!oldest) return false;
    const segment = this.#places.before(oldest.first_seq);
    const compressed = this.#places.bytesOf(oldest.first_seq);
    if (segment && compressed) await files.putSegment(segment, compressed);
    // a process that ends before this line puts the same file again
    this.#sql.exec(STATEMENTS.deleteBytes, oldest.first_seq);
    return true;
  }

  /** The oldest go until the rest is within the limit. `failing`: there is R2, and it takes none. Returns how many went. */
  dropOldest(failing: boolean, limit = failing ? KEPT_WHILE_FAILING_BYTES : KEPT_HERE_BYTES): number {
    let { bytes } = this.waiting;
    let dropped = 0;
    while (bytes > limit) {
      const [oldest] = this.#rows<{ first_seq: number; bytes: number }>(STATEMENTS.oldestBytes);
      if (!oldest || !this.#forget(oldest.first_seq)) break;
      bytes -= oldest.bytes;
      dropped++;
    }
    return dropped;
  }

  /** False for the newest, from which the chain goes on. */
  #forget(firstSeq: number): boolean {
    const [row] = this.#rows<{ day: string }>(STATEMENTS.older, firstSeq);
    if (!row) return false;
    this.#sql.exec(STATEMENTS.deleteBytes, firstSeq);
    this.#sql.exec(STATEMENTS.deleteSegment, firstSeq);
    const left = this.#rows(STATEMENTS.ofDay, row.day).length;
    this.#sql.exec(left === 0 ? STATEMENTS.deleteDay : STATEMENTS.moveDay, row.day);
    return true;
  }

  /** Writes the index of the oldest day that is over and has none. False if there is none. Throws StoreError. */
  async indexOldest(files: SegmentFiles, now: Instant): Promise<boolean> {
    const [over] = this.#rows<{ day: string }>(STATEMENTS.unindexed, nameDay(now));
    if (!over) return false;
    await files.putIndex(indexDay(over.day, this.#rows<Segment>(STATEMENTS.ofDay, over.day), this.#pspsOf(over.day)));
    this.#sql.exec(STATEMENTS.setIndexed, over.day);
    return true;
  }

  /** Of each segment, one after another: together they may be more than the object's memory. */
  *#pspsOf(day: string): Generator<string[]> {
    for (const { psps } of this.#sql.exec<{ psps: string }>(STATEMENTS.pspsOfDay, day)) yield JSON.parse(psps);
  }

  /** Deletes the rows that say what files of days say, too. */
  deleteIndexed(now: Instant): void {
    this.#sql.exec(STATEMENTS.deleteIndexed, nameDay(now - ROWS_KEPT_DAYS * DAY_MS));
  }

  /**
   * Deletes the oldest day with all its segments if its last record is from before `until`. False if nothing was to be
   * deleted. Throws StoreError; then it is done by the next call.
   */
  async expireOldest(files: SegmentFiles | null, until: Instant): Promise<boolean> {
    const [oldest] = this.#rows<{ day: string; last_time: Instant; indexed: number; last_seq: number }>(
      STATEMENTS.oldestDay,
    );
    if (!oldest || oldest.last_time >= until) return false;
    const here = this.#rows<Segment>(STATEMENTS.ofDay, oldest.day);
    if (files) {
      // what is left of it after an interruption is no more read than what is gone
      this.#sql.exec(STATEMENTS.setExpiring, oldest.day);
      const read = oldest.indexed > 0 ? await files.getIndex(oldest.day) : null;
      const firsts = new Set([...here, ...(read?.ok ? read.index.segments : [])].map(({ first_seq }) => first_seq));
      const keys = [...firsts].map((first) => files.segmentKey(first));
      for (let i = 0; i < keys.length; i += 1000) await files.delete(keys.slice(i, i + 1000));
      // last: by it an interrupted deletion is done again
      await files.delete([files.indexKey(oldest.day)]);
    }
    const newest = this.end.seq;
    for (const { first_seq, last_seq } of here) {
      this.#sql.exec(STATEMENTS.deleteBytes, first_seq);
      if (last_seq !== newest) this.#sql.exec(STATEMENTS.deleteSegment, first_seq);
    }
    this.#sql.exec(STATEMENTS.deleteDay, oldest.day);
    return true;
  }

  /** The oldest day that is kept, and its first record; null if no segment is. */
  get oldest(): { readonly day: string; readonly first_seq: number; readonly last_time: Instant } | null {
    return this.#rows<{ day: string; first_seq: number; last_time: Instant }>(STATEMENTS.oldestKept)[0] ?? null;
  }
}
