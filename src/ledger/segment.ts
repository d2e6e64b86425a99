/**
 * A closed segment: consecutive records as JSON lines, compressed, with what is needed to find it. It never changes: its
 * SHA-256 is kept beside it, and the hash of its last record is what the next one continues.
 */
import { toHex } from "../encoding.ts";
import { transform } from "./compression.ts";
import { type ChainEnd, hashRecord, type LedgerRecord } from "./record.ts";
import { pspsOf, type RecordQuery } from "./record-query.ts";

export interface Segment {
  readonly first_seq: number;
  readonly last_seq: number;
  /** Of its records, the earliest and the latest: milliseconds since 1970. A slow request's record may be in a later segment. */
  readonly first_time: number;
  readonly last_time: number;
  /** Of its last record. */
  readonly last_hash: string;
  /** Of the compressed bytes, in lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  /** The signed end (head.ts); null if there was no signing key. */
  readonly head: string | null;
}

export interface ClosedSegment extends Segment {
  readonly records: readonly LedgerRecord[];
  readonly compressed: Uint8Array<ArrayBuffer>;
  /** Authorisation numbers that occur in it. */
  readonly psps: readonly string[];
}

/** `texts`: of at least one record. */
export async function closeSegment(texts: readonly string[]): Promise<Omit<ClosedSegment, "head">> {
  const records = texts.map((text) => JSON.parse(text) as LedgerRecord);
  const times = records.map(({ time }) => Date.parse(time));
  const compressed = await transform(texts.map((text) => `${text}\n`).join(""), new CompressionStream("gzip"));
  return {
    first_seq: records[0]?.seq ?? 0,
    last_seq: records.at(-1)?.seq ?? 0,
    first_time: times.reduce((a, b) => Math.min(a, b)),
    last_time: times.reduce((a, b) => Math.max(a, b)),
    last_hash: hashRecord(texts.at(-1) ?? ""),
    sha256: await sha256Hex(compressed),
    bytes: compressed.length,
    compressed,
    records,
    psps: [...new Set(records.flatMap(pspsOf))],
  };
}

export const endOf = ({ last_seq, last_hash }: Segment): ChainEnd => ({ seq: last_seq, hash: last_hash });

/** The texts of a segment's records. Throws if the bytes are not those that were closed. */
export async function openSegment(
  compressed: Uint8Array<ArrayBuffer>,
  { first_seq, sha256 }: Pick<Segment, "first_seq" | "sha256">,
): Promise<string[]> {
  if ((await sha256Hex(compressed)) !== sha256)
    throw new Error(`the segment from record ${first_seq} on is not what was stored: its SHA-256 differs`);
  const lines = await transform(compressed, new DecompressionStream("gzip"));
  return new TextDecoder().decode(lines).trimEnd().split("\n");
}

/** Whether a record in it may be meant. */
export const mayHold = (
  { first_time, last_time, first_seq }: Pick<Segment, "first_time" | "last_time" | "first_seq">,
  { from, to, before }: Pick<RecordQuery, "from" | "to" | "before">,
): boolean =>
  (from === null || last_time >= from) && (to === null || first_time < to) && (before === null || first_seq < before);

export const sha256Hex = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
