/** Workers KV: read often, late by a minute in each location. One write of a key in a second. */
import type { Random } from "./random.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Counters } from "./trace.ts";
import type { Caller, Travel } from "./travel.ts";

export interface KvEntry {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metadata: unknown;
  /** Milliseconds since 1970; null: for ever. */
  readonly expiresAt: number | null;
}

/** What a location has read is served from there for so long. */
const CACHED_MS = 60_000;
const WRITES_APART_MS = 1_000;
/** Of the reads of what a location has not cached. */
const PAST_SHARE = 0.3;

interface Version {
  readonly entry: KvEntry | null;
  readonly at: number;
}

export class Kv {
  readonly #base: ReadonlyMap<string, KvEntry>;
  readonly #written = new Map<string, Version[]>();
  readonly #caches = new Map<string, Map<string, { readonly entry: KvEntry | null; readonly until: number }>>();
  readonly #scheduler: Pick<Scheduler, "now">;
  readonly #random: Random;
  readonly #counters: Counters;

  constructor(
    base: ReadonlyMap<string, KvEntry>,
    scheduler: Pick<Scheduler, "now">,
    random: Random,
    counters: Counters,
  ) {
    this.#base = base;
    this.#scheduler = scheduler;
    this.#random = random;
    this.#counters = counters;
  }

  read(location: string, key: string): KvEntry | null {
    const { now } = this.#scheduler;
    const cache = this.#cacheOf(location);
    const cached = cache.get(key);
    if (cached && now < cached.until) {
      if (cached.entry !== this.#newest(key)) this.#counters.fault("KV serves the past");
      return alive(cached.entry, now);
    }
    // between it and the central store are caches that others have filled
    const ageMs = this.#random.chance(PAST_SHARE) ? this.#random.between(0, CACHED_MS) : 0;
    const entry = this.#asOf(key, now - ageMs);
    if (entry !== this.#newest(key)) this.#counters.fault("KV serves the past");
    cache.set(key, { entry, until: now + this.#random.between(CACHED_MS / 2, CACHED_MS) - ageMs });
    return alive(entry, now);
  }

  write(location: string, key: string, entry: KvEntry | null): void {
    const { now } = this.#scheduler;
    const versions = this.#written.get(key) ?? [];
    const last = versions.at(-1);
    if (last && now - last.at < WRITES_APART_MS) throw new Error("KV PUT failed: 429 Too Many Requests");
    versions.push({ entry, at: now });
    this.#written.set(key, versions);
    this.#cacheOf(location).set(key, { entry, until: now + CACHED_MS });
  }

  list(prefix: string): string[] {
    const keys = new Set([...this.#base.keys(), ...this.#written.keys()]);
    return [...keys].filter((key) => key.startsWith(prefix) && this.#newest(key) !== null).sort();
  }

  /** All that is there now. */
  content(): Map<string, KvEntry> {
    return new Map(
      this.list("").flatMap((key) => {
        const entry = this.#newest(key);
        return entry ? [[key, entry]] : [];
      }),
    );
  }

  /** What was written last. */
  newest(key: string): KvEntry | null {
    return this.#newest(key);
  }

  metadata(key: string): unknown {
    return this.#newest(key)?.metadata;
  }

  #newest(key: string): KvEntry | null {
    return this.#asOf(key, Number.POSITIVE_INFINITY);
  }

  /** What was written last until then. */
  #asOf(key: string, instant: number): KvEntry | null {
    const written = this.#written.get(key)?.findLast(({ at }) => at <= instant);
    return written ? written.entry : (this.#base.get(key) ?? null);
  }

  #cacheOf(location: string) {
    const cache = this.#caches.get(location) ?? new Map<string, { entry: KvEntry | null; until: number }>();
    this.#caches.set(location, cache);
    return cache;
  }
}

const alive = (entry: KvEntry | null, now: number): KvEntry | null =>
  entry && (entry.expiresAt === null || now < entry.expiresAt) ? entry : null;

const decoder = new TextDecoder();

type Form = "text" | "json" | "arrayBuffer";

function form(entry: KvEntry | null, as: Form): unknown {
  if (entry === null) return null;
  if (as === "arrayBuffer") return entry.bytes.slice().buffer;
  const text = decoder.decode(entry.bytes);
  return as === "json" ? JSON.parse(text) : text;
}

const formOf = (options: unknown): Form =>
  (typeof options === "string" ? options : ((options as { type?: string } | undefined)?.type ?? "text")) as Form;

interface PutOptions {
  readonly expirationTtl?: number;
  readonly metadata?: unknown;
}

function toEntry(value: unknown, { expirationTtl, metadata = null }: PutOptions, now: number): KvEntry {
  const bytes =
    typeof value === "string"
      ? new Uint8Array(new TextEncoder().encode(value))
      : value instanceof ArrayBuffer
        ? new Uint8Array(value.slice(0))
        : new Uint8Array(value as Uint8Array);
  if (expirationTtl !== undefined && expirationTtl < 60)
    throw new Error(
      `KV PUT failed: 400 Invalid expiration_ttl of ${expirationTtl}. Expiration TTL must be at least 60.`,
    );
  return { bytes, metadata, expiresAt: expirationTtl === undefined ? null : now + expirationTtl * 1000 };
}

/** `env.KV` of one caller. */
export class KvBinding {
  readonly #store: Kv;
  readonly #travel: Pick<Travel, "call">;
  readonly #caller: Caller;
  readonly #scheduler: Pick<Scheduler, "now">;

  constructor(store: Kv, travel: Pick<Travel, "call">, caller: Caller, scheduler: Pick<Scheduler, "now">) {
    this.#store = store;
    this.#travel = travel;
    this.#caller = caller;
    this.#scheduler = scheduler;
  }

  get(key: string | readonly string[], options?: unknown): Promise<unknown> {
    const as = formOf(options);
    return this.#call(`get ${String(key)}`, (location) =>
      typeof key === "string"
        ? form(this.#store.read(location, key), as)
        : new Map(key.map((each) => [each, form(this.#store.read(location, each), as)])),
    );
  }

  getWithMetadata(key: string, options?: unknown): Promise<unknown> {
    return this.#call(`get ${key}`, (location) => {
      const entry = this.#store.read(location, key);
      return { value: form(entry, formOf(options)), metadata: entry?.metadata ?? null, cacheStatus: null };
    });
  }

  put(key: string, value: unknown, options: PutOptions = {}): Promise<void> {
    const entry = toEntry(value, options, this.#scheduler.now);
    return this.#call(`put ${key}`, (location) => this.#store.write(location, key, entry));
  }

  delete(key: string): Promise<void> {
    return this.#call(`delete ${key}`, (location) => this.#store.write(location, key, null));
  }

  list({ prefix = "" }: { readonly prefix?: string } = {}): Promise<unknown> {
    return this.#call(`list ${prefix}`, () => ({
      keys: this.#store.list(prefix).map((name) => ({ name, metadata: this.#store.metadata(name) })),
      list_complete: true,
      cacheStatus: null,
    }));
  }

  #call<Answer>(what: string, act: (location: string) => Answer): Promise<Answer> {
    return this.#travel.call(this.#caller, "KV", what, () => act(this.#caller.isolate.location));
  }
}
