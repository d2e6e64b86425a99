/** A date-time that is refused: the answer names the part that is wrong. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findDateTimeFault } from "../../../src/grants/date-time-faults.ts";
import { parseDateTime } from "../../../src/grants/date-times.ts";

test.each([
  ["2041-02-29T00:00:00Z", "has the day 29: February 2041 has the days 01 to 28"],
  ["20410229T000000Z", "has the day 29: February 2041 has the days 01 to 28"],
  ["2040-02-30T00:00:00Z", "has the day 30: February 2040 has the days 01 to 29"],
  ["2030-11-00T00:00:00Z", "has the day 00: November 2030 has the days 01 to 30"],
  ["2030-13-01T00:00:00Z", "has the month 13: months are 01 to 12"],
  ["2030-01-01T25:00:00Z", "has the hour 25: hours are 00 to 23"],
  ["2030-01-01T24:00:00Z", "has the hour 24: hours are 00 to 23"],
  ["2030-01-01T23:60:00Z", "has the minute 60: minutes are 00 to 59"],
  ["2030-12-31T23:59:60Z", "has the second 60: seconds are 00 to 59"],
  ["2030-01-01T00:00:00.1234567890Z", "has 10 digits after the seconds: at most 9 are read"],
  ["2030-01-01T00:00:00", "has no offset from UTC: append Z, or for example +02:00"],
  ["20300101T0000", "has no offset from UTC: append Z, or for example +02:00"],
  ["2030-01-01T00:00:00 02:00", "has a blank before its offset: in a query a + is sent as %2B"],
  ["2030-01-01T00:00:00CET", 'has "CET" where Z or an offset such as +02:00 is expected'],
  ["2030-01-01T00:00:00+24:00", "has the offset +24:00: its hours are 00 to 23, its minutes 00 to 59"],
  ["2030-01-01", "has no time and no offset from UTC: such as 2030-01-01T00:00:00Z is expected"],
  ["2030-01-01T00Z", "has an hour without minutes: such as 2030-01-01T00:00:00Z is expected"],
  ["2030-01-01 00:00:00Z", 'has " " between day and time: a T is expected'],
  // of these the whole form is another one
  ["2026-W47-6T03:07:23Z", null],
  ["2026-325T03:07:23Z", null],
  ["1893456000", null],
  ["", null],
])("%s", (text, fault) => {
  expect(parseDateTime(text)).toBeNull();
  expect(findDateTimeFault(text)).toBe(fault);
});

describe("one part is changed", () => {
  const parts = fc.record({
    date: fc.date({ min: new Date("1970-01-01"), max: new Date("2099-12-31"), noInvalidDate: true }),
    offset: fc.constantFrom("Z", "+02:00", "-0330", "+01"),
  });
  const changes = [
    ["month", /^(.{5})..(.*)$/s, "13"],
    ["day", /^(.{8})..(.*)$/s, "32"],
    ["hour", /^(.{11})..(.*)$/s, "24"],
    ["minute", /^(.{14})..(.*)$/s, "60"],
    ["second", /^(.{17})..(.*)$/s, "60"],
  ] as const;
  test.each(changes)("the %s is named", (name, place, value) => {
    fc.assert(
      fc.property(parts, ({ date, offset }) => {
        const text = date.toISOString().replace("Z", offset);
        expect(parseDateTime(text)).not.toBeNull();
        expect(findDateTimeFault(text)).toBeNull();
        expect(findDateTimeFault(text.replace(place, `$1${value}$2`))).toMatch(
          new RegExp(`^has the ${name} ${value}:`),
        );
      }),
    );
  });
});
