/**
 * Looks for records in one ledger, in the open segment and in closed ones: by what they say, by evidence id, by number.
 */
import { timeOfRecordId } from "../grants/record-id.ts";
import { idIn, type OpenSegment } from "./open-segment.ts";
import type { LedgerRecord } from "./record.ts";
import { isAsked, type RecordQuery } from "./record-query.ts";
import type { Segment } from "./segment.ts";
import type { SegmentFiles } from "./segment-files.ts";
import type { SegmentPlaces } from "./segment-places.ts";

export interface RecordPage {
  /** As they are stored: newest first from `list`, in their order from `range`. */
  readonly texts: readonly string[];
  /** Where the next page begins; null if this was the last. A page may be short, or empty, and not be the last. */
  readonly next: number | null;
}

/** Closed segments that one call reads at most, and files of days: a page is of few days, for it comes with their heads. */
const READS_PER_CALL = 8;
/** Files of days without anything for the page: most may not name the PSP. */
const EMPTY_DAYS_PER_CALL = 100;
/**
 * Until 0.6.1 the times of a segment left out those of ids (segment.ts): a record whose body came late, by so much at most, may be
 * in one that begins after its id's time.
 */
const LATE_MS = 60_000;

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
    const take = (text: string): boolean => {
      if (isAsked(JSON.parse(text) as LedgerRecord, query)) texts.push(text);
      return texts.length >= query.limit;
    };
    const start = query.before ?? this.#open.end.seq + 1;
    for (const text of this.#open.textsBefore(start))
      if (seqOf(text) < start && take(text)) return page(texts, seqOf(text));
    let [segments, days] = [0, 0];
    let unread: number | null = null;
    const mayReadDay = (before: number): boolean => {
      if (days++ < (texts.length === 0 ? EMPTY_DAYS_PER_CALL : READS_PER_CALL)) return true;
      unread = before;
      return false;
    };
    const files = this.#files();
    for await (const segment of this.#places.find(files, { ...query, before: start }, query.psp, mayReadDay)) {
      if (segments++ >= READS_PER_CALL) return page(texts, segment.last_seq + 1);
      for (const text of (await this.#read(files, segment)).toReversed())
        if (seqOf(text) < start && take(text)) return page(texts, seqOf(text));
    }
    return page(texts, unread);
  }

  /** The text of the record with this evidence id; null if there is none. Throws StoreError. */
  async find(id: string): Promise<string | null> {
    const named = `"id":"${id}"`;
    const isIt = (text: string) => text.includes(named) && (JSON.parse(text) as LedgerRecord).id === id;
    if (this.#open.has(id)) {
      for (const text of this.#open.textsBefore(Number.MAX_SAFE_INTEGER)) if (isIt(text)) return text;
    }
    const time = timeOfRecordId(id);
    if (time === null) return null;
    const files = this.#files();
    const segments: Segment[] = [];
    const asked = { before: null, from: time, to: time + LATE_MS };
    for await (const segment of this.#places.find(files, asked, null)) segments.push(segment);
    // oldest first: what begins later is read only where nothing was found
    for (const segment of segments.reverse()) {
      const found = (await this.#read(files, segment)).find(isIt);
      if (found !== undefined) return found;
    }
    return null;
  }

  /**
   * Which of these evidence ids closed segments have. Each segment is read once and one after another: an append of 512
   * records that is sent again must not open 512 of them. Throws StoreError.
   */
  async findClosed(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const wanted = new Set(ids);
    const times = ids.flatMap((id) => timeOfRecordId(id) ?? []);
    if (times.length === 0) return found;
    const asked = { before: null, from: Math.min(...times), to: Math.max(...times) + 1 };
    const files = this.#files();
    for await (const segment of this.#places.find(files, asked, null)) {
      if (!times.some((time) => time >= segment.first_time && time <= segment.last_time)) continue;
      for (const text of await this.#read(files, segment)) if (wanted.has(idIn(text))) found.add(idIn(text));
    }
    return found;
  }

  /** Records by their numbers, both inclusive; a segment's at most. Throws StoreError. */
  async range(from: number, to: number): Promise<RecordPage> {
    const files = this.#files();
    const segment = await this.#places.findFrom(files, from);
    const read =
      segment && segment.first_seq <= to ? await this.#read(files, segment) : this.#open.textsBetween(from, to);
    const texts = read.filter((text) => seqOf(text) >= from && seqOf(text) <= to);
    const last = texts.at(-1);
    const next = last === undefined ? null : seqOf(last) + 1;
    return page(texts, next !== null && next <= Math.min(to, this.#open.end.seq) ? next : null);
  }

  async #read(files: SegmentFiles | null, segment: Segment): Promise<readonly string[]> {
    if (this.#lastRead?.first_seq !== segment.first_seq)
      this.#lastRead = { first_seq: segment.first_seq, texts: await this.#places.read(files, segment) };
    return this.#lastRead.texts;
  }
}

const page = (texts: readonly string[], next: number | null): RecordPage => ({ texts, next });

/** A record's text begins with its number (record.ts). */
const seqOf = (text: string): number => Number.parseInt(text.slice('{"seq":'.length), 10);
