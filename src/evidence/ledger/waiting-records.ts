/**
 * What an isolate has recorded and no ledger has confirmed yet, by institution. Bounded in bytes: what finds no room
 * takes that of the oldest of the institution of which most waits, so that a ledger that does not answer costs no other
 * institution its records. Plain data: any request's work may take it up (recorder.ts).
 */

export interface WaitingRecord {
  /** The evidence id. */
  readonly id: string;
  /** The JSON of the LedgerEntry, whose `account` is null until the tag is known. */
  readonly entry: string;
  /** Of the account that it is about. Never stored with the record (account-tag.ts). */
  readonly accountId: string | null;
  /** An attempt to append it alone had no answer: it may be in the ledger. */
  readonly sentBefore?: true;
}

/** Records that were sent together, and whether an attempt before may have arrived. */
export interface Sending {
  readonly records: readonly WaitingRecord[];
  readonly again: boolean;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
}

/** Of one institution. */
export class Queue {
  readonly waiting: WaitingRecord[] = [];
  /** What these weigh. */
  waitingBytes = 0;
  sending: Sending | null = null;
  /** Which request's work sends for it, and since when; null if none does. */
  driver: { readonly since: number } | null = null;
}

/** The object, the slots of its members, and that in the list. */
const RECORD_BYTES = 128;
const STRING_BYTES = 32;

const weigh = ({ id, entry, accountId }: WaitingRecord): number =>
  RECORD_BYTES + 3 * STRING_BYTES + 2 * (id.length + entry.length + (accountId?.length ?? 0));

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
    const known = this.#queues.get(fiId);
    if (known) return known;
    const queue = new Queue();
    this.#queues.set(fiId, queue);
    return queue;
  }

  /** Adds a record, and returns those that had to go for it, of any institution; itself if there was nothing else. */
  add(fiId: number, record: WaitingRecord): WaitingRecord[] {
    const queue = this.queueOf(fiId);
    queue.waiting.push(record);
    const bytes = weigh(record);
    queue.waitingBytes += bytes;
    this.#bytes += bytes;
    this.#size++;
    const lost: WaitingRecord[] = [];
    while (this.#bytes > this.#maxBytes) {
      const largest = this.#findLargest(queue);
      const oldest = largest.waiting.shift();
      if (!oldest) break;
      largest.waitingBytes -= weigh(oldest);
      this.#release(oldest);
      lost.push(oldest);
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
  take(queue: Queue, bounds: { readonly records: number; readonly characters: number }, now: number): Sending | null {
    let characters = 0;
    let count = 0;
    for (const { entry } of queue.waiting) {
      characters += entry.length;
      if (count > 0 && (count >= bounds.records || characters > bounds.characters)) break;
      count++;
    }
    const records = queue.waiting.splice(0, count);
    for (const record of records) queue.waitingBytes -= weigh(record);
    const again = records.some(({ sentBefore = false }) => sentBefore);
    queue.sending = records.length === 0 ? null : { records, again, at: now };
    return queue.sending;
  }

  /** What was sent is kept now. */
  confirm(queue: Queue, sent: Sending): void {
    if (queue.sending !== sent) return;
    queue.sending = null;
    for (const record of sent.records) this.#release(record);
  }

  /** Forgets an institution of which nothing waits. */
  drop(fiId: number): void {
    const queue = this.#queues.get(fiId);
    if (queue?.waiting.length === 0 && !queue.sending) this.#queues.delete(fiId);
  }

  #release(record: WaitingRecord): void {
    this.#bytes -= weigh(record);
    this.#size--;
  }
}
