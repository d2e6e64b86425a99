/**
 * What one isolate knows of one source address, and the rule by which it lets requests through. Pure: the caller has
 * the clock, the address's Durable Object and the platform's rate limiter (middleware/rate-limit.ts).
 * An isolate counts what it lets through and reports it to the address's Durable Object in the background; the answer
 * is what all isolates let through. A source that it has not heard of yet, because it is new here or was forgotten to
 * make room, is asked about at once.
 */
import { toSeconds } from "../clock.ts";
import { type Counts, RequestWindow, WINDOW_SECONDS } from "./request-window.ts";

export const REPORT_INTERVAL_MS = 1000;
/** Part of the limit that an isolate lets through at most before it reports without waiting for the interval. */
const UNREPORTED_SHARE = 0.01;
/** Part of the limit from which the platform's rate limiter is asked; below, no burst it could see is near the limit. */
const GUARDED_FROM = 0.25;
/** What was heard longer ago says nothing of what other isolates let through since. */
const FRESH_MS = 2 * REPORT_INTERVAL_MS;
/** A report that did not come back in this time never will: the request that made it was cut off. */
const LOST_AFTER_MS = 10_000;

export interface Verdict {
  readonly passes: boolean;
  /** Whether the platform's rate limiter must let it through, too. */
  readonly guarded: boolean;
  /** When to report: at once, after the interval, or not for this request. */
  readonly report: "now" | "later" | null;
  /** Requests left, as this isolate knows. */
  readonly remaining: number;
  /** Seconds until more of them pass than now. */
  readonly seconds: number;
}

export class SourceQuota {
  /** What all isolates let through, as last heard, plus what this one has since. */
  #window = new RequestWindow();
  #heardAt = Number.NEGATIVE_INFINITY;
  #unreported: Counts = {};
  #unreportedTotal = 0;
  /** Reported, not answered yet. */
  #underWay: Counts | null = null;
  #underWayTotal = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #scheduledAt = Number.NEGATIVE_INFINITY;
  #quietUntil = Number.NEGATIVE_INFINITY;
  #followUp = false;

  /** Seconds with requests: what a source weighs in the isolate's memory. */
  get seconds(): number {
    return this.#window.seconds;
  }

  /** Decides on a request and counts it if it passes, in one step: two at once never both take the last place. */
  take(now: number, limit: number): Verdict {
    const second = toSeconds(now);
    const count = this.#window.count(second);
    const passes = count < limit;
    if (passes) this.#add(second, 1);
    const alone = this.#unreportedTotal + this.#underWayTotal > limit * UNREPORTED_SHARE;
    return {
      passes,
      guarded: passes && (alone || count >= limit * GUARDED_FROM),
      report: passes ? this.#planReport(now, limit) : null,
      remaining: passes ? limit - count - 1 : 0,
      seconds: this.#window.secondsUntilRoom(second, limit),
    };
  }

  /** A request that passed here was refused by the platform's rate limiter: it does not count. */
  giveBack(now: number): void {
    this.#add(toSeconds(now), -1);
  }

  /** The counts to report. Null when there are none, or another report is under way: that one is then followed up. */
  beginReport(now: number): Counts | null {
    this.#scheduledAt = Number.NEGATIVE_INFINITY;
    this.#followUp = this.#isUnderWay(now);
    if (this.#followUp) return null;
    this.#takeBack();
    this.#forgetUnreported(toSeconds(now));
    if (this.#unreportedTotal === 0) return null;
    this.#underWay = this.#unreported;
    this.#underWayTotal = this.#unreportedTotal;
    this.#unreported = {};
    this.#unreportedTotal = 0;
    this.#reportedAt = now;
    return this.#underWay;
  }

  /** The answer to a report: all counts of the window. Answers whether another report is due at once. */
  endReport(reported: Counts, all: Counts, now: number): boolean {
    // of one that was given up: its counts go with a later one, whose answer is newer
    if (reported !== this.#underWay) return false;
    this.#underWay = null;
    this.#underWayTotal = 0;
    this.#window = new RequestWindow(all);
    this.#window.merge(this.#unreported);
    this.#heardAt = now;
    return this.#followUp;
  }

  /** A report that failed: its counts go with the next one, but not at once. */
  failReport(reported: Counts, now: number): void {
    if (reported !== this.#underWay) return;
    this.#takeBack();
    this.#quietUntil = now + REPORT_INTERVAL_MS;
  }

  /** Whether the Durable Object counted what was reported is not known: rather twice than never. */
  #takeBack(): void {
    if (this.#underWay === null) return;
    for (const [second, requests] of Object.entries(this.#underWay)) this.#addUnreported(Number(second), requests);
    this.#underWay = null;
    this.#underWayTotal = 0;
  }

  #planReport(now: number, limit: number): Verdict["report"] {
    const urgent = now - this.#heardAt > FRESH_MS || this.#unreportedTotal > limit * UNREPORTED_SHARE;
    if (urgent && !this.#isUnderWay(now) && now >= this.#quietUntil) return "now";
    if (now - this.#scheduledAt < LOST_AFTER_MS) return null;
    this.#scheduledAt = now;
    return "later";
  }

  #isUnderWay(now: number): boolean {
    return this.#underWay !== null && now - this.#reportedAt < LOST_AFTER_MS;
  }

  #add(second: number, requests: number): void {
    this.#window.add(second, requests);
    this.#addUnreported(second, requests);
  }

  /** What left the window while the Durable Object was out of reach counts no more, and takes no room. */
  #forgetUnreported(second: number): void {
    for (const at of Object.keys(this.#unreported).map(Number)) {
      if (at >= second - WINDOW_SECONDS) continue;
      this.#unreportedTotal -= this.#unreported[at] ?? 0;
      delete this.#unreported[at];
    }
  }

  #addUnreported(second: number, requests: number): void {
    this.#unreported[second] = (this.#unreported[second] ?? 0) + requests;
    this.#unreportedTotal += requests;
  }
}
