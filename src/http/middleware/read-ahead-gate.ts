/**
 * Decides for which callers stores are read while the credentials are still being verified. On a cold isolate this
 * saves a round trip, but a caller without credentials must not cause work. So the stores are read ahead
 *
 * - for a client whose credentials were verified by this isolate within the last hour, and
 * - for any other client, if no caller was rejected by this isolate within the last minute: a new isolate knows none
 * yet;
 * - for at most eight callers at a time.
 *
 * A flood of unknown callers therefore causes at most eight reads, and then none until a minute after its end. Other
 * callers wait one round trip longer and get the same answer.
 */
import type { Authentication } from "../../institutions/financial-institutions.ts";
import { heapBytes } from "../../platform/memory/heap-bytes.ts";
import { Memory, memoryKey } from "../../platform/memory/memory.ts";
import { MEMORY_SHARES } from "../../platform/memory/memory-shares.ts";

const CLIENT_KNOWN_MS = 3_600_000;
const PAUSE_MS = 60_000;
const MAX_AT_ONCE = 8;

export class ReadAheadGate {
  readonly clients = new Memory<true>(MEMORY_SHARES.clients, heapBytes);
  #underWay = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /**
   * Calls `authenticate`. If the gate is open for this client, calls `readAhead` first, which must start the reads
   * without waiting or throwing. `now` in milliseconds since 1970.
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

  /** A correct secret makes the client known, whatever institution it asks for; a wrong one makes it unknown again. */
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
