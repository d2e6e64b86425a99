/**
 * What an isolate remembers between requests: a map that is bounded in bytes and whose entries expire. What needs room
 * pushes out expired entries first, then the oldest. How many bytes each memory may have: memory-shares.ts.
 * Nothing that must be invalid at once when it is revoked or used (codes, tokens, consents) is ever kept here.
 */
import { createHash } from "node:crypto";

interface Entry<Value> {
  readonly value: Value;
  readonly expiresAt: number;
  readonly bytes: number;
}

/** Of an entry beside its key's text and its value: the map's slot and the objects around them, measured at 150. */
const ENTRY_BYTES = 256;
/**
 * Room is made down to this part of the whole. So an expired entry is looked for once for many new ones, and not by
 * walking through a full map for each.
 */
const KEPT_PART = 7 / 8;

export class Memory<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxBytes: number;
  readonly #weigh: (value: Value) => number;
  #bytes = 0;

  /** `weigh` answers an upper estimate of a value's bytes in the heap, as heap-bytes.ts does for plain data. */
  constructor(maxBytes: number, weigh: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#weigh = weigh;
  }

  /** What the entries take, by the same estimate: never more than the memory's share. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value while `now` is before its expiry, else undefined. Times in milliseconds. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now < entry.expiresAt) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** `key` is short and of bounded length: what others wrote is digested first ({@link memoryKey}). */
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
    // a map is in the order of insertion
    for (const key of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes * KEPT_PART) return;
      this.delete(key);
    }
  }
}

/** A key for text of any length: SHA-256, base64url. */
export const memoryKey = (text: string): string => createHash("sha256").update(text).digest("base64url");
