/**
 * The files of a ledger in R2: closed segments, and for each day the index of its segments. A segment never changes, so a
 * file that is there already is either the same, which an attempt without an answer has left, or an alarm. What such an
 * attempt has left of an index is written over: another release, or another gzip, may write the same in other bytes.
 */
import { hashBytes } from "../../platform/node-crypto.ts";
import { callStore, StoreError } from "../../platform/stores.ts";
import { transform } from "./compression.ts";
import type { Damage } from "./damage.ts";
import type { DayIndex } from "./day-index.ts";
import type { Segment } from "./segment.ts";

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
