/** An isolate: a call of the Worker's function, with the globals that it sees. When it dies, nothing in it goes on. */
import * as nodeBuffer from "node:buffer";
import * as nodeCrypto from "node:crypto";
import * as nodeZlib from "node:zlib";
import { LightHeaders, LightRequest, LightResponse } from "./http-messages.ts";
import { currentInvocation } from "./invocation.ts";
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

const dateOf = (now: () => number) =>
  class extends Date {
    constructor(...parts: readonly unknown[]) {
      // most are of one value, and a spread is slow
      if (parts.length < 2) super((parts.length === 0 ? now() : parts[0]) as number);
      else super(...(parts as [number, number]));
    }

    static override now(): number {
      return now();
    }
  };

const signals = (setTimeout: (run: () => void, milliseconds: number) => number) => ({
  any: (given: AbortSignal[]) => AbortSignal.any(given),
  abort: (reason?: unknown) => AbortSignal.abort(reason),
  timeout: (milliseconds: number) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException("timed out", "TimeoutError")), milliseconds);
    return controller.signal;
  },
});

function uuid(random: Random): string {
  const bytes = random.fill(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const secretKeys = new Map<string, nodeCrypto.KeyObject>();
const MOST_KEYS = 1_000;

/** Imported once for equal bytes: to import a key takes five times as long as its HMAC. */
function secretKey(key: Uint8Array): nodeCrypto.KeyObject {
  const name = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString("latin1");
  let made = secretKeys.get(name);
  if (!made) {
    made = nodeCrypto.createSecretKey(key);
    if (secretKeys.size >= MOST_KEYS) secretKeys.clear();
    secretKeys.set(name, made);
  }
  return made;
}

const fastCrypto = {
  ...nodeCrypto,
  createHmac: (algorithm: string, key: Uint8Array) => nodeCrypto.createHmac(algorithm, secretKey(key)),
  createSecretKey: secretKey,
};

/** Of WebCrypto: the same question has the same answer in each history, and a signature takes long. */
const answered = new Map<string, Promise<unknown>>();
const MOST_ANSWERED = 2_000;
const keyNames = new WeakMap<object, number>();
let keysNamed = 0;

const nameValue = (_: string, value: unknown): unknown => {
  if (value instanceof CryptoKey) {
    if (!keyNames.has(value)) keyNames.set(value, ++keysNamed);
    return `key ${keyNames.get(value)}`;
  }
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString("base64");
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
};

function ask(method: string, values: unknown[]): Promise<unknown> {
  const question = JSON.stringify([method, values], nameValue);
  let answer = answered.get(question);
  if (!answer) {
    const call = Reflect.get(crypto.subtle, method) as (...values: unknown[]) => Promise<unknown>;
    answer = call.apply(crypto.subtle, values);
    if (answered.size >= MOST_ANSWERED) answered.clear();
    answered.set(question, answer);
  }
  return answer;
}

/** WebCrypto, whose every answer comes by an event. Only what asks by plain data and bytes, and draws nothing, is here. */
const threaded = (inThread: <Result>(work: Promise<Result>) => Promise<Result>) =>
  Object.fromEntries(
    ["importKey", "verify"].map((method) => [method, (...values: unknown[]) => inThread(ask(method, values))]),
  );

/** Node reads its own in another thread. Here it is the body of a form. */
class Joined {
  constructor(chunks: readonly Uint8Array[]) {
    // biome-ignore lint/correctness/noConstructorReturn: bytes stand for it
    return new Uint8Array(Buffer.concat(chunks));
  }
}

/** A stream of gzip in one piece: Node's own works in another thread. */
const whole = (change: (bytes: Uint8Array) => Uint8Array) =>
  class {
    readonly readable: ReadableStream;
    readonly writable: WritableStream;

    constructor() {
      const chunks: Uint8Array[] = [];
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk) => void chunks.push(new Uint8Array(chunk)),
        flush: (controller) => controller.enqueue(new Uint8Array(change(Buffer.concat(chunks)))),
      });
      [this.readable, this.writable] = [readable, writable];
    }
  };
