/** Rows of the fault table with the real wrangler; `npm run node test/platform/faults.ts` makes all of them. */
import { expect, test } from "vitest";
import { type Row, runFaults } from "./faults.ts";

test.each([
  // makes the KV namespace
  ["first deployment", 8],
  // sets the triggers
  ["second deployment", 20],
])("%s: whether call %i fails before or after it took effect, the next run ends well", async (command, call) => {
  const rows: Row[] = [];
  for await (const row of runFaults(command, call, call)) rows.push(row);
  expect(rows.map(({ when, faults }) => [when, faults])).toEqual([
    ["before", []],
    ["after", []],
  ]);
});
