/** Closes the oldest part of the open segment. All in one transaction: a record is in one of both, and counted once. */
import type { Signer } from "../signatures/private-key.ts";
import type { ClosedSegments } from "./closed-segments.ts";
import { makeHead } from "./heads.ts";
import type { OpenSegment } from "./open-segment.ts";
import { type ClosedSegment, closeSegment } from "./segment.ts";
import type { TrafficCounters } from "./traffic.ts";

/** A row holds 2 MB; what was never seen is a segment of 4,096 records that does not compress to it, or names so many PSPs. */
const MAX_ROW_BYTES = 1_900_000;
const fitsRow = ({ bytes, psps }: Pick<ClosedSegment, "bytes" | "psps">): boolean =>
  bytes <= MAX_ROW_BYTES && Buffer.byteLength(JSON.stringify(psps)) <= MAX_ROW_BYTES;

interface Tables {
  readonly open: OpenSegment;
  readonly closed: ClosedSegments;
  readonly traffic: TrafficCounters;
}

/** `fi`: `fi_reference_id`. `now` in milliseconds since 1970. */
export function closeOldest(
  storage: Pick<DurableObjectStorage, "transactionSync">,
  { open, closed, traffic }: Tables,
  fi: string,
  signer: Signer | null,
  now: number,
): void {
  let batches = open.oldest();
  const [first] = batches;
  if (!first) return;
  const close = () => closeSegment(batches.map(({ lines }) => lines).join("\n"));
  let segment = close();
  while (!fitsRow(segment) && batches.length > 1) {
    batches = batches.slice(0, Math.ceil(batches.length / 2));
    segment = close();
  }
  const { jws } = makeHead(fi, { seq: segment.last_seq, hash: segment.last_hash }, signer, now);
  storage.transactionSync(() => {
    for (const record of segment.records) traffic.count(record);
    traffic.store();
    closed.add({ ...segment, head: jws }, first.at);
    open.remove(batches);
  });
  open.forget(batches);
  traffic.forgetStored();
}
