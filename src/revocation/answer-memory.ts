/**
 * Verified answers that this isolate remembers, bounded in bytes. They are what a newly fetched answer is compared with,
 * and for some seconds they save the reading of KV. Nothing that was not verified comes in here.
 */
import { MEMORY_SHARES } from "../memory/memory-shares.ts";
import { hasEnded } from "./freshness.ts";
import { listNewest, type VerifiedAnswer } from "./verified-answer.ts";

/** What another isolate wrote to KV shows within this time. KV caches no shorter. */
const UNREAD_SECONDS = 30;
/** Of an answer beside its bytes: objects, views, the parsed CRL. */
const OVERHEAD_BYTES = 2_048;

interface Entry {
  readonly answers: readonly VerifiedAnswer[];
  /** Milliseconds since 1970 of the last reading of KV; null when it was not read. */
  readonly readAt: number | null;
  readonly bytes: number;
}

export class AnswerMemory {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;
  #bytes = 0;

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes;
  }

  /** What is remembered, never more than the capacity. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The newest answer of each line under this key, those that have ended included. */
  list(key: string): readonly VerifiedAnswer[] {
    return this.#entries.get(key)?.answers ?? [];
  }

  /** The same when KV was read under this key a moment ago, else null: then KV is to be read. */
  recall(key: string, now: number): readonly VerifiedAnswer[] | null {
    const entry = this.#entries.get(key);
    const age = now - (entry?.readAt ?? Number.NaN);
    return entry && age >= 0 && age < UNREAD_SECONDS * 1000 ? entry.answers : null;
  }

  /** Adds what is newer. `readAt`: when KV was read, if the answers are all that it holds under the key. */
  remember(key: string, answers: readonly VerifiedAnswer[], now: number, readAt: number | null = null): void {
    const before = this.#entries.get(key);
    const all = listNewest([...(before?.answers ?? []), ...answers], now);
    const bytes = all.reduce((sum, { der, issuer }) => sum + der.length + (issuer?.length ?? 0) + OVERHEAD_BYTES, 0);
    this.#forget(key);
    if (all.length === 0 || bytes > this.#capacity) return;
    this.#entries.set(key, { answers: all, readAt: readAt ?? before?.readAt ?? null, bytes });
    this.#bytes += bytes;
    if (this.#bytes > this.#capacity) this.#makeRoom(now);
  }

  /** What has ended goes first, then what was remembered first. */
  #makeRoom(now: number): void {
    const isOver = ({ answers }: Entry) => answers.every((answer) => hasEnded(answer, now));
    const order = [...this.#entries].toSorted(([, a], [, b]) => Number(isOver(b)) - Number(isOver(a)));
    for (const [key] of order) {
      if (this.#bytes <= this.#capacity) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}

export const crlMemory = new AnswerMemory(MEMORY_SHARES.crls);
export const ocspMemory = new AnswerMemory(MEMORY_SHARES.ocspResponses);
