/** Days as an institution's staff count them: from midnight to midnight where its authority is. Pure. */
import { parseAuthorisationNumber } from "../../eidas/authorisation-number.ts";
import type { Instant } from "../../platform/instant.ts";

/** Names of the IANA time zone database. */
export const UTC = "UTC";
const ZONES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "AT:Vienna BE:Brussels BG:Sofia HR:Zagreb CZ:Prague DK:Copenhagen EE:Tallinn FI:Helsinki FR:Paris DE:Berlin " +
    "GR:Athens HU:Budapest IE:Dublin IT:Rome LV:Riga LI:Vaduz LT:Vilnius LU:Luxembourg MT:Malta NL:Amsterdam NO:Oslo " +
    "PL:Warsaw PT:Lisbon RO:Bucharest SK:Bratislava SI:Ljubljana ES:Madrid SE:Stockholm GB:London"
  )
    .split(" ")
    .map((pair) => [pair.slice(0, 2), `Europe/${pair.slice(3)}`])
    .concat([
      ["CY", "Asia/Nicosia"],
      ["IS", "Atlantic/Reykjavik"],
    ]),
);

/** Of the institution with this reference, such as `PSDFI-FINFSA-0001`; UTC where its country has none here. */
export function zoneOf(fiReferenceId: string): string {
  const number = parseAuthorisationNumber(fiReferenceId);
  return (number.ok && ZONES[number.country]) || UTC;
}

export const isZone = (text: string): boolean => text === UTC || Object.values(ZONES).includes(text);

/** When a day begins in a time zone. `day`: when the day of that date begins in UTC. */
export function startOfDay(day: Instant, zone: string): Instant {
  if (zone === UTC) return day;
  const guess = day - aheadOf(day, zone);
  // a change of the clocks may lie between both
  return day - aheadOf(guess, zone);
}

/** By how many milliseconds the zone's clocks are ahead of UTC at an instant. */
function aheadOf(time: Instant, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    ...{ timeZone: zone, year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" },
  }).formatToParts(time);
  const read = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const [year, month, day] = [read("year"), read("month") - 1, read("day")];
  return Date.UTC(year, month, day, read("hour"), read("minute"), read("second")) - Math.floor(time / 1000) * 1000;
}
