/**
 * The files of a ledger in R2: closed segments, and for each day the index of its segments. A segment never changes, so a
 * file that is there already is either the same, which an attempt without an answer has left, or an alarm. What such an
 * attempt has left of an index is written over: another release, or another gzip, may write the same in other bytes.
 */
import { hashBytes } from "../../platform/node-crypto.ts";
import { callStore, StoreError } from "../../platform/stores.ts";
import type { Damage } from "./damage.ts";
import { transform } from "./document-bundle.ts";
import type { Segment } from "./segment.ts";

/** What the file of a day says. `psps`: by authorisation number the places of its segments in the list. */
export interface DayIndex {
  readonly day: string;
  readonly segments: readonly Segment[];
  readonly psps: Readonly<Record<string, readonly number[]>>;
}

/** In the place of a number: segments that may hold any. */
const ANY = "";
/**
 * In bytes of the heap, about, of the 128 MB that an object has: numbers are in certificates that anybody can make. It is that of a
 * thousand PSPs in each of 2,000 segments.
 */
const ROOM = 16 * 1024 ** 2;
const [NAME_BYTES, PLACE_BYTES] = [64, 8];

/** `listed`: the numbers of each segment. One whose numbers find no room is listed under {@link ANY}. */
export function indexDay(
  day: string,
  segments: readonly Segment[],
  listed: Iterable<readonly string[]>,
  room = ROOM,
): DayIndex {
  const places = new Map<string, number[]>();
  const weigh = (psp: string) => PLACE_BYTES + (places.has(psp) ? 0 : NAME_BYTES + 2 * psp.length);
  let place = 0;
  let left = room;
  for (const psps of listed) {
    const bytes = psps.reduce((sum, psp) => sum + weigh(psp), 0);
    const isRoom = bytes <= left;
    if (isRoom) left -= bytes;
    for (const psp of isRoom ? psps : [ANY]) {
      const known = places.get(psp);
      if (known) known.push(place);
      else places.set(psp, [place]);
    }
    place++;
  }
  return { day, segments, psps: Object.fromEntries(places) };
}

/** Those that may hold records of the PSP, newest first. */
export function segmentsOf({ segments, psps }: DayIndex, psp: string | null): Segment[] {
  if (psp === null) return segments.toReversed();
  // by own names only: whoever asks for a PSP of the name "constructor" gets none
  const places = new Set([psp, ANY].flatMap((name) => (Object.hasOwn(psps, name) ? (psps[name] ?? []) : [])));
  return segments.filter((_, place) => places.has(place)).toReversed();
}

const SEQ_DIGITS = 12;

export class SegmentFiles {
  readonly #bucket: R2Bucket;
  readonly #fiId: number;

  /** `fiId`: the institution's id, which no other is ever given. */
  constructor(bucket: R2Bucket, fiId: number) {
    this.#bucket = bucket;
    this.#fiId = fiId;
  }

  segmentKey(firstSeq: number): string {
    return `ledger/${this.#fiId}/${String(firstSeq).padStart(SEQ_DIGITS, "0")}.jsonl.gz`;
  }

  indexKey(day: string): string {
    return `ledger/${this.#fiId}/index/${day}.json.gz`;
  }

  /** Throws {@link StoreError}; then it is not known whether the file is there. */
  async putSegment({ first_seq, sha256 }: Segment, compressed: Uint8Array<ArrayBuffer>): Promise<void> {
    const key = this.segmentKey(first_seq);
    // R2 compares the bytes with the digest, and writes over nothing
    const onlyIf = new Headers({ "If-None-Match": "*" });
    const put = await callStore("R2", () => this.#bucket.put(key, compressed, { sha256, onlyIf }));
    if (put) return;
    const there = await callStore("R2", () => this.#bucket.head(key));
    const digest = there?.checksums.toJSON().sha256;
    if (digest !== sha256)
      throw new StoreError(`R2: ${key} holds something else (SHA-256 ${digest ?? "unknown"}, not ${sha256})`);
  }

  /** Null if there is no such file. Throws {@link StoreError}. */
  async getSegment({ first_seq }: Pick<Segment, "first_seq">): Promise<Uint8Array<ArrayBuffer> | null> {
    return await this.#get(this.segmentKey(first_seq));
  }

  async putIndex(index: DayIndex): Promise<void> {
    const compressed = await transform(JSON.stringify(index), new CompressionStream("gzip"));
    const sha256 = hashBytes("sha256", compressed);
    await callStore("R2", () => this.#bucket.put(this.indexKey(index.day), compressed, { sha256 }));
  }

  /** The index of a day, or what is wrong with its file. Throws {@link StoreError}. */
  async getIndex(
    day: string,
  ): Promise<
    { readonly ok: true; readonly index: DayIndex } | { readonly ok: false; readonly reason: Damage["reason"] }
  > {
    const compressed = await this.#get(this.indexKey(day));
    if (!compressed) return { ok: false, reason: "missing" };
    try {
      const json = await transform(compressed, new DecompressionStream("gzip"));
      const index = JSON.parse(new TextDecoder().decode(json)) as DayIndex;
      if (index.day === day && Array.isArray(index.segments)) return { ok: true, index };
    } catch {}
    return { ok: false, reason: "unreadable" };
  }

  /** At most 1,000 keys. */
  async delete(keys: string[]): Promise<void> {
    if (keys.length > 0) await callStore("R2", () => this.#bucket.delete(keys));
  }

  async #get(key: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const found = await callStore("R2", () => this.#bucket.get(key));
    return found && new Uint8Array(await callStore("R2", () => found.arrayBuffer()));
  }
}

export const OWNER_TABLE = `
  CREATE TABLE IF NOT EXISTS institution (
    one   INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    fi_id INTEGER NOT NULL,
    fi    TEXT    NOT NULL -- fi_reference_id
  ) STRICT`;

const READ_OWNER = "SELECT fi_id, fi FROM institution";
const INSERT_OWNER = "INSERT INTO institution (one, fi_id, fi) VALUES (1, ?1, ?2)";

interface Institution {
  readonly fi_id: number;
  readonly fi: string;
}

/** Whose ledger an object keeps: its first record says it. */
export class LedgerOwner {
  readonly #sql: SqlStorage;
  #institution: Institution | null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#institution = [...sql.exec<Institution & Record<string, SqlStorageValue>>(READ_OWNER)][0] ?? null;
  }

  /** Its `fi_reference_id` at the first record; null before that. */
  get fi(): string | null {
    return this.#institution?.fi ?? null;
  }

  /** Of the first record. */
  note(fi_id: number, fi: string): void {
    this.#sql.exec(INSERT_OWNER, fi_id, fi);
    this.#institution = { fi_id, fi };
  }

  /** Where its segments lie; null without R2, and before the first record. */
  filesIn(bucket: R2Bucket | undefined): SegmentFiles | null {
    return bucket && this.#institution ? new SegmentFiles(bucket, this.#institution.fi_id) : null;
  }
}
