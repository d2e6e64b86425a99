/**
 * A closed segment: consecutive records as JSON lines, compressed, with what is needed to find it. It never changes: its
 * SHA-256 is kept beside it, and the hash of its last record is what the next one continues.
 */
import { timeOfRecordId } from "../../grants/record-order.ts";
import type { Instant } from "../../platform/instant.ts";
import { hashBytes } from "../../platform/node-crypto.ts";
import { type ChainEnd, hashRecord } from "./chain.ts";
import type { Damage } from "./damage.ts";
import { transform } from "./document-bundle.ts";
import { type LedgerRecord, pspsOf } from "./record.ts";
import type { RecordQuery } from "./record-query.ts";
import { growTree, rootOf, type TreeEnd } from "./record-tree.ts";

export interface Segment {
  readonly first_seq: number;
  readonly last_seq: number;
  /**
   * Of its records, the earliest and the latest. An id is of the request's arrival, before the record's time if a body came
   * later; both count. A slow request's record may be in a later segment.
   */
  readonly first_time: Instant;
  readonly last_time: Instant;
  /** Of its last record. */
  readonly last_hash: string;
  /** Of the compressed bytes, in lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** The signed end (head.ts); null if there was no signing key. */
  readonly head: string | null;
}

/** Of a {@link Segment}. */
export const SEGMENT_COLUMNS = "first_seq, last_seq, first_time, last_time, last_hash, sha256, bytes, head";

export interface ClosedSegment extends Segment {
  readonly records: readonly LedgerRecord[];
  readonly compressed: Uint8Array<ArrayBuffer>;
  /** Authorisation numbers that occur in it. */
  readonly psps: readonly string[];
}

/**
 * Of zlib. A segment is compressed in the object that appends, so its time is that of the records that come meanwhile:
 * two fifths of the usual level's (6), for 5 % more bytes.
 */
const COMPRESSION_LEVEL = 1;
/** In the usual pieces of 16 KB it takes a sixth longer. Most segments have four of these. */
const PIECE_BYTES = 128 * 1024;

/** `lines`: the texts of at least one record, separated by line feeds. */
export function closeSegment(lines: string): Omit<ClosedSegment, "head"> {
  // a line feed inside a text is escaped
  const records = lines.split("\n").map((text) => JSON.parse(text) as LedgerRecord);
  const { gzipSync } = process.getBuiltinModule("node:zlib");
  const compressed = new Uint8Array(gzipSync(`${lines}\n`, { level: COMPRESSION_LEVEL, chunkSize: PIECE_BYTES }));
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { id, time } of records) {
    const recorded = Date.parse(time);
    const arrived = timeOfRecordId(id) ?? recorded;
    first = Math.min(first, recorded, arrived);
    last = Math.max(last, recorded, arrived);
  }
  return {
    first_seq: records[0]?.seq ?? 0,
    last_seq: records.at(-1)?.seq ?? 0,
    first_time: first,
    last_time: last,
    last_hash: hashRecord(lines.slice(lines.lastIndexOf("\n") + 1)),
    sha256: hashBytes("sha256", compressed),
    bytes: compressed.length,
    compressed,
    records,
    psps: [...new Set(records.flatMap(pspsOf))],
  };
}

/** The end of a segment that is being closed, with the tree of its records. */
export const treeOf = ({
  first_seq,
  last_seq,
  last_hash,
  records,
}: Pick<ClosedSegment, "first_seq" | "last_seq" | "last_hash" | "records">): TreeEnd => {
  // each holds the hash of the one before
  const hashes = [...records.slice(1).map(({ prev }) => prev), last_hash];
  return { seq: last_seq, hash: last_hash, first: first_seq, root: rootOf(growTree(hashes)) };
};

export const endOf = ({ last_seq, last_hash }: Segment): ChainEnd => ({ seq: last_seq, hash: last_hash });

/** The texts of a segment's records, or in what its bytes are not those that were closed. */
export async function openSegment(
  compressed: Uint8Array<ArrayBuffer>,
  { first_seq, last_seq, sha256 }: Pick<Segment, "first_seq" | "last_seq" | "sha256">,
): Promise<
  { readonly ok: true; readonly texts: readonly string[] } | { readonly ok: false; readonly reason: Damage["reason"] }
> {
  if (hashBytes("sha256", compressed) !== sha256) return { ok: false, reason: "altered" };
  const lines = await transform(compressed, new DecompressionStream("gzip")).catch(() => new Uint8Array());
  const texts = new TextDecoder().decode(lines).trimEnd().split("\n");
  return texts.length === last_seq - first_seq + 1 ? { ok: true, texts } : { ok: false, reason: "unreadable" };
}

/** Whether a record in it may be meant. */
export const mayHold = (
  { first_time, last_time, first_seq }: Pick<Segment, "first_time" | "last_time" | "first_seq">,
  { from, to, before }: Pick<RecordQuery, "from" | "to" | "before">,
): boolean =>
  (from === null || last_time >= from) && (to === null || first_time < to) && (before === null || first_seq < before);
