/** Looks for records in one ledger, in the open segment and in closed ones: by what they say, by evidence id, by number. */
import { timeOfRecordId } from "../../grants/record-order.ts";
import { type Damage, isDamage } from "./damage.ts";
import type { OpenSegment } from "./open-segment.ts";
import type { LedgerEntry, LedgerRecord } from "./record.ts";
import { isAsked, type RecordQuery } from "./record-query.ts";
import type { Segment } from "./segment.ts";
import type { SegmentFiles } from "./segment-files.ts";
import type { SegmentPlaces, SegmentReading } from "./segment-places.ts";

export interface RecordPage {
  /** As they are stored: newest first from `list`, in their order from `range`. */
  readonly texts: readonly string[];
  /** Where the next page begins; null if this was the last. A page may be short, or empty, and not be the last. */
  readonly next: number | null;
  /** Records that may be meant and cannot be read, in the order of the page. */
  readonly gaps: readonly Damage[];
}

/** Closed segments that one call reads at most, and files of days: a page is of few days, for it comes with their heads. */
const READS_PER_CALL = 8;
/** Files of days without anything for the page: most may not name the PSP. */
const EMPTY_DAYS_PER_CALL = 100;

export class RecordSearch {
  readonly #open: OpenSegment;
  readonly #places: SegmentPlaces;
  /** Null without R2. */
  readonly #files: () => SegmentFiles | null;
  /** The segment that was read last: whoever reads on needs it again, and it never changes. */
  #lastRead: { readonly first_seq: number; readonly texts: readonly string[] } | null = null;

  constructor(open: OpenSegment, places: SegmentPlaces, files: () => SegmentFiles | null) {
    this.#open = open;
    this.#places = places;
    this.#files = files;
  }

  /** Newest first. Reads a few segments for each call: an empty page whose `next` is not null is not the end. Throws StoreError. */
  async list(query: RecordQuery): Promise<RecordPage> {
    const texts: string[] = [];
    const gaps: Damage[] = [];
    const page = (next: number | null): RecordPage => ({ texts, next, gaps });
    const start = query.before ?? this.#open.end.seq + 1;
    /** The number of the record that filled the page; null while there is room. */
    const take = (newestFirst: Iterable<string>): number | null => {
      for (const text of newestFirst) {
        const record = JSON.parse(text) as LedgerRecord;
        if (record.seq < start && isAsked(record, query) && texts.push(text) >= query.limit) return record.seq;
      }
      return null;
    };
    const full = take(this.#open.textsBefore(start));
    if (full !== null) return page(full);
    let [segments, days] = [0, 0];
    let unread: number | null = null;
    const mayReadDay = (before: number): boolean => {
      if (days++ < (texts.length === 0 ? EMPTY_DAYS_PER_CALL : READS_PER_CALL)) return true;
      unread = before;
      return false;
    };
    const files = this.#files();
    for await (const place of this.#places.find(files, { ...query, before: start }, query.psp, mayReadDay)) {
      if (isDamage(place)) {
        gaps.push(place);
        continue;
      }
      if (segments++ >= READS_PER_CALL) return page(place.last_seq + 1);
      const read = await this.#read(files, place);
      if (!read.ok) gaps.push(read.damage);
      const full = read.ok ? take(read.texts.toReversed()) : null;
      if (full !== null) return page(full);
    }
    return page(unread);
  }

  /** The text of the record with this evidence id; null if there is none; the damage by which that cannot be said. Throws StoreError. */
  async find(id: string): Promise<string | Damage | null> {
    const isIt = (text: string) => text.includes(id) && idOf(text) === id;
    if (this.#open.has(id)) return [...this.#open.textsBefore(Number.MAX_SAFE_INTEGER)].find(isIt) ?? null;
    const time = timeOfRecordId(id);
    if (time === null) return null;
    const files = this.#files();
    const asked = { before: null, from: time, to: time + 1 };
    const places: (Segment | Damage)[] = [];
    for await (const place of this.#places.find(files, asked, null)) places.push(place);
    let damaged: Damage | null = null;
    // oldest first: what begins later is read only where nothing was found
    for (const place of places.reverse()) {
      const read = isDamage(place) ? ({ ok: false, damage: place } as const) : await this.#read(files, place);
      if (!read.ok) damaged ??= read.damage;
      const found = read.ok ? read.texts.find(isIt) : undefined;
      if (found !== undefined) return found;
    }
    return damaged;
  }

  /**
   * Which of these entries closed segments have, by id. Each segment is read once: an append of 512 records that is sent again
   * must not open 512 of them. What is damaged has none: a record may be kept twice, none is lost. Throws StoreError.
   */
  async findClosed(entries: readonly LedgerEntry[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const wanted = new Set(entries.map(({ id }) => id));
    const times = [...wanted].flatMap((id) => timeOfRecordId(id) ?? []);
    if (times.length === 0) return found;
    const asked = { before: null, from: Math.min(...times), to: Math.max(...times) + 1 };
    const files = this.#files();
    for await (const place of this.#places.find(files, asked, null)) {
      if (isDamage(place) || !times.some((time) => time >= place.first_time && time <= place.last_time)) continue;
      const read = await this.#read(files, place);
      for (const id of read.ok ? read.texts.map(idOf) : []) if (wanted.has(id)) found.add(id);
    }
    return found;
  }

  /** Records by their numbers, both inclusive; a segment's at most. Throws StoreError. */
  async range(from: number, to: number): Promise<RecordPage> {
    const read = await this.#readFrom(from, to);
    const page = (last: number, texts: readonly string[], gaps: readonly Damage[]): RecordPage => {
      return { texts, next: last >= Math.min(to, this.#open.end.seq) ? null : last + 1, gaps };
    };
    if (!read.ok) return page(read.damage.last_seq, [], [read.damage]);
    const texts = read.texts.slice(Math.max(0, from - read.first_seq), Math.max(0, to - read.first_seq + 1));
    const first = Math.max(from, read.first_seq);
    return page(texts.length === 0 ? to : first + texts.length - 1, texts, []);
  }

  async #readFrom(from: number, to: number): Promise<SegmentReading & { readonly first_seq: number }> {
    const files = this.#files();
    const place = await this.#places.findFrom(files, from);
    if (!place || place.first_seq > to) return { ok: true, ...this.#open.textsBetween(from, to) };
    const read = isDamage(place) ? ({ ok: false, damage: place } as const) : await this.#read(files, place);
    return { ...read, first_seq: place.first_seq };
  }

  async #read(files: SegmentFiles | null, segment: Segment): Promise<SegmentReading> {
    const { first_seq } = segment;
    if (this.#lastRead?.first_seq === first_seq) return { ok: true, texts: this.#lastRead.texts };
    const read = await this.#places.read(files, segment);
    if (read.ok) this.#lastRead = { first_seq, texts: read.texts };
    return read;
  }
}

const idOf = (text: string): string => (JSON.parse(text) as LedgerRecord).id;
