/**
 * Counts the requests of one source IP in the last five minutes, over all locations: one Durable Object for each IP.
 * Isolates report the requests that they passed once a second, in the background (http/middleware/rate-limit.ts).
 */
import { DurableObject } from "cloudflare:workers";
import { clock, toSeconds } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { type Counts, RequestWindow, WINDOW_SECONDS } from "./request-window.ts";

export class RateWindow extends DurableObject<Env> {
  /** The end for which the last alarm was set, and how often it has rung before that end by this object's clock. */
  #awaited = { end: 0, early: 0 };

  /** Adds an isolate's counts and returns all counts of the window. It ends now by the clock of this object. */
  async add(reported: Counts): Promise<Counts> {
    // first: what is written below then is one transaction. A report that finds an alarm set writes one row, not two
    const alarmAt = await this.ctx.storage.getAlarm();
    const window = new RequestWindow(this.ctx.storage.kv.get<Counts>("counts"));
    window.merge(reported);
    // not by the isolate's clock: one that is an hour off would make the others' counts disappear
    const second = toSeconds(clock.now());
    window.count(second);
    const counts = window.toCounts();
    this.ctx.storage.kv.put("counts", counts);
    if (alarmAt === null) await this.ctx.storage.setAlarm(emptyAt(second));
    return counts;
  }

  /**
   * Runs when the window as it was at the first report is empty, and again when later ones have left it. The platform's clock
   * rings it: where this object's is behind, the same instant would be over already, and ring at once for as long.
   */
  override async alarm(): Promise<void> {
    const seconds = Object.keys(this.ctx.storage.kv.get<Counts>("counts") ?? {}).map(Number);
    const end = emptyAt(Math.max(0, ...seconds));
    if (clock.now() >= end) return await this.ctx.storage.deleteAll();
    const early = this.#awaited.end === end ? this.#awaited.early + 1 : 0;
    this.#awaited = { end, early };
    await this.ctx.storage.setAlarm(end + early * WINDOW_SECONDS * 1000);
  }
}

/** When requests of that second (since 1970) have left the window. */
const emptyAt = (second: number): Instant => (second + WINDOW_SECONDS + 1) * 1000;
