/** The time in which a store has to answer: what is left of a call when it is over. */
import { afterEach, expect, test, vi } from "vitest";
import { callStore, StoreError } from "../../../src/platform/stores.ts";
import { deadlines, holdDeadlines, passDeadline } from "./deadlines.ts";

afterEach(() => void vi.restoreAllMocks());

test.each<[string, () => Promise<unknown>, unknown]>([
  ["answered", async () => "it", "it"],
  [
    "failed",
    async () => {
      throw new Error("gone");
    },
    new StoreError("D1: gone"),
  ],
  [
    "failed at once",
    () => {
      throw new Error("gone");
    },
    new StoreError("D1: gone"),
  ],
  ["without an answer", passDeadline, new StoreError("D1: no answer in 5000 ms")],
])("%s: no timer of it runs on, which would keep an object alive", async (_, call, expected) => {
  holdDeadlines();
  expect(await callStore("D1", call).catch((error: unknown) => error)).toEqual(expected);
  expect(deadlines.size).toBe(0);
});
