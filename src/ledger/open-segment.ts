/**
 * The records of a ledger that are in no closed segment yet (closed-segments.ts). One row for each append: a written row
 * is what the platform bills, and records that travelled together stay together.
 */
import { type ChainEnd, chainText, hashRecord, type LedgerEntry, type LedgerRecord } from "./record.ts";

export const OPEN_SEGMENT_TABLE = `
  CREATE TABLE IF NOT EXISTS batches (
    first_seq INTEGER NOT NULL PRIMARY KEY,
    last_seq  INTEGER NOT NULL,
    at        INTEGER NOT NULL, -- when they were appended
    lines     TEXT    NOT NULL  -- the records' texts, separated by line feeds
  ) STRICT`;

const INSERT = "INSERT INTO batches (first_seq, last_seq, at, lines) VALUES (?1, ?2, ?3, ?4)";
const OLDEST_FIRST = "SELECT first_seq, last_seq, at, lines FROM batches ORDER BY first_seq";
const NEWEST_FIRST = "SELECT lines FROM batches WHERE first_seq < ?1 ORDER BY first_seq DESC";
const REMOVE = "DELETE FROM batches WHERE first_seq <= ?1";
/** As many as one read of a closed segment gives at most. */
const BETWEEN = "SELECT lines FROM batches WHERE last_seq >= ?1 AND first_seq <= ?2 ORDER BY first_seq LIMIT 256";

/** A segment is closed with so many records, or so much text, or when its day (UTC) is over. */
export const SEGMENT_RECORDS = 4_096;
export const SEGMENT_CHARACTERS = 3 * 1024 * 1024;
const DAY_MS = 86_400_000;

export interface Batch {
  readonly first_seq: number;
  readonly last_seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly lines: string;
}

export interface Appended {
  readonly text: string;
  readonly record: LedgerRecord;
}

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export class OpenSegment {
  readonly #sql: SqlStorage;
  /** Of what the rows hold, so that an append reads nothing. */
  readonly #ids = new Set<string>();
  #end: ChainEnd;
  #since: number | null = null;
  #characters = 0;

  /** `before`: the end of the last closed segment. `each` is given every record that the rows hold. */
  constructor(sql: SqlStorage, before: ChainEnd, each: (record: LedgerRecord) => void) {
    this.#sql = sql;
    this.#end = before;
    for (const { at, lines } of this.#batches()) {
      this.#since ??= at;
      this.#characters += lines.length;
      const texts = lines.split("\n");
      for (const text of texts) {
        const record = JSON.parse(text) as LedgerRecord;
        this.#ids.add(record.id);
        each(record);
      }
      const last = texts.at(-1) ?? "";
      this.#end = { seq: this.#end.seq + texts.length, hash: hashRecord(last) };
    }
  }

  get end(): ChainEnd {
    return this.#end;
  }

  get records(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Numbers and chains the entries (JSON), and stores them in one row. One whose id is here already is left out. */
  append(entries: readonly string[], now: number): Appended[] {
    const appended: Appended[] = [];
    const first = this.#end.seq + 1;
    let end = this.#end;
    for (const entry of entries) {
      const made = JSON.parse(entry) as LedgerEntry;
      if (this.#ids.has(made.id) || appended.some(({ record }) => record.id === made.id)) continue;
      const text = chainText(entry, end);
      appended.push({ text, record: { ...made, seq: end.seq + 1, prev: end.hash } });
      end = { seq: end.seq + 1, hash: hashRecord(text) };
    }
    if (appended.length === 0) return appended;
    const lines = appended.map(({ text }) => text).join("\n");
    this.#sql.exec(INSERT, first, end.seq, now, lines);
    this.#end = end;
    this.#since ??= now;
    this.#characters += lines.length;
    for (const { record } of appended) this.#ids.add(record.id);
    return appended;
  }

  /** Whether a part of it is to be closed. */
  isFull(now: number): boolean {
    if (this.#since === null) return false;
    return (
      this.#ids.size >= SEGMENT_RECORDS || this.#characters >= SEGMENT_CHARACTERS || dayOf(this.#since) < dayOf(now)
    );
  }

  /** When it is to be closed although nothing more comes; null while it is empty. Milliseconds since 1970. */
  get closesAt(): number | null {
    return this.#since === null ? null : (Math.floor(this.#since / DAY_MS) + 1) * DAY_MS;
  }

  /** The oldest batches, as many as one segment holds and of one day; none if it is empty. */
  oldest(): Batch[] {
    const taken: Batch[] = [];
    let [records, characters] = [0, 0];
    for (const batch of this.#batches()) {
      const [first = batch] = taken;
      if (records >= SEGMENT_RECORDS || characters >= SEGMENT_CHARACTERS || dayOf(first.at) < dayOf(batch.at)) break;
      taken.push(batch);
      records += batch.last_seq - batch.first_seq + 1;
      characters += batch.lines.length;
    }
    return taken;
  }

  #batches(): Iterable<Batch> {
    return this.#sql.exec<Batch & Record<string, SqlStorageValue>>(OLDEST_FIRST);
  }

  /** Deletes the rows of {@link oldest}: in the transaction that stores them elsewhere. */
  remove(batches: readonly Batch[]): void {
    const last = batches.at(-1);
    if (!last) return;
    this.#sql.exec(REMOVE, last.first_seq);
    for (const { lines } of batches) {
      this.#characters -= lines.length;
      for (const text of lines.split("\n")) this.#ids.delete((JSON.parse(text) as LedgerRecord).id);
    }
    const [next] = this.#sql.exec<{ at: number }>("SELECT at FROM batches ORDER BY first_seq LIMIT 1");
    this.#since = next?.at ?? null;
  }

  /** Newest first, those before `seq`. */
  *textsBefore(seq: number): Generator<string> {
    for (const { lines } of this.#sql.exec<{ lines: string }>(NEWEST_FIRST, seq)) yield* lines.split("\n").reverse();
  }

  /** In their order; may end before `to`, and begin before `from`. */
  textsBetween(from: number, to: number): string[] {
    return [...this.#sql.exec<{ lines: string }>(BETWEEN, from, to)].flatMap(({ lines }) => lines.split("\n"));
  }
}
