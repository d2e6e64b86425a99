import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { fetchOnce, findBackOff, recordFailure, recordSuccess } from "../../../src/revocation/source-attempts.ts";

const NOW = Date.parse("2026-06-10T00:00:00Z");
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let failWaiting: (() => void)[] = [];
beforeAll(() => {
  vi.stubGlobal(
    "fetch",
    () => new Promise((_, reject) => void failWaiting.push(() => reject(new TypeError("no such host")))),
  );
});
afterAll(() => {
  vi.unstubAllGlobals();
});

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
