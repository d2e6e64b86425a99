import fc from "fast-check";
import { expect, test } from "vitest";
import { type AttemptOutcome, decideNext, readRetryAfter } from "../../../src/events/deliveries.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const HOUR = 3_600_000;
const answer = (status: number, retryAfter: number | null = null): AttemptOutcome => ({
  kind: "answer",
  status,
  retryAfter,
});
const first = { number: 1, firstAt: NOW, now: NOW };

test.each<[string, AttemptOutcome, object]>([
  ["200", answer(200), { step: "done" }],
  ["204", answer(204), { step: "done" }],
  ["410", answer(410), { step: "dead", disable: true }],
  ["302, which is not followed", answer(302), { step: "retry", seconds: 5 }],
  ["400", answer(400), { step: "retry", seconds: 5 }],
  ["500", answer(500), { step: "retry", seconds: 5 }],
  ["500 with Retry-After, which is for 429 and 503", answer(500, 60), { step: "retry", seconds: 5 }],
  ["503 with Retry-After", answer(503, 60), { step: "retry", seconds: 60 }],
  ["429 with a Retry-After shorter than the usual delay", answer(429, 1), { step: "retry", seconds: 5 }],
  ["429 with a Retry-After beyond 12 hours", answer(429, 999_999), { step: "retry", seconds: 43_200 }],
  ["no answer", { kind: "none", message: "could not be reached" }, { step: "retry", seconds: 5 }],
])("after %s", (_, outcome, next) => {
  expect(decideNext(first, outcome)).toEqual(next);
});

test("the delays double from 5 seconds to 12 hours, and no attempt comes after three days", () => {
  const delays: number[] = [];
  for (let [number, now] = [1, NOW]; ; number++) {
    const next = decideNext({ number, firstAt: NOW, now }, answer(500));
    if (next.step !== "retry") {
      expect(next).toEqual({ step: "dead", disable: false });
      expect(now - NOW).toBeGreaterThan(59 * HOUR);
      break;
    }
    delays.push(next.seconds);
    now += next.seconds * 1000;
    expect(now - NOW).toBeLessThanOrEqual(72 * HOUR);
  }
  expect(delays.slice(0, 5)).toEqual([5, 10, 20, 40, 80]);
  expect(delays.at(-1)).toBe(43_200);
  // a message of Cloudflare Queues is repeated a hundred times at most
  expect(delays.length).toBeLessThan(100);
});

test("whatever a receiver answers, a delay is one that the queue has, and the end comes", () => {
  const outcome = fc.oneof(
    fc.record({
      kind: fc.constant("answer" as const),
      status: fc.integer({ min: 100, max: 599 }),
      retryAfter: fc.option(fc.nat()),
    }),
    fc.constant({ kind: "none" as const, message: "" }),
  );
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 200, maxLength: 200 }), (outcomes) => {
      let now = NOW;
      const ended = outcomes.findIndex((each, i) => {
        const next = decideNext({ number: i + 1, firstAt: NOW, now }, each);
        if (next.step !== "retry") return true;
        expect(next.seconds).toBeGreaterThanOrEqual(5);
        expect(next.seconds).toBeLessThanOrEqual(43_200);
        now += next.seconds * 1000;
        return false;
      });
      expect(ended).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ["120", 120],
  ["Sun, 22 Nov 2026 10:00:30 GMT", 30],
  ["Sun, 22 Nov 2026 09:00:00 GMT", 0],
  ["soon", null],
  ["-5", null],
  [null, null],
])("Retry-After %s is %s seconds", (header, seconds) => {
  // "-5" is a year to some parsers of dates
  const read = readRetryAfter(header, NOW);
  expect(header === "-5" ? read === null || read === 0 : read === seconds).toBe(true);
});
