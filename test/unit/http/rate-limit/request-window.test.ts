import { expect, test } from "vitest";
import { RequestWindow, WINDOW_SECONDS } from "../../../../src/http/rate-limit/request-window.ts";

const START = 1_800_000_000;

test("requests of the last five minutes are counted, and leave one by one", () => {
  const window = new RequestWindow();
  window.add(START, 3);
  window.add(START + 10, 2);
  expect(window.count(START + 10)).toBe(5);
  expect(window.count(START + WINDOW_SECONDS)).toBe(5);
  expect(window.count(START + WINDOW_SECONDS + 1)).toBe(2);
  expect(window.count(START + WINDOW_SECONDS + 11)).toBe(0);
});

test("no five minutes hold more than the limit, wherever in a second they begin", () => {
  const window = new RequestWindow();
  const limit = 10;
  const accepted: number[] = [];
  for (let milliseconds = 0; milliseconds < 900_000; milliseconds += 250) {
    const second = START + Math.floor(milliseconds / 1000);
    if (window.count(second) >= limit) continue;
    window.add(second, 1);
    accepted.push(milliseconds);
  }
  for (const from of accepted) {
    const within = accepted.filter((at) => at >= from && at < from + WINDOW_SECONDS * 1000);
    expect(within.length).toBeLessThanOrEqual(limit);
  }
  expect(accepted.length).toBe(limit * 3);
});

test("room is made when the oldest counted second leaves the window", () => {
  const window = new RequestWindow({ [START]: 1, [START + 5]: 1 });
  expect(window.secondsUntilRoom(START + 100, 2)).toBe(201);
  expect(window.secondsUntilRoom(START + 100, 10)).toBe(201);
  expect(window.count(START + 100 + 200)).toBe(2);
  expect(window.count(START + 100 + 201)).toBe(1);
});

test("a window over its limit has room when as many have left as are too many", () => {
  const window = new RequestWindow({ [START + 20]: 4, [START]: 1, [START + 10]: 1 });
  expect(window.count(START + 100)).toBe(6);
  expect(window.secondsUntilRoom(START + 100, 5)).toBe(211);
  expect(window.count(START + 100 + 210)).toBe(5);
  expect(window.count(START + 100 + 211)).toBe(4);
  expect(window.secondsUntilRoom(START + 311, 4)).toBe(10);
});

test("what is taken back makes room", () => {
  const window = new RequestWindow({ [START]: 5 });
  window.add(START, -2);
  expect(window.count(START)).toBe(3);
  expect(window.toCounts()).toEqual({ [START]: 3 });
});

test("counts of several isolates add up", () => {
  const window = new RequestWindow({ [START]: 2 });
  window.merge({ [START]: 3, [START + 1]: 1 });
  expect(window.toCounts()).toEqual({ [START]: 5, [START + 1]: 1 });
});

test("11: seconds that lie in the future do not count, and are forgotten", () => {
  const window = new RequestWindow({ [START - 1]: 1, [START]: 2, [START + 1]: 4, [START + 60]: 8, [START + 3600]: 16 });
  // the clock of another machine may be a little ahead
  expect(window.count(START)).toBe(7);
  expect(window.toCounts()).toEqual({ [START - 1]: 1, [START]: 2, [START + 1]: 4 });
  expect(window.count(START + 3600)).toBe(0);
});
