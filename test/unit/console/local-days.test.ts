/** Days where a bank is: also those on which the clocks change. */
import { expect, test } from "vitest";
import { isZone, startOfDay, UTC, zoneOf } from "../../../src/console/evidence/local-days.ts";
import { PSD2_COUNTRIES } from "../../../src/platform/country.ts";

const HOUR_MS = 3_600_000;

test.each([
  ["Europe/Helsinki", "2026-01-15", "2026-01-14T22:00:00.000Z"],
  ["Europe/Helsinki", "2026-07-15", "2026-07-14T21:00:00.000Z"],
  ["Europe/Lisbon", "2026-01-15", "2026-01-15T00:00:00.000Z"],
  // the clocks change in the night to it, after midnight
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z"],
  ["Europe/Berlin", "2026-03-30", "2026-03-29T22:00:00.000Z"],
  ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00.000Z"],
  ["Europe/Berlin", "2026-10-26", "2026-10-25T23:00:00.000Z"],
  ["Europe/London", "2026-10-25", "2026-10-24T23:00:00.000Z"],
  [UTC, "2026-10-25", "2026-10-25T00:00:00.000Z"],
])("in %s the day %s begins at %s", (zone, day, start) => {
  expect(new Date(startOfDay(Date.parse(day), zone)).toISOString()).toBe(start);
});

test("each state of PSD2 has its zone, in which days follow each other without a gap", () => {
  for (const country of PSD2_COUNTRIES) {
    const zone = zoneOf(`PSD${country}-NCA-1`);
    expect([country, zone !== UTC, isZone(zone)]).toEqual([country, true, true]);
    const lengthOf = (day: string) =>
      (startOfDay(Date.parse(day) + 24 * HOUR_MS, zone) - startOfDay(Date.parse(day), zone)) / HOUR_MS;
    const lengths = ["2026-03-28", "2026-03-29", "2026-03-30", "2026-10-25", "2026-10-26"].map(lengthOf);
    expect([country, lengths]).toEqual([country, country === "IS" ? [24, 24, 24, 24, 24] : [24, 23, 24, 25, 24]]);
  }
  expect([zoneOf("PSDXX-TEST-FI0001"), zoneOf("none"), isZone("Mars/Base")]).toEqual([UTC, UTC, false]);
});
