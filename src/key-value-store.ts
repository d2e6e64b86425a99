/** The part of Workers KV that the stores use: the binding itself, or the command line's view of it. */
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
