/**
 * What an isolate has recorded and no ledger has confirmed yet, by institution. Bounded in bytes: what finds no room
 * takes that of the oldest of the institution of which most waits, so that a ledger that does not answer costs no other
 * institution its records. Plain data: any request's work may take it up (recorder.ts).
 */
import type { Instant } from "../../platform/instant.ts";
import { heapBytes } from "../../platform/memory.ts";
import type { LedgerEntry } from "./record.ts";

export interface WaitingRecord {
  /** `account` is null until the tag is known. */
  readonly entry: LedgerEntry;
  /** Of the account that it is about. Never stored with the record (account-tag.ts). */
  readonly accountId: string | null;
  /** An attempt to append it alone had no answer: it may be in the ledger. */
  readonly sentBefore?: true;
}

/** Records that were sent together, and whether an earlier attempt may have arrived. */
export interface Sending {
  readonly records: readonly WaitingRecord[];
  readonly again: boolean;
  /** When it was sent. */
  readonly at: Instant;
  readonly bytes: number;
}

interface Weighed {
  readonly record: WaitingRecord;
  readonly bytes: number;
}

/** Of one institution. */
export class Queue {
  readonly waiting: Weighed[] = [];
  waitingBytes = 0;
  sending: Sending | null = null;
  /** Which request's work sends for it, and since when; null if none does. */
  driver: { readonly since: Instant } | null = null;
}

export class WaitingRecords {
  readonly #maxBytes: number;
  readonly #queues = new Map<number, Queue>();
  #bytes = 0;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** An upper bound of what they take of the heap. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#size;
  }

  /** How many institutions have a queue: of each a request's work is under way, or records wait. */
  get queues(): number {
    return this.#queues.size;
  }

  has(fiId: number): boolean {
    return this.#queues.has(fiId);
  }

  queueOf(fiId: number): Queue {
    const queue = this.#queues.get(fiId) ?? new Queue();
    this.#queues.set(fiId, queue);
    return queue;
  }

  /** Adds a record, and returns those that had to go for it, of any institution; itself if there was nothing else. */
  add(fiId: number, record: WaitingRecord): WaitingRecord[] {
    const queue = this.queueOf(fiId);
    const added = { record, bytes: heapBytes(record) };
    queue.waiting.push(added);
    queue.waitingBytes += added.bytes;
    this.#bytes += added.bytes;
    this.#size++;
    const lost: WaitingRecord[] = [];
    while (this.#bytes > this.#maxBytes) {
      const largest = this.#findLargest(queue);
      const oldest = largest.waiting.shift();
      if (!oldest) break;
      largest.waitingBytes -= oldest.bytes;
      this.#bytes -= oldest.bytes;
      this.#size--;
      lost.push(oldest.record);
    }
    return lost;
  }

  /** The queue in which most waits; this one if another has as much. */
  #findLargest(own: Queue): Queue {
    let largest = own;
    for (const queue of this.#queues.values()) if (queue.waitingBytes > largest.waitingBytes) largest = queue;
    return largest;
  }

  /** Takes what waits, oldest first, up to these bounds, into `sending`. */
  take(queue: Queue, bounds: { readonly records: number; readonly bytes: number }, now: Instant): Sending | null {
    let bytes = 0;
    const taken: WaitingRecord[] = [];
    for (const weighed of queue.waiting) {
      if (taken.length > 0 && (taken.length >= bounds.records || bytes + weighed.bytes > bounds.bytes)) break;
      bytes += weighed.bytes;
      taken.push(weighed.record);
    }
    queue.waiting.splice(0, taken.length);
    queue.waitingBytes -= bytes;
    const again = taken.some(({ sentBefore = false }) => sentBefore);
    queue.sending = taken.length === 0 ? null : { records: taken, again, at: now, bytes };
    return queue.sending;
  }

  /** The ledger has kept what was sent. */
  confirm(queue: Queue, sent: Sending): void {
    if (queue.sending !== sent) return;
    queue.sending = null;
    this.#bytes -= sent.bytes;
    this.#size -= sent.records.length;
  }

  /** Forgets an institution of which nothing waits. */
  drop(fiId: number): void {
    const queue = this.#queues.get(fiId);
    if (queue?.waiting.length === 0 && !queue.sending) this.#queues.delete(fiId);
  }
}
