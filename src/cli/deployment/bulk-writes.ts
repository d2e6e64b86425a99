/**
 * Writes of Workers KV over its API: what is under way at once travels in one call, in the order in which it was asked.
 * An import of 60,000 PSPs would make 60,000 calls else, of which the API takes 1,200 in five minutes.
 */
import { type Account, callAccount } from "./cloudflare-api.ts";

/** /api/resources/kv/subresources/namespaces/methods/bulk_update/ */
const KEYS_AT_ONCE = 10_000;
/** The API takes 100 MB; a slow line sends this much well within the time of a call, and progress shows after each. */
const BYTES_AT_ONCE = 8_000_000;
/** Of a key that the API names as not written. */
const ATTEMPTS = 3;

/** A value of a bulk write, whose bytes are base64. */
interface Pair {
  readonly key: string;
  readonly value: string;
  readonly base64: true;
  readonly metadata?: unknown;
  /** Seconds since 1970, or from now. */
  readonly expiration?: number;
  readonly expiration_ttl?: number;
}

interface Write {
  readonly key: string;
  /** Null: the key is deleted. */
  readonly pair: Pair | null;
  attempts: number;
  readonly settle: PromiseWithResolvers<void>;
}

/** `path`: of the namespace, below the account. */
export class BulkWrites {
  readonly #account: Account;
  readonly #path: string;
  readonly #waiting: Write[] = [];
  #sending = false;

  constructor(account: Account, path: string) {
    this.#account = account;
    this.#path = path;
  }

  put(key: string, value: string | ArrayBuffer | Uint8Array, options: KVNamespacePutOptions = {}): Promise<void> {
    const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(new Uint8Array(value));
    const { metadata, expiration, expirationTtl } = options;
    return this.#add(key, {
      ...{ key, value: bytes.toString("base64"), base64: true },
      ...(metadata != null && { metadata }),
      ...(expiration !== undefined && { expiration }),
      ...(expirationTtl !== undefined && { expiration_ttl: expirationTtl }),
    });
  }

  delete(key: string): Promise<void> {
    return this.#add(key, null);
  }

  #add(key: string, pair: Pair | null): Promise<void> {
    const settle = Promise.withResolvers<void>();
    this.#waiting.push({ key, pair, attempts: 0, settle });
    if (!this.#sending) {
      this.#sending = true;
      // after all that is asked in the same turn
      setImmediate(() => this.#sendAll());
    }
    return settle.promise;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const writes = this.#takeNext();
      try {
        const refused = await this.#send(writes);
        const again = writes.filter(({ key }) => refused.has(key));
        for (const { key, settle } of writes) if (!refused.has(key)) settle.resolve();
        for (const { key, settle } of again.filter((write) => ++write.attempts >= ATTEMPTS))
          settle.reject(new Error(`KV PUT failed: Cloudflare did not write ${key}`));
        this.#waiting.unshift(...again.filter(({ attempts }) => attempts < ATTEMPTS));
      } catch (error) {
        // nothing is written any more that its asker no longer waits for
        for (const { settle } of [...writes, ...this.#waiting.splice(0)]) settle.reject(error);
      }
    }
    this.#sending = false;
  }

  /** As many as one call takes: all of one kind, and no key twice. */
  #takeNext(): Write[] {
    const keys = new Set<string>();
    const isPut = this.#waiting[0]?.pair !== null;
    let bytes = 0;
    const end = this.#waiting.findIndex(({ key, pair }) => {
      bytes += key.length + (pair?.value.length ?? 0);
      if ((pair !== null) !== isPut || keys.has(key) || keys.size === KEYS_AT_ONCE) return true;
      if (keys.size > 0 && bytes > BYTES_AT_ONCE) return true;
      keys.add(key);
      return false;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  /** Answers the keys that were not written. */
  async #send(writes: readonly Write[]): Promise<ReadonlySet<string>> {
    const pairs = writes.flatMap(({ pair }) => pair ?? []);
    const { result } = await (pairs.length > 0
      ? callAccount(this.#account, "PUT", `${this.#path}/bulk`, pairs)
      : callAccount(
          this.#account,
          "POST",
          `${this.#path}/bulk/delete`,
          writes.map(({ key }) => key),
        ));
    return new Set((result as { readonly unsuccessful_keys?: readonly string[] } | null)?.unsuccessful_keys ?? []);
  }
}
