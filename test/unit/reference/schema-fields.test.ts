import { expect, test } from "vitest";
import { makeFields } from "../../../src/reference/schema-fields.ts";

const show = async (schema: object) => String(await makeFields([{ name: "field", schema }]));

test.each([
  ["eight values", { enum: [..."abcdefgh"] }, "one of <code>a</code>, "],
  ["nine", { enum: [..."abcdefghi"] }, "<summary>one of 9 values</summary>"],
  ["nine of a list", { type: "array", items: { enum: [..."abcdefghi"] } }, "<summary>one of 9 values</summary>"],
  ["a short pattern", { pattern: "^[A-Z]{2}$" }, "pattern <code>^[A-Z]{2}$</code>"],
])("%s can be read", async (_, schema, text) => {
  expect(await show(schema)).toContain(text);
});

test("a pattern that nobody reads is left out", async () => {
  expect(await show({ pattern: `^(?:${"Read|".repeat(20)})$`, maxLength: 9 })).toContain(
    '<p class="bounds">at most 9 characters</p>',
  );
});
