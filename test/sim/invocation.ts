/** A request as the platform sees it: how many connections it may have, and when all that it still does ends. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Planned } from "./scheduler.ts";
import type { Counters } from "./trace.ts";

interface Host {
  readonly after: (milliseconds: number, run: () => void) => Planned;
}

export interface InvocationLimits {
  /** At once. */
  readonly connections: number;
  /** How long `waitUntil` extends it. */
  readonly extendedMs: number;
}

/** Of Cloudflare. */
export const CLOUDFLARE: InvocationLimits = { connections: 6, extendedMs: 30_000 };

/** Follows what awaits, as the platform's own does: a promise of another request is awaited in one's own. */
const current = new AsyncLocalStorage<Invocation>();

/** Undefined: what runs is of no request, as what a Durable Object does. */
export const currentInvocation = (): Invocation | undefined => current.getStore();

export class Invocation {
  isOver = false;
  readonly #isolate: Host;
  readonly #limits: InvocationLimits;
  readonly #counters: Counters;
  readonly #ended: () => void;
  #released = false;
  #held = 0;
  #connections = 0;
  readonly #waiting: (() => void)[] = [];

  /** `ended`: when nothing of it goes on. */
  constructor(isolate: Host, limits: InvocationLimits, counters: Counters, ended: () => void) {
    this.#isolate = isolate;
    this.#limits = limits;
    this.#counters = counters;
    this.#ended = ended;
  }

  run<Result>(work: () => Result): Result {
    return current.run(this, work);
  }

  /** `ctx` of the Worker. */
  readonly context = {
    waitUntil: (work: Promise<unknown>) => {
      this.#held++;
      const done = () => {
        this.#held--;
        if (this.#released && this.#held === 0) this.#end();
      };
      work.then(done, done);
    },
    passThroughOnException: () => {},
  };

  /** Its answer is out, or its client has left: only what `waitUntil` holds goes on, and not for long. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#held === 0) {
      this.#end();
      return;
    }
    this.#isolate.after(this.#limits.extendedMs, () => {
      if (this.isOver) return;
      this.#counters.fault("waitUntil is cut off");
      this.#end();
    });
  }

  #end(): void {
    this.isOver = true;
    this.#ended();
  }

  /** Waits while it has as many as it may. */
  connect(): Promise<void> | null {
    if (this.#connections++ < this.#limits.connections) return null;
    this.#counters.fault("a connection waits for another");
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  disconnect(): void {
    this.#connections--;
    this.#waiting.shift()?.();
  }
}
