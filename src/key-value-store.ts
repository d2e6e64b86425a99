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
