import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  fetchOnce,
  findBackOff,
  recordFailure,
  recordSuccess,
  SOURCE_TIMEOUT_MS,
} from "../../../src/revocation/source-attempts.ts";

const NOW = Date.parse("2026-06-10T00:00:00Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let failWaiting: (() => void)[] = [];
const waitToFail = () =>
  new Promise<Response>((_, reject) => void failWaiting.push(() => reject(new TypeError("no such host"))));
const fetched = vi.fn(waitToFail);
beforeAll(() => void vi.stubGlobal("fetch", fetched));
afterAll(() => void vi.unstubAllGlobals());

test("a source that fails is left alone for 1, 2, 4, ... and never for more than 60 seconds", () => {
  let now = NOW;
  const source = "http://failing.test/";
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    recordFailure(source, `failed before ${seconds}`, now);
    now += seconds * SECOND;
    expect(findBackOff(source, now - 1)).toBe(`failed before ${seconds}`);
    expect(findBackOff(source, now)).toBeNull();
  }
  expect(findBackOff("http://other.test/", NOW)).toBeNull();
});

test("a source that failed a thousand times and more is left alone for 60 seconds, too", () => {
  const source = "http://dead.test/";
  for (let i = 0; i < 2_000; i++) recordFailure(source, "failed", NOW);
  expect(findBackOff(source, NOW + MINUTE - 1)).toBe("failed");
  expect(findBackOff(source, NOW + MINUTE)).toBeNull();
});

test.each([
  ["a success", (source: string) => recordSuccess(source), NOW + 3 * SECOND],
  ["ten minutes beyond the wait", () => {}, NOW + 2 * SECOND + 10 * MINUTE],
])("after %s the first wait is one second again", (name, end, later) => {
  const source = `http://back.test/${name}`;
  recordFailure(source, "failed", NOW);
  recordFailure(source, "failed", NOW);
  end(source);
  recordFailure(source, "failed anew", later);
  expect(findBackOff(source, later + SECOND - 1)).toBe("failed anew");
  expect(findBackOff(source, later + SECOND)).toBeNull();
});

test("a source that fails several requests at once is left alone from the latest of them on", async () => {
  const url = "http://joined.test/";
  const ask = (now: number) =>
    fetchOnce(
      url,
      { url, method: "GET", maxBytes: 10 },
      { ctx: { waitUntil: () => {} }, now, signal: new AbortController().signal },
      async () => {},
    );
  failWaiting = [];
  const attempts = [ask(NOW), ask(NOW + 3 * SECOND), ask(NOW + SECOND)];
  expect(failWaiting).toHaveLength(1);
  for (const fail of failWaiting) fail();
  for (const outcome of await Promise.all(attempts)) expect(outcome.ok).toBe(false);
  expect(findBackOff(url, NOW + 4 * SECOND - 1)).not.toBeNull();
  expect(findBackOff(url, NOW + 4 * SECOND)).toBeNull();
});

/** Asks without a wait of its own in `ctx`. */
const request = (url: string, now: number, signal: AbortSignal, accept = async () => {}) =>
  fetchOnce(url, { url, method: "GET", maxBytes: 10 }, { ctx: { waitUntil: () => {} }, now, signal }, accept);

test("a request whose time is up before or during its wait is answered, and asks no second time", async () => {
  failWaiting = [];
  const late = { ok: false, message: "did not answer in time" };
  expect(await request("http://slow.test/", NOW, AbortSignal.abort())).toEqual(late);
  const caller = new AbortController();
  const waiting = request("http://slow.test/", NOW, caller.signal);
  caller.abort();
  expect(await waiting).toEqual(late);
  expect(failWaiting).toHaveLength(1);
  for (const fail of failWaiting) fail();
});

test("an attempt that began longer ago than a source has is not joined, in whichever direction the clock went", async () => {
  failWaiting = [];
  const url = "http://left.test/";
  const { signal } = new AbortController();
  const patience = SOURCE_TIMEOUT_MS + 500;
  const asked = [NOW, NOW + patience - 1, NOW + patience, NOW].map((now) => {
    const outcome = request(url, now, signal);
    return { outcome, attempts: failWaiting.length };
  });
  expect(asked.map(({ attempts }) => attempts)).toEqual([1, 1, 2, 3]);
  for (const fail of failWaiting) fail();
  for (const { outcome } of asked) expect(await outcome).toMatchObject({ ok: false });
});

test("bytes that came are passed on before the attempt counts as done, and end the failures", async () => {
  const url = "http://well.test/";
  recordFailure(url, "failed", NOW - MINUTE);
  fetched.mockClear();
  fetched.mockImplementation(async () => new Response("12345"));
  const accepted: string[] = [];
  const { signal } = new AbortController();
  const accept = async (bytes: Uint8Array) => void accepted.push(new TextDecoder().decode(bytes));
  const outcomes = await Promise.all(
    [0, 1].map(() =>
      fetchOnce(url, { url, method: "GET", maxBytes: 10 }, { ctx: { waitUntil: () => {} }, now: NOW, signal }, accept),
    ),
  );
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, true]);
  expect(accepted).toEqual(["12345"]);
  expect(fetched).toHaveBeenCalledTimes(1);
  fetched.mockImplementation(waitToFail);
  recordFailure(url, "failed anew", NOW);
  expect(findBackOff(url, NOW + SECOND)).toBeNull();
});

describe("a request that waits for an attempt of a request that was cancelled", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("gives it up after three and a half seconds, and asks once itself", async () => {
    failWaiting = [];
    const url = "http://cancelled.test/";
    const outcome = request(url, NOW, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(SOURCE_TIMEOUT_MS + 499);
    expect(failWaiting).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(failWaiting).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(SOURCE_TIMEOUT_MS + 500);
    expect(await outcome).toEqual({ ok: false, message: "did not answer in time" });
    expect(failWaiting).toHaveLength(2);
  });
});
