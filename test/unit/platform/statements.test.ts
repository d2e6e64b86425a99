import { expect, test } from "vitest";
import { named } from "../../../src/platform/statements.ts";

test("a name has one number, however often it stands there", () => {
  const sql = "UPDATE t SET a = :new, b = iif(a = :old, :new, b) WHERE id = :id";
  expect(named(sql, { id: 7, old: null, new: "x" })).toEqual([
    "UPDATE t SET a = ?1, b = iif(a = ?2, ?1, b) WHERE id = ?3",
    ...["x", null, 7],
  ]);
});

test("a name is not mistaken for a longer one", () => {
  expect(named(":at, :atOnce", { atOnce: 2, at: 1 })).toEqual(["?1, ?2", 1, 2]);
});

test("more values than parameters may be given, fewer not", () => {
  expect(named("SELECT :a", { a: 1, b: 2 })).toEqual(["SELECT ?1", 1]);
  expect(() => named("SELECT :a, :b", { a: 1 })).toThrow(new RangeError("no value for :b"));
});

test("a value of no own name is none", () => {
  expect(() => named("SELECT :toString", {})).toThrow(RangeError);
});
