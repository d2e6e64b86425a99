/** Workers KV as the platform has it: one write of a key in a second, a deletion being one. Time passes as the test says. */
import { vi } from "vitest";
import { clock } from "../../../src/platform/clock.ts";
import { aroundWrites } from "../../kv-writes.ts";

/** Until `vi.restoreAllMocks()`. Each write takes `writeMs`. */
export function limitWrites(kv: KVNamespace, writeMs = 100): KVNamespace {
  let now = Date.parse("2026-11-22T10:00:00Z");
  vi.spyOn(clock, "now").mockImplementation(() => now);
  vi.spyOn(clock, "wait").mockImplementation(async (milliseconds) => {
    now += milliseconds;
  });
  const written = new Map<unknown, number>();
  return aroundWrites(kv, async (method, key, carryOut) => {
    if (now - (written.get(key) ?? 0) < 1_000)
      throw new Error(`KV ${method.toUpperCase()} failed: 429 Too Many Requests`);
    written.set(key, now);
    now += writeMs;
    return await carryOut();
  });
}
