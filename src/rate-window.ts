/**
 * Requests of one source IP in the last five minutes, over all locations: one Durable Object per IP.
 * Isolates report what they let through once a second, in the background (middleware/rate-limit.ts).
 */
import { DurableObject } from "cloudflare:workers";

export const WINDOW_SECONDS = 300;

/** Accepted requests by the second (since 1970) in which they came. */
export type Counts = Record<number, number>;

/** Requests in the window that ends in `second`. One second more than the window is counted, so that no five minutes hold more than the limit. */
export const countWindow = (counts: Counts, second: number): number =>
  Object.entries(counts).reduce((sum, [at, count]) => (Number(at) >= second - WINDOW_SECONDS ? sum + count : sum), 0);

/** Drops what has left the window. */
export function prune(counts: Counts, second: number): void {
  for (const at of Object.keys(counts)) if (Number(at) < second - WINDOW_SECONDS) delete counts[Number(at)];
}

export class RateWindow extends DurableObject<Env> {
  /** Adds an isolate's counts and answers all counts of the window. `second` is the isolate's present. */
  async add(reported: Counts, second: number): Promise<Counts> {
    const counts = this.ctx.storage.kv.get<Counts>("counts") ?? {};
    for (const [at, count] of Object.entries(reported)) counts[Number(at)] = (counts[Number(at)] ?? 0) + count;
    prune(counts, second);
    this.ctx.storage.kv.put("counts", counts);
    await this.ctx.storage.setAlarm((second + WINDOW_SECONDS + 1) * 1000);
    return counts;
  }

  /** The window is empty: nothing is left to keep. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
