/** The isolate's memory of verified answers (OCSP responses and CRLs), bounded in bytes. */
import type { Instant } from "../platform/instant.ts";
import { MEMORY_SHARES } from "../platform/memory.ts";
import { hasEnded, listNewest, outlivesItsEnd, type VerifiedAnswer } from "./verified-answer.ts";

/** After a KV read KV is not read again for so long. KV's own cache does not allow a shorter time. */
const UNREAD_SECONDS = 30;
/** Estimated memory of an answer in addition to its bytes: objects, views, the parsed CRL. */
const OVERHEAD_BYTES = 2_048;

interface Entry {
  readonly answers: readonly VerifiedAnswer[];
  /** When KV was last read; null if it was not read. */
  readonly readAt: Instant | null;
  readonly bytes: number;
}

export class AnswerMemory {
  readonly #entries = new Map<string, Entry>();
  readonly #capacity: number;
  #bytes = 0;

  constructor(capacityBytes: number) {
    this.#capacity = capacityBytes;
  }

  /** Bytes in use; never more than the capacity. */
  get bytes(): number {
    return this.#bytes;
  }

  list(key: string): readonly VerifiedAnswer[] {
    return this.#entries.get(key)?.answers ?? [];
  }

  /** As `list` if KV was read under this key within the last 30 seconds, else null. */
  recall(key: string, now: Instant): readonly VerifiedAnswer[] | null {
    const entry = this.#entries.get(key);
    const age = now - (entry?.readAt ?? Number.NaN);
    return entry && age >= 0 && age < UNREAD_SECONDS * 1000 ? entry.answers : null;
  }

  /** Adds what is newer. Pass `readAt` only if `answers` are all that KV held under the key then. */
  add(key: string, answers: readonly VerifiedAnswer[], now: Instant, readAt: Instant | null = null): void {
    const before = this.#entries.get(key);
    const all = listNewest([...(before?.answers ?? []), ...answers], now);
    const bytes = all.reduce((sum, { der, issuer }) => sum + der.length + (issuer?.length ?? 0) + OVERHEAD_BYTES, 0);
    this.#forget(key);
    if (all.length === 0 || bytes > this.#capacity) return;
    this.#entries.set(key, { answers: all, readAt: readAt ?? before?.readAt ?? null, bytes });
    this.#bytes += bytes;
    if (this.#bytes > this.#capacity) this.#makeRoom(now);
  }

  /** First those whose answers have all expired and count no longer, then those that were stored longest ago. */
  #makeRoom(now: Instant): void {
    const isOver = ({ answers }: Entry) => answers.every((answer) => hasEnded(answer, now) && !outlivesItsEnd(answer));
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
