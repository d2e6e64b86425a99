import { expect, test } from "vitest";
import type { Clock } from "../../../src/platform/clock.ts";
import { retryStore, StoreError } from "../../../src/platform/stores.ts";

/** A clock that moves when it is waited for, and by `callMilliseconds` with each call. */
function virtualClock() {
  const waits: number[] = [];
  let at = 0;
  const clock: Clock = {
    now: () => at,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      at += milliseconds;
    },
  };
  const pass = (milliseconds: number) => {
    at += milliseconds;
  };
  return { clock, waits, pass, now: () => at };
}

const failing = (times: number, during = () => {}) => {
  let calls = 0;
  return {
    call: async () => {
      during();
      if (++calls <= times) throw new StoreError(`D1: failure ${calls}`);
      return calls;
    },
    calls: () => calls,
  };
};

test.each([
  [0, []],
  [1, [100]],
  [2, [100, 200]],
  [4, [100, 200, 400, 800]],
])("a call that fails %i times is repeated after %j ms", async (times, expected) => {
  const { clock, waits } = virtualClock();
  expect(await retryStore(failing(times).call, clock)).toBe(times + 1);
  expect(waits).toEqual(expected);
});

test("a store that stays broken is given up within two seconds, with its last failure", async () => {
  const { clock, waits, now } = virtualClock();
  const { call, calls } = failing(Number.POSITIVE_INFINITY);
  await expect(retryStore(call, clock)).rejects.toThrow("D1: failure 5");
  expect([calls(), waits, now()]).toEqual([5, [100, 200, 400, 800], 1500]);
});

test("calls that take long use up the two seconds", async () => {
  const { clock, waits, pass } = virtualClock();
  const { call, calls } = failing(Number.POSITIVE_INFINITY, () => pass(900));
  await expect(retryStore(call, clock)).rejects.toThrow(StoreError);
  expect([calls(), waits]).toEqual([2, [100]]);
});

test("a clock that stands still does not make it endless", async () => {
  const { call, calls } = failing(Number.POSITIVE_INFINITY);
  await expect(retryStore(call, { now: () => 0, wait: async () => {} })).rejects.toThrow(StoreError);
  expect(calls()).toBe(5);
});

test("what is no failure of a store is not repeated", async () => {
  let calls = 0;
  const call = async () => {
    calls++;
    throw new TypeError("a mistake of ours");
  };
  await expect(retryStore(call, virtualClock().clock)).rejects.toThrow(TypeError);
  expect(calls).toBe(1);
});
