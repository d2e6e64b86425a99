/** Virtual time: events in the order of their instants, those of one instant in the order in which they were made. */

export interface Planned {
  readonly at: number;
  readonly order: number;
  /** A promise that it returns is awaited: of work of the machine whose end is this event. */
  run: (() => unknown) | null;
}

const isBefore = (a: Planned, b: Planned): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

export class Scheduler {
  /** Milliseconds since 1970. No clock of an isolate needs to show it. */
  now: number;
  readonly #heap: Planned[] = [];
  #made = 0;
  /** Events that ran. */
  ran = 0;

  constructor(start: number) {
    this.now = start;
  }

  after(milliseconds: number, run: () => unknown): Planned {
    const planned = { at: this.now + Math.max(0, milliseconds), order: this.#made++, run };
    this.#push(planned);
    return planned;
  }

  cancel(planned: Planned | undefined): void {
    if (planned) planned.run = null;
  }

  sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** Runs all events up to the instant `end`, or until `isOver`. After each, everything that it has set free runs, too. */
  async runUntil(end: number, isOver: () => boolean = () => false): Promise<void> {
    while (await this.#runTurn(end, isOver));
    if (!isOver()) this.now = Math.max(this.now, end);
  }

  /** Runs events in one turn of the event loop, until one waits for the machine, and then for that. Whether there may be more. */
  #runTurn(end: number, isOver: () => boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          const work = this.#runReady(end, isOver);
          if (work === null) resolve(false);
          else work.then(() => resolve(true), reject);
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** The work of the event that waits for it; null: no event is left. */
  #runReady(end: number, isOver: () => boolean): Promise<unknown> | null {
    drain();
    while (!isOver()) {
      const [next] = this.#heap;
      if (!next || next.at > end) break;
      this.#pop();
      if (!next.run) continue;
      this.now = Math.max(this.now, next.at);
      this.ran++;
      const work = next.run();
      if (work instanceof Promise) return work;
      drain();
    }
    return null;
  }

  #push(planned: Planned): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || isBefore(above, planned)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = planned;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (!left) break;
      const [child, place] = right && isBefore(right, left) ? [right, 2 * at + 2] : [left, 2 * at + 1];
      if (isBefore(last, child)) break;
      heap[at] = child;
      at = place;
    }
    heap[at] = last;
  }
}

/**
 * Node's own emptying of its queues and of the microtasks, which within a microtask does nothing. A turn of the event loop does
 * the same, and takes ten times as long.
 */
const drain = (process as unknown as { readonly _tickCallback: () => void })._tickCallback;
