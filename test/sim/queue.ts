/** Cloudflare Queues: a message is delivered at least once, in batches, in no certain order, and again until it is acknowledged. */
import { clone } from "./clone.ts";
import type { Isolate } from "./isolate.ts";
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Counters } from "./trace.ts";
import type { Caller, Travel } from "./travel.ts";

const BATCH_MESSAGES = 10;
const BATCH_MS = { from: 20, to: 1_000 } as const;
/** Of whom nothing is heard, as of one that has died: then its messages are delivered again. */
const LOST_MS = 60_000;

interface Waiting {
  readonly id: number;
  readonly body: unknown;
  attempts: number;
  readyAt: number;
}

interface QueueParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly counters: Counters;
  /** The share of messages that come once more. */
  readonly twice: () => number;
  /** In which isolate a batch is consumed. */
  readonly place: () => Isolate;
  readonly envOf: (isolate: Isolate) => unknown;
}

export class Queue {
  readonly #parts: QueueParts;
  readonly #waiting = new Map<number, Waiting>();
  #made = 0;
  #wakesAt: number | null = null;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  add(body: unknown, delaySeconds = 0): void {
    const { scheduler } = this.#parts;
    const id = ++this.#made;
    this.#waiting.set(id, { id, body, attempts: 0, readyAt: scheduler.now + delaySeconds * 1000 });
    this.#wake();
  }

  /** Messages that nobody has acknowledged, but those that come again later: of a delivery that another message has made. */
  get size(): number {
    const soon = this.#parts.scheduler.now + LOST_MS;
    return [...this.#waiting.values()].filter(({ readyAt }) => readyAt <= soon).length;
  }

  #wake(): void {
    const { scheduler, random } = this.#parts;
    const next = Math.min(...[...this.#waiting.values()].map(({ readyAt }) => readyAt));
    const at = Math.max(next, scheduler.now + random.between(BATCH_MS.from, BATCH_MS.to));
    if (!Number.isFinite(at) || (this.#wakesAt !== null && this.#wakesAt <= at)) return;
    this.#wakesAt = at;
    scheduler.after(at - scheduler.now, () => {
      if (this.#wakesAt !== at) return;
      this.#wakesAt = null;
      this.#deliver();
      this.#wake();
    });
  }

  #deliver(): void {
    const { scheduler, random, counters, twice, place, envOf } = this.#parts;
    const ready = [...this.#waiting.values()].filter(({ readyAt }) => readyAt <= scheduler.now);
    if (ready.length === 0) return;
    // in another order than they came in
    const batch = ready.sort(() => random.next() - 0.5).slice(0, BATCH_MESSAGES);
    if (batch.length > 1) counters.fault("queue in another order");
    const isolate = place();
    const messages = batch.map((message) => {
      message.attempts++;
      message.readyAt = scheduler.now + LOST_MS;
      if (message.attempts > 1) counters.fault("queue delivers again");
      return this.#show(message);
    });
    void isolate.entry.queue({ queue: "events", messages }, envOf(isolate), {}).catch(() => {});
    for (const { body } of batch)
      if (random.chance(twice())) {
        counters.fault("queue delivers twice");
        this.add(body, random.between(0, 5));
      }
  }

  #show(message: Waiting) {
    const { scheduler } = this.#parts;
    return {
      id: String(message.id),
      timestamp: new Date(scheduler.now),
      body: clone(message.body),
      attempts: message.attempts,
      ack: () => void this.#waiting.delete(message.id),
      retry: ({ delaySeconds = 0 }: { readonly delaySeconds?: number } = {}) => {
        message.readyAt = scheduler.now + delaySeconds * 1000;
        this.#wake();
      },
    };
  }
}

/** `env.EVENTS` of one caller. */
export class QueueBinding {
  readonly #store: Queue;
  readonly #travel: Pick<Travel, "call">;
  readonly #caller: Caller;

  constructor(store: Queue, travel: Pick<Travel, "call">, caller: Caller) {
    this.#store = store;
    this.#travel = travel;
    this.#caller = caller;
  }

  sendBatch(messages: Iterable<{ readonly body: unknown }>): Promise<void> {
    const bodies = [...messages].map(({ body }) => clone(body));
    return this.#travel.call(this.#caller, "queue", `${bodies.length} messages`, () => {
      for (const body of bodies) this.#store.add(body);
    });
  }
}
