/**
 * For which callers stores are read while the credentials are still being verified. On a cold isolate this saves a round trip,
 * but a caller without credentials must not cause work.
 */
import type { Authentication } from "../../institutions/financial-institutions.ts";
import type { Instant } from "../../platform/instant.ts";
import { memoryKey, memoryOf } from "../../platform/memory.ts";

const CLIENT_KNOWN_MS = 3_600_000;
const PAUSE_MS = 60_000;
const MAX_AT_ONCE = 8;

/**
 * It is open for a client that this isolate verified within the last hour, and for any other while no caller was rejected
 * within the last minute; for eight at a time. So a flood of unknown callers causes eight reads, and then none until a minute
 * after its end.
 */
export class ReadAheadGate {
  readonly clients = memoryOf<true>("clients");
  #underWay = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /**
   * Calls `authenticate`. If the gate is open for this client, calls `readAhead` first, which must start the reads without
   * waiting or throwing.
   */
  async lookUp(
    clientId: string,
    now: Instant,
    readAhead: () => void,
    authenticate: () => Promise<Authentication>,
  ): Promise<Authentication> {
    const client = memoryKey(clientId);
    const isTrusted = now >= this.#pausedUntil || this.clients.get(client, now) === true;
    if (!isTrusted || this.#underWay >= MAX_AT_ONCE) return this.#learn(client, await authenticate(), now);
    this.#underWay++;
    try {
      readAhead();
      return this.#learn(client, await authenticate(), now);
    } finally {
      this.#underWay--;
    }
  }

  /** A correct secret makes the client known, whatever institution it asks for; a wrong one makes it unknown again. */
  #learn(client: string, result: Authentication, now: Instant): Authentication {
    if (result.ok || result.reason === "fi_reference_id") {
      this.clients.set(client, true, now + CLIENT_KNOWN_MS, now);
    } else {
      this.clients.delete(client);
      this.#pausedUntil = now + PAUSE_MS;
    }
    return result;
  }
}
