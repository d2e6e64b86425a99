/** What commands print for people: times, durations, tables. */
import { describe, expect, test, vi } from "vitest";
import { describeFields, drawTable, grouped, PLAIN, print, type Style } from "../../../src/cli/output.ts";
import { describePspReport } from "../../../src/cli/psp.ts";
import { parseDuration, relativeTime } from "../../../src/platform/clock.ts";

const NOW = Date.parse("2026-11-22T00:00:00Z");
const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, "now"],
  [-999, "now"],
  [-SECOND, "1 s ago"],
  [-119 * SECOND, "119 s ago"],
  [-120 * SECOND, "2 min ago"],
  [-2 * HOUR + 1, "119 min ago"],
  [-2 * HOUR, "2 h ago"],
  [24 * HOUR, "in 24 h"],
  [2 * DAY, "in 2 days"],
  [-400 * DAY, "400 days ago"],
  [730 * DAY, "in 730 days"],
  [15_744 * DAY, "in 43 years"],
])("a time %d ms from now is %s", (distance, text) => {
  expect(relativeTime(NOW + distance, NOW)).toBe(text);
  expect(relativeTime(new Date(NOW + distance).toISOString(), NOW)).toBe(text);
});

test("a time that never was is never", () => {
  expect(relativeTime(null, NOW)).toBe("never");
});

test.each([
  ["90s", 90 * SECOND],
  ["30m", 30 * MINUTE],
  ["24h", 24 * HOUR],
  [" 7 d ", 7 * DAY],
  ["90d", 90 * DAY],
  ["366d", 366 * DAY],
  ["0h", null],
  ["-1h", null],
  ["24", null],
  ["1.5h", null],
  ["a day", null],
  ["", null],
])("the duration %j", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test("columns are aligned, numbers to the right, and escape sequences have no width", () => {
  const style = { ...PLAIN, good: (text: string) => `\u001b[32m${text}\u001b[39m` };
  const rows = [
    ["PSDFI", style.good("✓ up"), grouped(7)],
    ["a", "✗ disabled", grouped(12_345)],
  ];
  expect(drawTable(["name", "status", "tokens"], rows, style)).toBe(
    ["name   status      tokens", "PSDFI  \u001b[32m✓ up\u001b[39m             7", "a      ✗ disabled  12,345"].join(
      "\n",
    ),
  );
});

describe("a name that holds what a terminal or a reader obeys", () => {
  const NAME = "Amber\u001b[2J\u009b8m\u202e100-DSP\nEve \u001b[32mok";
  const SHOWN = "Amber\\u{001b}[2J\\u{009b}8m\\u{202e}100-DSP\\u{000a}Eve ";
  const OBEYED = /[\p{Cc}\p{Cf}]/u;
  const printed = (options: { json: boolean }, describe: (style: Style) => string): string => {
    const log = vi.spyOn(console, "log").mockReturnValue();
    print({ name: NAME }, options, describe);
    const text = String(log.mock.calls[0]?.[0]);
    log.mockRestore();
    return text;
  };

  test("is one cell of a table", () => {
    const lines = drawTable(["name", "number"], [[NAME, "PSDXX-1"]], PLAIN).split("\n");
    expect(lines).toEqual([expect.stringMatching(/^name +number$/), expect.stringContaining(SHOWN)]);
  });

  test("is one field", () => {
    expect(describeFields({ name: NAME }, PLAIN)).toBe(`name  ${SHOWN}\\u{001b}[32mok`);
  });

  test("is in a text what it is, whatever printed it, and only the text's own styles and lines are left", () => {
    const styled = `\u001b[31m${NAME}\u001b[39m`;
    const text = printed({ json: false }, () => styled)
      .replaceAll("\n", "")
      .replaceAll("\u001b[31m", "")
      .replaceAll("\u001b[32m", "")
      .replaceAll("\u001b[39m", "");
    expect(text).not.toMatch(OBEYED);
    expect(text).toContain("Amber\\u{001b}[2J");
  });

  test("is the same name in JSON", () => {
    const text = printed({ json: true }, () => "");
    expect(text.replaceAll("\n", "")).not.toMatch(OBEYED);
    expect(JSON.parse(text)).toEqual({ name: NAME });
  });

  test("is on one line of a PSP's report", () => {
    const report = { identity: [`${NAME} has no number.`], verdicts: [], decision: [], services: [], registers: [] };
    const text = describePspReport({ ...report, warnings: [], sources: [] }, PLAIN);
    expect(text.split("\n")[0]).toBe(`${SHOWN}\\u{001b}[32mok has no number.`);
  });
});
