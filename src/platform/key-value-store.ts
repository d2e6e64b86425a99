import { clock } from "./clock.ts";
import { callStore } from "./store-error.ts";
import { retryStore } from "./store-retry.ts";

/** The part of Workers KV that the service uses: implemented by the binding and by the command line. */
export interface KeyValueStore {
  get<Value = unknown>(key: string, type: "json"): Promise<Value | null>;
  get(key: string, type: "arrayBuffer"): Promise<ArrayBuffer | null>;
  put(
    key: string,
    value: string | ArrayBuffer | ArrayBufferView,
    options?: { expirationTtl?: number; metadata?: unknown },
  ): Promise<void>;
  delete(key: string): Promise<void>;
}

/**
 * Deletes what may have been written a moment ago: KV takes one write of a key in a second, and answers 429 to another.
 * Throws StoreError.
 */
export const deleteNote = (kv: KeyValueStore, key: string): Promise<void> =>
  retryStore(() => callStore("KV", () => kv.delete(key)), clock);
