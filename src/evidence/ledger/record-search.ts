/**
 * Looks for records in one ledger, in the open segment and in closed ones: by what they say, by evidence id, by number.
 */
import { timeOfRecordId } from "../../grants/record-order.ts";
import type { Damage } from "./damage.ts";
import { idIn, type OpenSegment } from "./open-segment.ts";
import type { LedgerRecord } from "./record.ts";
import { isAsked, type RecordQuery } from "./record-query.ts";
import type { Segment } from "./segment.ts";
import type { SegmentFiles } from "./segment-files.ts";
import { isDamage, type SegmentPlaces, type SegmentReading } from "./segment-places.ts";

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
    const gaps: Damage[] = [];
    const page = (next: number | null): RecordPage => ({ texts, next, gaps });
    const take = (text: string): boolean => {
      if (isAsked(JSON.parse(text) as LedgerRecord, query)) texts.push(text);
      return texts.length >= query.limit;
    };
    const start = query.before ?? this.#open.end.seq + 1;
    for (const text of this.#open.textsBefore(start)) if (seqOf(text) < start && take(text)) return page(seqOf(text));
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
      else for (const text of read.texts.toReversed()) if (seqOf(text) < start && take(text)) return page(seqOf(text));
    }
    return page(unread);
  }

  /** The text of the record with this evidence id; null if there is none; the damage by which that cannot be said. Throws StoreError. */
  async find(id: string): Promise<string | Damage | null> {
    const named = `"id":"${id}"`;
    const isIt = (text: string) => text.includes(named) && (JSON.parse(text) as LedgerRecord).id === id;
    if (this.#open.has(id)) {
      for (const text of this.#open.textsBefore(Number.MAX_SAFE_INTEGER)) if (isIt(text)) return text;
    }
    const time = timeOfRecordId(id);
    if (time === null) return null;
    const files = this.#files();
    const places: (Segment | Damage)[] = [];
    const asked = { before: null, from: time, to: time + LATE_MS };
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
   * Which of these evidence ids closed segments have. Each segment is read once and one after another: an append of 512
   * records that is sent again must not open 512 of them. What is damaged has none: a record may be kept twice, none is lost. Throws StoreError.
   */
  async findClosed(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    const wanted = new Set(ids);
    const times = ids.flatMap((id) => timeOfRecordId(id) ?? []);
    if (times.length === 0) return found;
    const asked = { before: null, from: Math.min(...times), to: Math.max(...times) + 1 };
    const files = this.#files();
    for await (const place of this.#places.find(files, asked, null)) {
      if (isDamage(place) || !times.some((time) => time >= place.first_time && time <= place.last_time)) continue;
      const read = await this.#read(files, place);
      for (const text of read.ok ? read.texts : []) if (wanted.has(idIn(text))) found.add(idIn(text));
    }
    return found;
  }

  /** Records by their numbers, both inclusive; a segment's at most. Throws StoreError. */
  async range(from: number, to: number): Promise<RecordPage> {
    const read = await this.#readFrom(from, to);
    const page = (last: number | undefined, texts: readonly string[], gaps: readonly Damage[]): RecordPage => {
      const next = last === undefined || last >= Math.min(to, this.#open.end.seq) ? null : last + 1;
      return { texts, next, gaps };
    };
    if (!read.ok) return page(read.damage.last_seq, [], [read.damage]);
    const texts = read.texts.filter((text) => seqOf(text) >= from && seqOf(text) <= to);
    return page(texts.length === 0 ? undefined : seqOf(texts.at(-1) ?? ""), texts, []);
  }

  async #readFrom(from: number, to: number): Promise<SegmentReading> {
    const files = this.#files();
    const place = await this.#places.findFrom(files, from);
    if (!place || place.first_seq > to) return { ok: true, texts: this.#open.textsBetween(from, to) };
    return isDamage(place) ? { ok: false, damage: place } : await this.#read(files, place);
  }

  async #read(files: SegmentFiles | null, segment: Segment): Promise<SegmentReading> {
    if (this.#lastRead?.first_seq === segment.first_seq) return { ok: true, texts: this.#lastRead.texts };
    const read = await this.#places.read(files, segment);
    if (read.ok) this.#lastRead = { first_seq: segment.first_seq, texts: read.texts };
    return read;
  }
}

/** A record's text begins with its number (record.ts). */
const seqOf = (text: string): number => Number.parseInt(text.slice('{"seq":'.length), 10);
