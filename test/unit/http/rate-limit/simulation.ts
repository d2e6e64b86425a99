/**
 * Isolates that let one source's requests through by the rule of src/http/rate-limit/source-quota.ts, on a virtual clock: they report to
 * the source's window as src/http/rate-limit/rate-window.ts keeps it, over a network that takes its time.
 */
import { type Counts, RequestWindow, WINDOW_SECONDS } from "../../../../src/http/rate-limit/request-window.ts";
import { REPORT_INTERVAL_MS, SourceQuota } from "../../../../src/http/rate-limit/source-quota.ts";

export interface Scenario {
  readonly limit: number;
  readonly isolates: number;
  /** Of the source, spread evenly over the isolates. */
  readonly requestsPerSecond: number;
  /** From an isolate to the Durable Object and back. */
  readonly roundTripMs: number;
  /** The platform's limiter at this location: at most `limit` of those that it is asked about in 60 seconds. */
  readonly platformLimiter: boolean;
  /** When the source asks, in milliseconds of the virtual clock; it goes on asking when it is refused. */
  readonly phases: readonly (readonly [from: number, to: number])[];
}

const PLATFORM_PERIOD_MS = 60_000;

const START = Date.UTC(2098, 0, 1);

/** Of each millisecond in which any passed: how many passed, in order of time. */
export type Passed = readonly (readonly [at: number, requests: number])[];

export function simulate({
  limit,
  isolates,
  requestsPerSecond,
  roundTripMs,
  platformLimiter,
  phases,
}: Scenario): Passed {
  const sources = Array.from({ length: isolates }, () => new SourceQuota());
  const events = new Map<number, (() => void)[]>();
  let now = START;
  const after = (milliseconds: number, event: () => void) => {
    const at = now + milliseconds;
    const others = events.get(at);
    if (others) others.push(event);
    else events.set(at, [event]);
  };

  let stored: Counts = {};
  const add = (reported: Counts): Counts => {
    const window = new RequestWindow(stored);
    window.merge(reported);
    window.count(Math.floor(now / 1000));
    stored = window.toCounts();
    return stored;
  };
  const report = (source: SourceQuota): void => {
    const counts = source.beginReport(now);
    if (counts === null) return;
    after(roundTripMs / 2, () => {
      const all = add(counts);
      after(roundTripMs / 2, () => {
        if (source.endReport(counts, all, now)) report(source);
      });
    });
  };

  let period = { from: START, asked: 0 };
  const platformAllows = (): boolean => {
    if (now - period.from >= PLATFORM_PERIOD_MS) period = { from: now, asked: 0 };
    return ++period.asked <= limit;
  };

  const passed: [number, number][] = [];
  let next = 0;
  const request = (): boolean => {
    const source = sources[next++ % isolates] as SourceQuota;
    const verdict = source.take(now, limit);
    if (verdict.report === "now") report(source);
    else if (verdict.report === "later") after(REPORT_INTERVAL_MS, () => report(source));
    if (!verdict.passes) return false;
    if (!platformLimiter || !verdict.guarded || platformAllows()) return true;
    source.giveBack(now);
    return false;
  };

  let owed = 0;
  for (const [from, to] of phases)
    for (const end = START + to; now < end; now++) {
      for (const event of events.get(now) ?? []) event();
      events.delete(now);
      if (now < START + from) {
        // to the next instant at which anything happens
        now = Math.min(START + from, ...events.keys()) - 1;
        continue;
      }
      let count = 0;
      for (owed += requestsPerSecond / 1000; owed >= 1; owed--) if (request()) count++;
      if (count > 0) passed.push([now, count]);
    }
  return passed;
}

/** The most that passed in any five minutes, wherever they begin. */
export function mostInWindow(passed: Passed): number {
  let most = 0;
  let sum = 0;
  let first = 0;
  for (const [at, requests] of passed) {
    sum += requests;
    for (let oldest = passed[first]; oldest && oldest[0] <= at - WINDOW_SECONDS * 1000; oldest = passed[++first])
      sum -= oldest[1];
    most = Math.max(most, sum);
  }
  return most;
}
