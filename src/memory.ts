/**
 * What an isolate remembers between requests: a bounded map whose entries expire. The oldest entry makes room.
 * Nothing that has to be dead at once (codes, tokens, consents) is ever kept here.
 */
export class Memory<Value> {
  readonly #entries = new Map<string, { value: Value; expiresAt: number }>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The value while `now` is before its expiry, else undefined. Times in milliseconds. */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (now < entry.expiresAt) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: Value, expiresAt: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expiresAt });
    if (this.#entries.size <= this.#capacity) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }
}
