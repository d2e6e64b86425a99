/** What an isolate knows of one source, and when it asks: the rule alone, at any time. */
import { beforeEach, describe, expect, test } from "vitest";
import { WINDOW_SECONDS } from "../../../../src/http/rate-limit/request-window.ts";
import { SourceQuota } from "../../../../src/http/rate-limit/source-quota.ts";

const LIMIT = 1_000;
const START = Date.UTC(2098, 0, 1);
const SECOND = START / 1000;

let source: SourceQuota;
beforeEach(() => {
  source = new SourceQuota();
});

const take = (times: number, now = START) => Array.from({ length: times }, () => source.take(now, LIMIT));
const begin = (now = START) => {
  const counts = source.beginReport(now);
  if (counts === null) throw new Error("nothing to report");
  return counts;
};
/** A source that the isolate has just heard of: `count` requests passed elsewhere in this second. */
const hear = (count: number) => {
  take(1);
  source.endReport(begin(), { [SECOND]: count + 1 }, START);
};

test("the limit passes, and each verdict says what is left and until when", () => {
  const [first] = take(1);
  expect(first).toMatchObject({ passes: true, remaining: LIMIT - 1, seconds: WINDOW_SECONDS + 1 });
  expect(take(LIMIT - 1).at(-1)).toMatchObject({ passes: true, remaining: 0 });
  expect(take(1, START + 1_000)).toEqual([
    { passes: false, guarded: false, report: null, remaining: 0, seconds: WINDOW_SECONDS },
  ]);
});

test("a request that counts as many passes whole or not at all", () => {
  take(LIMIT - 60, START);
  const later = START + 5_000;
  expect(source.take(later, LIMIT, 49)).toMatchObject({ passes: true, remaining: 11 });
  const refused = source.take(later, LIMIT, 49);
  // 38 of those before must leave the window: they are of one second
  expect(refused).toMatchObject({ passes: false, guarded: false, report: null, remaining: 11 });
  expect(refused.seconds).toBe(WINDOW_SECONDS + 1 - 5);
  expect(source.take(later, LIMIT, 11)).toMatchObject({ passes: true, remaining: 0 });
  expect(source.take(later, LIMIT)).toMatchObject({ passes: false });
  // more than the limit itself never passes
  expect(new SourceQuota().take(START, 10, 11)).toMatchObject({ passes: false, remaining: 10 });
});

describe("a source that the isolate does not know, or was made to forget", () => {
  test("is asked about with its first request, and counts from the answer on", () => {
    expect(take(1)).toMatchObject([{ passes: true, report: "now" }]);
    source.endReport(begin(), { [SECOND]: LIMIT + 1 }, START + 50);
    expect(take(1, START + 50)).toMatchObject([{ passes: false }]);
  });

  test("must pass the platform's limiter as soon as a hundredth of the limit passed unheard", () => {
    expect(take(LIMIT / 100).some(({ guarded }) => guarded)).toBe(false);
    expect(take(1)).toMatchObject([{ guarded: true }]);
  });

  test("is asked about again when the last answer is old", () => {
    hear(0);
    expect(take(1, START + 1_000)).toMatchObject([{ report: "later" }]);
    expect(take(1, START + 60_000)).toMatchObject([{ report: "now" }]);
  });
});

describe("a source that the isolate has heard of", () => {
  beforeEach(() => hear(0));

  test("is reported after the interval, once for all requests until then", () => {
    expect(take(3).map(({ report }) => report)).toEqual(["later", null, null]);
    expect(begin(START + 1_000)).toEqual({ [SECOND]: 3 });
  });

  test("is reported at once when more than a hundredth of the limit passed since", () => {
    const reports = take(LIMIT / 100 + 1).map(({ report }) => report);
    expect(reports.at(-1)).toBe("now");
    expect(reports.slice(1, -1)).toEqual(Array(LIMIT / 100 - 1).fill(null));
  });

  test("is not reported when nothing passed since", () => {
    expect(source.beginReport(START + 1_000)).toBeNull();
  });

  test("must pass the platform's limiter from a quarter of the limit on", () => {
    hear(LIMIT / 4 - 2);
    expect(take(2).map(({ guarded }) => guarded)).toEqual([false, true]);
  });

  test("is not charged for what the platform's limiter refused", () => {
    const [{ remaining } = { remaining: 0 }] = take(1);
    source.giveBack(START);
    expect(take(1)).toMatchObject([{ remaining }]);
    expect(begin()).toEqual({ [SECOND]: 1 });
  });
});

describe("a report", () => {
  test("leaves what passes meanwhile to the next one", () => {
    take(2);
    const reported = begin();
    take(3);
    source.endReport(reported, { [SECOND]: 10 }, START);
    expect(take(1)).toMatchObject([{ remaining: LIMIT - 14 }]);
    expect(begin()).toEqual({ [SECOND]: 4 });
  });

  test("that is due while another is under way follows it", () => {
    take(2);
    const reported = begin();
    take(3);
    expect(source.beginReport(START)).toBeNull();
    expect(source.endReport(reported, { [SECOND]: 2 }, START)).toBe(true);
    expect(begin()).toEqual({ [SECOND]: 3 });
  });

  test("that fails goes with the next one, and not at once", () => {
    take(2);
    source.failReport(begin(), START);
    expect(take(1)).toMatchObject([{ report: "later" }]);
    expect(begin(START + 1_000)).toEqual({ [SECOND]: 3 });
  });

  test("that fails for longer than the window carries only what still counts", () => {
    for (let n = 0; n <= 2 * WINDOW_SECONDS; n++) {
      const at = START + n * 1000;
      take(1, at);
      const counts = source.beginReport(at);
      if (counts) source.failReport(counts, at);
    }
    expect(Object.keys(begin(START + (2 * WINDOW_SECONDS + 2) * 1000))).toHaveLength(WINDOW_SECONDS - 1);
  });

  test("that never comes back goes with a later one, and its late answer changes nothing", () => {
    take(2);
    const lost = begin();
    expect(take(1, START + 9_000)).toMatchObject([{ report: "later" }]);
    expect(source.beginReport(START + 9_000)).toBeNull();
    expect(take(1, START + 10_000)).toMatchObject([{ report: "now" }]);
    const next = begin(START + 10_000);
    expect(next).toEqual({ [SECOND]: 2, [SECOND + 9]: 1, [SECOND + 10]: 1 });
    source.endReport(lost, {}, START + 10_000);
    expect(take(1, START + 10_000)).toMatchObject([{ remaining: LIMIT - 5 }]);
  });

  test("that was planned by a request that was cut off is made by a later one", () => {
    hear(0);
    expect(take(2).map(({ report }) => report)).toEqual(["later", null]);
    expect(take(1, START + 2_001)).toMatchObject([{ report: "now" }]);
    expect(begin(START + 2_001)).toEqual({ [SECOND]: 2, [SECOND + 2]: 1 });
  });
});

describe("11: when the clock is set back by an hour", () => {
  const BACK = START - 3_600_000;

  test("nothing counts that passed before it, here or elsewhere", () => {
    take(LIMIT);
    expect(take(1)).toMatchObject([{ passes: false }]);
    expect(take(1, BACK)).toMatchObject([{ passes: true, remaining: LIMIT - 1 }]);
    expect(begin(BACK)).toEqual({ [BACK / 1000]: 1 });
    source = new SourceQuota();
    hear(LIMIT);
    expect(take(1, BACK)).toMatchObject([{ passes: true, remaining: LIMIT - 1 }]);
  });

  test("reports go on: none waits for an answer, or for an instant, of before", () => {
    take(1);
    begin();
    expect(take(1, BACK)).toMatchObject([{ report: "now" }]);
    source = new SourceQuota();
    take(1);
    source.failReport(begin(), START);
    expect(take(1, BACK)).toMatchObject([{ report: "now" }]);
    source = new SourceQuota();
    hear(0);
    expect(take(2).map(({ report }) => report)).toEqual(["later", null]);
    expect(take(1, BACK)).toMatchObject([{ report: "now" }]);
  });
});
