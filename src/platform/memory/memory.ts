/**
 * A cache of an isolate that lasts between requests: a map that is bounded in bytes and whose entries expire. When it
 * is full, expired entries are removed first, then the oldest. memory-shares.ts has the size of each cache. Codes,
 * tokens and consents are never cached, because their use or revocation must take effect at once.
 */
import { hashText } from "../node-crypto.ts";

interface Entry<Value> {
  readonly value: Value;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly bytes: number;
}

/** The size of an entry without the key's characters and the value; 150 bytes were measured. */
const ENTRY_BYTES = 256;
/**
 * A full cache is reduced to this part of its size, so that the search for expired entries walks the map once for many
 * new entries, not once for each.
 */
const KEPT_PART = 7 / 8;

export class Memory<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxBytes: number;
  readonly #weigh: (value: Value) => number;
  #bytes = 0;

  /** `weigh` returns an upper bound of a value's bytes in the heap, as heap-bytes.ts does for plain data. */
  constructor(maxBytes: number, weigh: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#weigh = weigh;
  }

  /** The estimated size of all entries; never more than `maxBytes`. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, or undefined if it has expired or is absent. `now`: milliseconds since 1970. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now < entry.expiresAt) return entry.value;
    this.delete(key);
    return undefined;
  }

  /**
   * `key` must be short: use {@link memoryKey} for untrusted text. A value that is too large for the cache is not
   * stored. `expiresAt` and `now`: milliseconds since 1970.
   */
  set(key: string, value: Value, expiresAt: number, now: number): void {
    this.delete(key);
    const bytes = ENTRY_BYTES + 2 * key.length + this.#weigh(value);
    if (bytes > this.#maxBytes * KEPT_PART) return;
    this.#entries.set(key, { value, expiresAt, bytes });
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) this.#makeRoom(now);
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  #makeRoom(now: number): void {
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.delete(key);
    // a Map iterates in insertion order: oldest first
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes * KEPT_PART) return;
      this.delete(key);
    }
  }
}

/** A key for text of any length: its SHA-256 in base64url. */
export const memoryKey = (text: string): string => hashText("sha256", text, "base64url");
