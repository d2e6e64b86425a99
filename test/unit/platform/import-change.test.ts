/** What a manifest keeps of the last change. */
import { expect, test } from "vitest";
import { NO_CHANGE, recordChange } from "../../../src/platform/import-change.ts";

const NOW = Date.parse("2026-11-22T00:00:00.000Z");
const change = { added: 1, changed: 2, removed: 3 };
const lastChange = { at: "2026-11-01T00:00:00.000Z", added: 9, changed: 9, removed: 9 };

test.each([
  ["the first import", null, change, { lastChange: { at: "2026-11-22T00:00:00.000Z", ...change } }],
  [
    "an import that changes something",
    { lastChange },
    change,
    { lastChange: { at: "2026-11-22T00:00:00.000Z", ...change } },
  ],
  ["an import that changes nothing keeps the last change", { lastChange }, NO_CHANGE, { lastChange }],
  ["a manifest of before, unchanged", {}, NO_CHANGE, {}],
  [
    "the last of several runs",
    { lastChange, changeSoFar: { added: 10, changed: 0, removed: 1 } },
    change,
    { lastChange: { at: "2026-11-22T00:00:00.000Z", added: 11, changed: 2, removed: 4 } },
  ],
])("%s", (_, before, counted, after) => expect(recordChange(before, counted, NOW)).toEqual(after));
