/** R2: objects by key, strongly consistent; one write of a key in a second. */
import { createHash } from "node:crypto";
import type { Scheduler } from "./scheduler.ts";
import type { Caller, Travel } from "./travel.ts";

interface Stored {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly sha256: string;
  /** Null unless the writer gave one. */
  readonly given: string | null;
  readonly customMetadata: Record<string, string>;
  readonly at: number;
}

interface PutOptions {
  readonly onlyIf?: { readonly get: (name: string) => string | null } | { readonly etagDoesNotMatch?: string };
  readonly sha256?: string;
  readonly customMetadata?: Record<string, string>;
}

const WRITES_APART_MS = 1_000;

export class R2 {
  readonly objects = new Map<string, Stored>();
}

export class R2Binding {
  readonly #store: R2;
  readonly #travel: Pick<Travel, "call">;
  readonly #caller: Caller;
  readonly #scheduler: Pick<Scheduler, "now">;

  constructor(store: R2, travel: Pick<Travel, "call">, caller: Caller, scheduler: Pick<Scheduler, "now">) {
    this.#store = store;
    this.#travel = travel;
    this.#caller = caller;
    this.#scheduler = scheduler;
  }

  put(key: string, value: string | ArrayBuffer | Uint8Array, options: PutOptions = {}): Promise<unknown> {
    const bytes = new Uint8Array(typeof value === "string" ? new TextEncoder().encode(value) : value);
    const { onlyIf, sha256, customMetadata = {} } = options;
    const newOnly = onlyIf && "get" in onlyIf ? onlyIf.get("If-None-Match") === "*" : onlyIf?.etagDoesNotMatch === "*";
    return this.#call(`put ${key}`, () => {
      const { now } = this.#scheduler;
      const there = this.#store.objects.get(key);
      if (there && newOnly) return null;
      if (there && now - there.at < WRITES_APART_MS)
        throw new Error("put: Reduce your concurrent request rate for the same object. (10058)");
      const digest = createHash("sha256").update(bytes).digest("hex");
      if (sha256 !== undefined && sha256 !== digest)
        throw new Error("put: The SHA-256 checksum you specified did not match what we received. (10037)");
      const stored = { bytes, sha256: digest, given: sha256 ?? null, customMetadata, at: now };
      this.#store.objects.set(key, stored);
      return describe(key, stored);
    });
  }

  head(key: string): Promise<unknown> {
    return this.#call(`head ${key}`, () => {
      const stored = this.#store.objects.get(key);
      return stored ? describe(key, stored) : null;
    });
  }

  get(key: string): Promise<unknown> {
    return this.#call(`get ${key}`, () => {
      const stored = this.#store.objects.get(key);
      if (!stored) return null;
      const { bytes } = stored;
      return {
        ...describe(key, stored),
        arrayBuffer: async () => bytes.slice().buffer,
        text: async () => new TextDecoder().decode(bytes),
      };
    });
  }

  delete(keys: string | readonly string[]): Promise<void> {
    return this.#call(`delete ${String(keys)}`, () => {
      for (const key of [keys].flat()) this.#store.objects.delete(key);
    });
  }

  #call<Answer>(what: string, act: () => Answer): Promise<Answer> {
    return this.#travel.call(this.#caller, "R2", what, act);
  }
}

const describe = (key: string, { bytes, given, customMetadata }: Stored) => ({
  key,
  size: bytes.length,
  customMetadata,
  checksums: { toJSON: () => (given === null ? {} : { sha256: given }) },
});
