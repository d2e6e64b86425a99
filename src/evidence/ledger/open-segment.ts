/**
 * The records of a ledger that are in no closed segment yet (closed-segments.ts). One row for each append: a written row
 * is what the platform bills, and records that travelled together stay together.
 */
import { nameDay, nextDay } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { type ChainEnd, chainText, hashRecord } from "./chain.ts";
import type { LedgerEntry, LedgerRecord } from "./record.ts";
import { SEGMENT_RECORDS } from "./record.ts";
import { growTree, rootOf, type TreeEnd } from "./record-tree.ts";

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
const AFTER = "SELECT lines FROM batches WHERE last_seq > ?1 ORDER BY first_seq";
const REMOVE = "DELETE FROM batches WHERE first_seq <= ?1";
/** As many as one read of a closed segment gives at most. */
const BETWEEN =
  "SELECT first_seq, lines FROM batches WHERE last_seq >= ?1 AND first_seq <= ?2 ORDER BY first_seq LIMIT 256";

const SEGMENT_CHARACTERS = 4 * 1024 * 1024;

export interface Batch {
  readonly first_seq: number;
  readonly last_seq: number;
  readonly at: Instant;
  readonly lines: string;
}

export class OpenSegment {
  readonly #sql: SqlStorage;
  /** So that an append reads nothing. */
  readonly #ids = new Set<string>();
  /** Of its records, in their order. */
  #hashes: string[] = [];
  /** Of the last record before. */
  #closedSeq: number;
  #end: ChainEnd;
  #since: Instant | null = null;
  #characters = 0;

  /** `before`: the end of the last closed segment. */
  constructor(sql: SqlStorage, before: ChainEnd) {
    this.#sql = sql;
    this.#end = before;
    this.#closedSeq = before.seq;
    for (const { at, last_seq, lines } of this.#batches()) {
      const texts = lines.split("\n");
      for (const text of texts) this.#ids.add((JSON.parse(text) as LedgerRecord).id);
      this.#grow(at, lines, texts.map(hashRecord), last_seq);
    }
  }

  #grow(at: Instant, lines: string, hashes: readonly string[], seq: number): void {
    this.#since ??= at;
    this.#characters += lines.length;
    this.#hashes.push(...hashes);
    this.#end = { seq, hash: hashes.at(-1) ?? this.#end.hash };
  }

  get end(): ChainEnd {
    return this.#end;
  }

  /** Of its records alone. */
  get hashes(): readonly string[] {
    return this.#hashes;
  }

  /** The number of its first record, also of one that is still to come. */
  get first(): number {
    return this.#closedSeq + 1;
  }

  /** Its end, with the tree of its records. */
  get tree(): TreeEnd {
    return { ...this.#end, first: this.first, root: rootOf(growTree(this.#hashes)) };
  }

  get records(): number {
    return this.#end.seq - this.#closedSeq;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Numbers and chains the entries, and stores them in one row. Returns how many: none if they are here already, as all or none are. */
  append(entries: readonly LedgerEntry[], now: Instant): number {
    const [first] = entries;
    if (first === undefined || this.has(first.id)) return 0;
    let end = this.#end;
    const hashes: string[] = [];
    const texts = entries.map((entry) => {
      const text = chainText(entry, end);
      end = { seq: end.seq + 1, hash: hashRecord(text) };
      hashes.push(end.hash);
      return text;
    });
    const lines = texts.join("\n");
    this.#sql.exec(INSERT, this.#end.seq + 1, end.seq, now, lines);
    for (const { id } of entries) this.#ids.add(id);
    this.#grow(now, lines, hashes, end.seq);
    return texts.length;
  }

  /** Whether a part of it is to be closed: with so many records, or so much text, or when its day (UTC) is over. */
  isFull(now: Instant): boolean {
    if (this.#since === null) return false;
    return (
      this.records >= SEGMENT_RECORDS || this.#characters >= SEGMENT_CHARACTERS || nameDay(this.#since) < nameDay(now)
    );
  }

  /** When it is to be closed although nothing more comes; null while it is empty. */
  get closesAt(): Instant | null {
    return this.#since === null ? null : nextDay(this.#since);
  }

  /** The oldest batches, as many as one segment holds and of one day; none if it is empty. */
  oldest(): Batch[] {
    const taken: Batch[] = [];
    let [records, characters] = [0, 0];
    for (const batch of this.#batches()) {
      const [first = batch] = taken;
      if (records >= SEGMENT_RECORDS || characters >= SEGMENT_CHARACTERS || nameDay(first.at) < nameDay(batch.at))
        break;
      taken.push(batch);
      records += batch.last_seq - batch.first_seq + 1;
      characters += batch.lines.length;
    }
    return taken;
  }

  #batches(): Iterable<Batch> {
    return this.#sql.exec<Batch & Record<string, SqlStorageValue>>(OLDEST_FIRST);
  }

  /** Deletes the rows of {@link oldest}: in the transaction that stores their records elsewhere. Then {@link forget}. */
  remove(batches: readonly Batch[]): void {
    this.#sql.exec(REMOVE, batches.at(-1)?.first_seq ?? 0);
  }

  /** After the transaction of {@link remove}: one that fails has removed nothing. `records`: those of the batches. */
  forget(batches: readonly Batch[], records: readonly LedgerRecord[]): void {
    this.#closedSeq = batches.at(-1)?.last_seq ?? this.#closedSeq;
    for (const { lines } of batches) this.#characters -= lines.length;
    this.#hashes = this.#hashes.slice(records.length);
    for (const { id } of records) this.#ids.delete(id);
    const [next] = this.#sql.exec<{ at: Instant }>("SELECT at FROM batches ORDER BY first_seq LIMIT 1");
    this.#since = next?.at ?? null;
  }

  /** Newest first; may begin after `seq`. */
  *textsBefore(seq: number): Generator<string> {
    for (const { lines } of this.#sql.exec<{ lines: string }>(NEWEST_FIRST, seq)) yield* lines.split("\n").reverse();
  }

  /** In their order; may begin before `seq`. */
  *textsAfter(seq: number): Generator<string> {
    for (const { lines } of this.#sql.exec<{ lines: string }>(AFTER, seq)) yield* lines.split("\n");
  }

  /** In their order, with the number of the first; may end before `to`, and begin before `from`. */
  textsBetween(from: number, to: number): { readonly first_seq: number; readonly texts: readonly string[] } {
    const rows = [...this.#sql.exec<Pick<Batch, "first_seq" | "lines">>(BETWEEN, from, to)];
    return { first_seq: rows[0]?.first_seq ?? from, texts: rows.flatMap(({ lines }) => lines.split("\n")) };
  }
}
