/**
 * The state of one source address in one isolate, and the rule by which requests pass. Pure: the caller has the clock,
 * the address's Durable Object and the platform's rate limiter (http/middleware/rate-limit.ts).
 *
 * An isolate counts the requests that it passes and reports them to the address's Durable Object in the background. The
 * answer contains the counts of all isolates. For an address without such counts, because it is new in the isolate or
 * was evicted from its cache, the report is sent at once.
 */
import { toSeconds } from "../../platform/clock.ts";
import type { Instant } from "../../platform/instant.ts";
import { type Counts, isInWindow, RequestWindow } from "./request-window.ts";

export const REPORT_INTERVAL_MS = 1000;
/** If more than this part of the limit is unreported, a report is sent without waiting for the interval. */
const UNREPORTED_SHARE = 0.01;
/** From this part of the limit on the platform's rate limiter is called. A burst below it is far from the limit. */
const GUARDED_FROM = 0.25;
/** Older counts of the other isolates are outdated. */
const FRESH_MS = 2 * REPORT_INTERVAL_MS;
/** A report without an answer after this time is lost: the request that sent it was terminated. */
const LOST_AFTER_MS = 10_000;

/** Whether `now` is less than `period` milliseconds from `at`. Before it counts, too: then the clock was set back. */
const isWithin = (period: number, at: Instant, now: Instant): boolean => Math.abs(now - at) < period;

export interface Verdict {
  readonly passes: boolean;
  /** Whether the platform's rate limiter must also allow the request. */
  readonly guarded: boolean;
  /** When to report: at once, after the interval, or not for this request. */
  readonly report: "now" | "later" | null;
  /** Remaining requests, by the counts of this isolate. */
  readonly remaining: number;
  /** Seconds until more requests pass. */
  readonly seconds: number;
}

/** Requests by second, and how many they are. */
class Tally {
  readonly counts: Counts = {};
  total = 0;

  /** `requests` is negative to take back a counted request. */
  add(second: number, requests: number): void {
    this.counts[second] = (this.counts[second] ?? 0) + requests;
    this.total += requests;
  }

  merge({ counts }: Tally): void {
    for (const [second, requests] of Object.entries(counts)) this.add(Number(second), requests);
  }

  /** Drops what has left the window that ends in `second`: the Durable Object could not be reached, or the clock was set. */
  forget(second: number): void {
    for (const at of Object.keys(this.counts).map(Number)) {
      if (isInWindow(at, second)) continue;
      this.total -= this.counts[at] ?? 0;
      delete this.counts[at];
    }
  }
}

export class SourceQuota {
  /** The last received counts of all isolates, plus those of this isolate since then. */
  #window = new RequestWindow();
  #heardAt = Number.NEGATIVE_INFINITY;
  #unreported = new Tally();
  /** The report without an answer so far. */
  #underWay: Tally | null = null;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #scheduledAt = Number.NEGATIVE_INFINITY;
  #failedAt = Number.NEGATIVE_INFINITY;
  #followUp = false;

  /** The number of seconds with requests, which determines the size in the isolate's cache. */
  get seconds(): number {
    return this.#window.seconds;
  }

  /**
   * Decides on a request and counts it if it passes; one that does the work of several counts as `requests`, and all or
   * none of them pass. Synchronous, so that two concurrent requests cannot both take the last place.
   */
  take(now: Instant, limit: number, requests = 1): Verdict {
    const second = toSeconds(now);
    const count = this.#window.count(second);
    const passes = count + requests <= limit;
    if (passes) this.#add(second, requests);
    const unconfirmed = this.#unreported.total + (this.#underWay?.total ?? 0);
    const isAhead = unconfirmed > limit * UNREPORTED_SHARE;
    return {
      passes,
      guarded: passes && (isAhead || count >= limit * GUARDED_FROM),
      report: passes ? this.#planReport(now, limit) : null,
      remaining: passes ? limit - count - requests : Math.max(0, limit - count),
      seconds: this.#window.secondsUntilRoom(second, passes ? limit : limit - requests + 1),
    };
  }

  /** What is left for a request that is not counted. */
  look(now: Instant, limit: number): Pick<Verdict, "remaining" | "seconds"> {
    const second = toSeconds(now);
    const remaining = Math.max(0, limit - this.#window.count(second));
    return { remaining, seconds: this.#window.secondsUntilRoom(second, limit) };
  }

  /** Takes back a request that passed here, but was refused by the platform's rate limiter. */
  giveBack(now: Instant): void {
    this.#add(toSeconds(now), -1);
  }

  /** The counts to report. Null if there are none, or if a report is pending: another one then follows it. */
  beginReport(now: Instant): Counts | null {
    this.#scheduledAt = Number.NEGATIVE_INFINITY;
    this.#followUp = this.#isUnderWay(now);
    if (this.#followUp) return null;
    this.#takeBack();
    this.#unreported.forget(toSeconds(now));
    if (this.#unreported.total === 0) return null;
    this.#underWay = this.#unreported;
    this.#unreported = new Tally();
    this.#reportedAt = now;
    return this.#underWay.counts;
  }

  /** Processes the answer to a report: all counts of the window. Returns whether another report is due at once. */
  endReport(reported: Counts, all: Counts, now: Instant): boolean {
    // the answer to a report that was given up: its counts are in a later report, whose answer is newer
    if (reported !== this.#underWay?.counts) return false;
    this.#underWay = null;
    this.#window = new RequestWindow(all);
    this.#window.merge(this.#unreported.counts);
    this.#heardAt = now;
    return this.#followUp;
  }

  /** Processes the failure of a report: its counts are added to the next one, which is delayed. */
  failReport(reported: Counts, now: Instant): void {
    if (reported !== this.#underWay?.counts) return;
    this.#takeBack();
    this.#failedAt = now;
  }

  /** It is unknown whether the Durable Object received the counts. Counting twice is safer than not at all. */
  #takeBack(): void {
    if (this.#underWay === null) return;
    this.#unreported.merge(this.#underWay);
    this.#underWay = null;
  }

  #planReport(now: Instant, limit: number): Verdict["report"] {
    const urgent = !isWithin(FRESH_MS, this.#heardAt, now) || this.#unreported.total > limit * UNREPORTED_SHARE;
    if (urgent && !this.#isUnderWay(now) && !isWithin(REPORT_INTERVAL_MS, this.#failedAt, now)) return "now";
    if (isWithin(LOST_AFTER_MS, this.#scheduledAt, now)) return null;
    this.#scheduledAt = now;
    return "later";
  }

  #isUnderWay(now: Instant): boolean {
    return this.#underWay !== null && isWithin(LOST_AFTER_MS, this.#reportedAt, now);
  }

  #add(second: number, requests: number): void {
    this.#window.add(second, requests);
    this.#unreported.add(second, requests);
  }
}
