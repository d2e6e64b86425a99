import { expect, test } from "vitest";
import { Memory } from "../../src/memory.ts";

test("an entry is there until its expiry, and not a millisecond longer", () => {
  const memory = new Memory<string>(10);
  memory.set("key", "value", 1000);
  expect(memory.get("key", 999)).toBe("value");
  expect(memory.get("key", 1000)).toBeUndefined();
  expect(memory.get("key", 0)).toBeUndefined();
});

test("the oldest entry makes room for a new one", () => {
  const memory = new Memory<number>(2);
  memory.set("a", 1, 1000);
  memory.set("b", 2, 1000);
  memory.set("a", 3, 1000);
  memory.set("c", 4, 1000);
  expect([memory.get("a", 0), memory.get("b", 0), memory.get("c", 0)]).toEqual([3, undefined, 4]);
});
