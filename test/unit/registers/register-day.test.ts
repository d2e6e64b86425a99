import { expect, test } from "vitest";
import { nextRegisterDay, registerDay } from "../../../src/registers/status.ts";

const HOUR = 3_600_000;

/** The capitals of the EEA, and London. */
const CAPITALS: Readonly<Record<string, string>> = {
  ...{ AT: "Vienna", BE: "Brussels", BG: "Sofia", CZ: "Prague", DE: "Berlin", DK: "Copenhagen", EE: "Tallinn" },
  ...{ ES: "Madrid", FI: "Helsinki", FR: "Paris", GB: "London", GR: "Athens", HR: "Zagreb", HU: "Budapest" },
  ...{ IE: "Dublin", IT: "Rome", LI: "Vaduz", LT: "Vilnius", LU: "Luxembourg", LV: "Riga", MT: "Malta" },
  ...{ NL: "Amsterdam", NO: "Oslo", PL: "Warsaw", PT: "Lisbon", RO: "Bucharest", SE: "Stockholm", SI: "Ljubljana" },
  ...{ SK: "Bratislava", IS: "Atlantic/Reykjavik", CY: "Asia/Nicosia" },
};

const turns = (dayAt: (now: number) => string, from: number, to: number): number[] => {
  const found: number[] = [];
  for (let now = from; now < to; now += HOUR) if (dayAt(now) !== dayAt(now - 1)) found.push(now);
  return found;
};

test.each(Object.entries(CAPITALS))(
  "days of %s begin as in %s, in winter, in summer and where these meet",
  (country, city) => {
    const timeZone = city.includes("/") ? city : `Europe/${city}`;
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone });
    const inCity = (now: number) => format.format(now);
    for (const [from, to] of [
      ["2026-03-20", "2026-04-05"],
      ["2026-10-20", "2026-11-05"],
      // the last Sunday is the last day
      ["2024-03-25", "2024-04-05"],
    ] as const) {
      const [begin, end] = [Date.parse(from), Date.parse(to)];
      const own = turns((now) => registerDay(country, now), begin, end);
      expect(own).toEqual(turns(inCity, begin, end));
      expect(own.map((now) => registerDay(country, now))).toEqual(own.map(inCity));
      // no day begins unnoticed by the sweep
      for (const turn of own) expect(nextRegisterDay(turn - 1)).toBe(turn);
    }
  },
);

test.each([
  ["2026-11-22T00:00:00Z", "2026-11-22T21:00:00Z"],
  ["2026-11-22T20:59:59Z", "2026-11-22T21:00:00Z"],
  ["2026-11-22T21:00:00Z", "2026-11-22T22:00:00Z"],
  ["2026-11-22T23:30:00Z", "2026-11-23T00:00:00Z"],
])("after %s a day begins next at %s", (now, next) => {
  expect(nextRegisterDay(Date.parse(now))).toBe(Date.parse(next));
});
