/**
 * For whom the stores are read while the credentials are still being looked up. On a cold isolate reading ahead saves a
 * caller one round trip, but whoever has no credentials must not make the service work. So the stores are read ahead
 *
 * - for a client whose credentials were verified here within the last hour, and
 * - for an unknown one as long as no caller was refused here within the last minute: a new isolate knows nobody yet;
 * - for at most eight callers at once.
 *
 * A flood of unknown callers therefore causes eight readings at most, and then none until it has been quiet for a minute.
 * Whoever is not read ahead for waits one round trip more, and is answered the same.
 */
import type { Authentication } from "../financial-institutions.ts";
import { heapBytes } from "../memory/heap-bytes.ts";
import { Memory, memoryKey } from "../memory/memory.ts";
import { MEMORY_SHARES } from "../memory/memory-shares.ts";

const CLIENT_KNOWN_MS = 3_600_000;
const PAUSE_MS = 60_000;
const MAX_AT_ONCE = 8;

export class ReadAheadGate {
  readonly clients = new Memory<true>(MEMORY_SHARES.clients, heapBytes);
  #underWay = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /**
   * Looks the caller up by `authenticate`. If the gate is open for this client, calls `readAhead` first, which begins to
   * read and neither waits nor throws. `now` in milliseconds since 1970.
   */
  async lookUp(
    clientId: string,
    now: number,
    readAhead: () => void,
    authenticate: () => Promise<Authentication>,
  ): Promise<Authentication> {
    const client = memoryKey(clientId);
    const open = this.#underWay < MAX_AT_ONCE && (now >= this.#pausedUntil || this.clients.get(client, now) === true);
    if (!open) return this.#judge(client, await authenticate(), now);
    this.#underWay++;
    try {
      readAhead();
      return this.#judge(client, await authenticate(), now);
    } finally {
      this.#underWay--;
    }
  }

  /** Who has the secret is known, whichever institution it asks for. A guessed one makes its client unknown again. */
  #judge(client: string, result: Authentication, now: number): Authentication {
    if (result.ok || result.reason === "fi_reference_id") {
      this.clients.set(client, true, now + CLIENT_KNOWN_MS, now);
    } else {
      this.clients.delete(client);
      this.#pausedUntil = now + PAUSE_MS;
    }
    return result;
  }
}
