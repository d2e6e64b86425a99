import { expect, test } from "vitest";
import { Memory, memoryKey } from "../../../../src/platform/memory.ts";

/** Each value weighs what it says, and with its entry some hundred bytes more. */
const memoryOf = (maxBytes: number) => new Memory<number>(maxBytes, (bytes) => bytes);
const KIB = 1024;

test("an entry is there until its expiry, and not a millisecond longer", () => {
  const memory = memoryOf(10 * KIB);
  memory.set("key", 1, 1000, 0);
  expect(memory.get("key", 999)).toBe(1);
  expect(memory.get("key", 1000)).toBeUndefined();
  expect(memory.get("key", 0)).toBeUndefined();
  expect(memory.bytes).toBe(0);
});

test("the oldest entry makes room for a new one, and what was set again is not the oldest", () => {
  const memory = memoryOf(16 * KIB);
  memory.set("a", 4 * KIB, 1000, 0);
  memory.set("b", 4 * KIB + 1, 1000, 0);
  memory.set("c", 4 * KIB + 2, 1000, 0);
  memory.set("a", 4 * KIB + 3, 1000, 0);
  memory.set("d", 3 * KIB, 1000, 0);
  expect(["a", "b", "c", "d"].map((key) => memory.get(key, 0))).toEqual([4 * KIB + 3, undefined, 4 * KIB + 2, 3 * KIB]);
});

test("expired entries leave before one that is older and alive", () => {
  const memory = memoryOf(16 * KIB);
  memory.set("alive", 4 * KIB, 1000, 0);
  memory.set("expired", 4 * KIB, 10, 0);
  memory.set("also expired", 4 * KIB, 10, 0);
  memory.set("new", 5 * KIB, 1000, 10);
  expect(memory.get("alive", 10)).toBe(4 * KIB);
  expect(memory.get("new", 10)).toBe(5 * KIB);
  expect(memory.size).toBe(2);
});

test("it never weighs more than its share, whatever is set in whatever order", () => {
  const memory = memoryOf(64 * KIB);
  for (let i = 0; i < 10_000; i++) {
    memory.set(`key ${(i * 7919) % 300}`, (i * 104_729) % (80 * KIB), i + ((i * 31) % 500), i);
    expect(memory.bytes).toBeLessThanOrEqual(64 * KIB);
  }
  for (let i = 0; i < 300; i++) memory.delete(`key ${i}`);
  expect([memory.bytes, memory.size]).toEqual([0, 0]);
});

test("what is heavier than the whole share is not kept, and does not push out the rest", () => {
  const memory = memoryOf(16 * KIB);
  memory.set("small", KIB, 1000, 0);
  memory.set("key", KIB, 1000, 0);
  memory.set("key", 17 * KIB, 1000, 0);
  expect([memory.get("small", 0), memory.get("key", 0)]).toEqual([KIB, undefined]);
});

test("a key is 43 characters, however long the text", () => {
  expect(memoryKey("x".repeat(1_000_000))).toMatch(/^[\w-]{43}$/);
  expect(memoryKey("a")).not.toBe(memoryKey("b"));
});
