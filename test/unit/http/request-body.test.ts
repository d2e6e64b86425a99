/** How long a body may take to arrive: evidence counts on it. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { arriveInTime, BODY_TIMEOUT_MS } from "../../../src/http/request-body.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const late = () => new Error("too slow");

test("one that stalls is given up after 20 seconds, and not before", async () => {
  expect(BODY_TIMEOUT_MS).toBe(20_000);
  const said = vi.fn();
  const given = arriveInTime(new Promise(() => {}), late).catch((error: Error) => said(error.message));
  await vi.advanceTimersByTimeAsync(BODY_TIMEOUT_MS - 1);
  expect(said).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await given;
  expect(said).toHaveBeenCalledWith("too slow");
});

test.each<[string, () => Promise<string>, string]>([
  ["arrives", async () => "body", "body"],
  ["breaks off", async () => Promise.reject(new Error("broken")), "broken"],
])("no timer runs on for one that %s", async (_, read, expected) => {
  expect(await arriveInTime(read(), late).catch((error: Error) => error.message)).toBe(expected);
  expect(vi.getTimerCount()).toBe(0);
});
