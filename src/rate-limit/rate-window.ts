/**
 * Counts the requests of one source IP in the last five minutes, over all locations: one Durable Object for each IP.
 * Isolates report the requests that they passed once a second, in the background (middleware/rate-limit.ts).
 */
import { DurableObject } from "cloudflare:workers";
import { type Counts, RequestWindow, WINDOW_SECONDS } from "./request-window.ts";

export class RateWindow extends DurableObject<Env> {
  /** Adds an isolate's counts and returns all counts of the window. `second`: the isolate's, since 1970. */
  async add(reported: Counts, second: number): Promise<Counts> {
    const window = new RequestWindow(this.ctx.storage.kv.get<Counts>("counts"));
    window.merge(reported);
    window.count(second);
    const counts = window.toCounts();
    this.ctx.storage.kv.put("counts", counts);
    await this.ctx.storage.setAlarm((second + WINDOW_SECONDS + 1) * 1000);
    return counts;
  }

  /** Runs when the window is empty. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
