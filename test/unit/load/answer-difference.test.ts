/** Every answer of a load run is compared whole: whatever differs has to be found. */
import { expect, test } from "vitest";
import { findDifference, instantFrom, Part, textLike, wholeNumberFrom } from "../../load/answer-difference.ts";

const expected = { a: 1, list: [{ b: "x" }, null], nested: { t: true } };

test("equal answers do not differ, in whatever order their members are", () => {
  expect(findDifference(expected, { nested: { t: true }, list: [{ b: "x" }, null], a: 1 })).toBeNull();
});

test.each([
  [{ ...expected, a: 2 }, "the answer.a is 2, expected: 1"],
  [{ ...expected, a: "1" }, 'the answer.a is "1", expected: 1'],
  [{ ...expected, a: null }, "the answer.a is null, expected: 1"],
  [{ list: expected.list, nested: expected.nested }, "the answer.a is missing"],
  [{ ...expected, more: 0 }, "the answer.more is unexpected: 0"],
  [{ ...expected, list: [{ b: "x" }] }, "the answer.list has 1 elements, expected: 2"],
  [{ ...expected, list: [{ b: "x" }, null, null] }, "the answer.list has 3 elements, expected: 2"],
  [{ ...expected, list: [{ b: "y" }, null] }, 'the answer.list[0].b is "y", expected: "x"'],
  [{ ...expected, list: [{ b: "x", c: 1 }, null] }, "the answer.list[0].c is unexpected: 1"],
  [{ ...expected, list: [{ b: "x" }, {}] }, "the answer.list[1] is {}, expected: null"],
  [{ ...expected, list: {} }, "the answer.list is {}, expected: an array"],
  [{ ...expected, nested: [] }, "the answer.nested is [], expected: an object"],
  [{ ...expected, nested: null }, "the answer.nested is null, expected: an object"],
  [null, "the answer is null, expected: an object"],
  ["<html>", 'the answer is "<html>", expected: an object'],
])("%j differs", (actual, sentence) => {
  expect(findDifference(expected, actual)).toContain(sentence);
});

test("null is expected as null, not as absent", () => {
  expect(findDifference({ revoked_at: null }, {})).toBe("the answer.revoked_at is missing");
  expect(findDifference(null, undefined)).toBe("the answer is absent, expected: null");
});

test("a form takes what fits it, and says what it wanted", () => {
  const id = textLike("an id", /^[a-z]{3}$/);
  expect(findDifference({ id }, { id: "abc" })).toBeNull();
  expect(findDifference({ id }, { id: "abcd" })).toBe('the answer.id is "abcd", expected: an id');
  expect(findDifference({ id }, { id: null })).toBe("the answer.id is null, expected: an id");
  expect(findDifference({ id }, {})).toBe("the answer.id is missing");
});

test("of a part, the named fields are compared, at any depth, and no others", () => {
  const part = new Part({ nested: new Part({ t: true }), list: [new Part({ b: "x" })] });
  expect(findDifference(part, { nested: { t: true, more: 1 }, list: [{ b: "x", c: 1 }], other: 0 })).toBeNull();
  expect(findDifference(part, { nested: { t: false }, list: [{ b: "x" }] })).toBe(
    "the answer.nested.t is false, expected: true",
  );
  expect(findDifference(part, { nested: { t: true }, list: [] })).toContain("has 0 elements, expected: 1");
  expect(findDifference(part, { nested: {}, list: [{ b: "x" }] })).toBe("the answer.nested.t is missing");
});

test("a number has to be whole and within its bounds", () => {
  const seconds = wholeNumberFrom(10, 11);
  expect([9, 10, 10.5, 11, 12, "10", null].filter((value) => findDifference(seconds, value) === null)).toEqual([
    10, 11,
  ]);
});

test("an instant has to be within its bounds and in the service's spelling", () => {
  const [least, most] = [Date.parse("2026-11-22T08:00:00.000Z"), Date.parse("2026-11-22T08:00:01.000Z")];
  const fits = (text: unknown) => findDifference(instantFrom(least, most), text) === null;
  expect(fits("2026-11-22T08:00:00.000Z")).toBe(true);
  expect(fits("2026-11-22T08:00:01.000Z")).toBe(true);
  expect(fits("2026-11-22T08:00:01.001Z")).toBe(false);
  expect(fits("2026-11-22T07:59:59.999Z")).toBe(false);
  expect(fits("2026-11-22T08:00:00Z")).toBe(false);
  expect(fits(least)).toBe(false);
});
