/** An isolate: a call of the Worker's function, with the globals that it sees. When it dies, nothing in it goes on. */
import * as nodeBuffer from "node:buffer";
import * as nodeZlib from "node:zlib";
import { LightHeaders } from "./http-headers.ts";
import { LightRequest, LightResponse } from "./http-messages.ts";
import { currentInvocation } from "./invocation.ts";
import { dateOf, fastCrypto, Joined, signals, threaded, uuid, whole } from "./isolate-globals.ts";
import type { Random } from "./random.ts";
import type { Planned, Scheduler } from "./scheduler.ts";
import type { Globals, WorkerFunction } from "./worker-function.ts";

/** What an isolate's clock shows beside the true time. */
export interface ClockFault {
  readonly offsetMs: number;
  /** 1: as fast as the time. */
  readonly rate: number;
  /** How long after its isolate began it is set, and by how much; null: never. */
  readonly step: { readonly afterMs: number; readonly byMs: number } | null;
}

interface WorkerEntry {
  fetch(request: LightRequest, env: unknown, ctx: unknown): Promise<LightResponse>;
  scheduled(controller: unknown, env: unknown, ctx: unknown): Promise<void>;
  queue(batch: unknown, env: unknown, ctx: unknown): Promise<void>;
}

type ObjectClass = new (state: unknown, env: unknown) => Record<string, (...args: unknown[]) => unknown>;

export interface IsolateParts {
  readonly name: string;
  readonly location: string;
  readonly clock: ClockFault;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly run: WorkerFunction;
  readonly fetch: (isolate: Isolate, input: unknown, init: unknown) => Promise<Response>;
  readonly resolve: (isolate: Isolate, host: string) => Promise<string[]>;
  readonly log: (isolate: Isolate, line: string) => void;
}

/** Milliseconds of work in other threads: a signature. */
const THREAD_MS = { from: 0, to: 2 } as const;

class DurableObjectBase {
  readonly ctx: unknown;
  readonly env: unknown;

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }
}

export class Isolate {
  readonly name: string;
  readonly location: string;
  readonly begunAt: number;
  /** True time, in milliseconds since 1970; null: it lives. */
  diedAt: number | null = null;
  readonly entry: WorkerEntry;
  readonly #exports: Record<string, unknown>;
  readonly #parts: IsolateParts;
  readonly #mourners = new Set<() => void>();
  readonly #timers = new Map<number, Planned>();
  #timersMade = 0;

  constructor(parts: IsolateParts) {
    this.#parts = parts;
    this.name = parts.name;
    this.location = parts.location;
    this.begunAt = parts.scheduler.now;
    const module = { exports: {} as Record<string, unknown> };
    parts.run(this.#globals(module));
    this.#exports = module.exports;
    this.entry = module.exports["default"] as WorkerEntry;
  }

  objectClass(name: string): ObjectClass {
    return this.#exports[name] as ObjectClass;
  }

  /** What its module exports by this name. */
  exported(name: string): unknown {
    return this.#exports[name];
  }

  /** By its own clock. */
  now(): number {
    const { clock, scheduler } = this.#parts;
    const age = scheduler.now - this.begunAt;
    const stepped = clock.step && age >= clock.step.afterMs ? clock.step.byMs : 0;
    return Math.floor(scheduler.now + clock.offsetMs + stepped + age * (clock.rate - 1));
  }

  /** Nothing of it runs after its death. */
  after(milliseconds: number, run: () => unknown): Planned {
    return this.#parts.scheduler.after(milliseconds, () => (this.alive ? run() : undefined));
  }

  onDeath(mourner: () => void): () => void {
    this.#mourners.add(mourner);
    return () => this.#mourners.delete(mourner);
  }

  get alive(): boolean {
    return this.diedAt === null;
  }

  die(): void {
    this.diedAt ??= this.#parts.scheduler.now;
    for (const planned of this.#timers.values()) this.#parts.scheduler.cancel(planned);
    for (const mourner of [...this.#mourners]) mourner();
    this.#mourners.clear();
  }

  #setTimeout(run: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]): number {
    const id = ++this.#timersMade;
    const invocation = currentInvocation();
    const ring = () => {
      this.#timers.delete(id);
      if (invocation === undefined) run(...values);
      else if (!invocation.isOver) invocation.run(() => run(...values));
    };
    this.#timers.set(id, this.after(milliseconds, ring));
    return id;
  }

  #clearTimeout(id: number | undefined): void {
    if (id === undefined) return;
    this.#parts.scheduler.cancel(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** Native work of another thread: it ends when the seed says so. */
  #inThread<Result>(work: Promise<Result>): Promise<Result> {
    work.catch(() => {});
    const duration = this.#parts.random.between(THREAD_MS.from, THREAD_MS.to);
    return new Promise((resolve, reject) => this.after(duration, () => work.then(resolve, reject)));
  }

  #globals(module: { exports: Record<string, unknown> }): Globals {
    const { random, fetch, log, resolve } = this.#parts;
    const now = () => this.now();
    const setTimeout = this.#setTimeout.bind(this);
    const clearTimeout = this.#clearTimeout.bind(this);
    const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(() => resolve(), milliseconds));
    const forbidden = (what: string) => () => {
      throw new Error(`${what} is not simulated`);
    };
    const modules: Readonly<Record<string, unknown>> = {
      "node:crypto": fastCrypto,
      "node:buffer": nodeBuffer,
      "node:zlib": nodeZlib,
      "node:dns/promises": { resolve4: (host: string) => resolve(this, host), resolve6: async () => [] },
      "cloudflare:workers": { DurableObject: DurableObjectBase },
    };
    const require = (name: string) => modules[name] ?? forbidden(`the module ${name}`)();
    const line = (...values: unknown[]) => log(this, values.map(String).join(" "));
    return {
      module,
      exports: module.exports,
      require,
      Date: dateOf(now),
      Math: Object.create(Math, { random: { value: () => random.next() } }),
      performance: { now: () => now() - this.begunAt, timeOrigin: 0 },
      setTimeout,
      clearTimeout,
      setInterval: forbidden("setInterval"),
      clearInterval: clearTimeout,
      setImmediate: forbidden("setImmediate"),
      scheduler: { wait },
      AbortSignal: { ...signals(setTimeout), prototype: AbortSignal.prototype },
      crypto: {
        getRandomValues: <View extends ArrayBufferView>(view: View) => random.fill(view),
        randomUUID: () => uuid(random),
        subtle: threaded((work) => this.#inThread(work)),
      },
      fetch: (input: unknown, init: unknown) => fetch(this, input, init),
      Request: LightRequest,
      Response: LightResponse,
      Headers: LightHeaders,
      caches: undefined,
      console: { log: line, error: line, warn: line, info: line, debug: line },
      navigator: { userAgent: "Cloudflare-Workers" },
      process: { env: {}, getBuiltinModule: require },
      Blob: Joined,
      CompressionStream: whole(nodeZlib.gzipSync),
      DecompressionStream: whole(nodeZlib.gunzipSync),
    };
  }
}
