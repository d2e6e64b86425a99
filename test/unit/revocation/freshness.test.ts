import { expect, test } from "vitest";
import { findAgeProblem, hasEnded, isDueForRefresh, validUntil } from "../../../src/revocation/verified-answer.ts";

const at = (iso: string) => Date.parse(iso);
const NOW = at("2026-06-10T12:00:00Z");
const HOUR = 3_600_000;
const span = (from: number, to: number | null) => ({
  thisUpdate: NOW + from,
  nextUpdate: to === null ? null : NOW + to,
});

test.each([
  ["within its span", span(-HOUR, HOUR), null, "fresh"],
  ["at the instant of its nextUpdate", span(-HOUR, 0), null, "fresh"],
  ["a millisecond past its nextUpdate", span(-HOUR, -1), null, "stale"],
  ["a minute early", span(60_000, HOUR), null, "fresh"],
  ["more than a minute early", span(60_001, HOUR), null, "not-yet-valid"],
  ["with nextUpdate before thisUpdate", span(0, -1), null, "stale"],
  ["with nextUpdate before thisUpdate, both ahead within the tolerance", span(30_000, 10_000), null, "stale"],
  ["with nextUpdate at thisUpdate", span(0, 0), null, "fresh"],
  ["without nextUpdate", span(-HOUR, null), null, "no-next-update"],
  ["without nextUpdate, within the age allowed", span(-HOUR, null), 3600, "fresh"],
  ["without nextUpdate, older than allowed", span(-HOUR - 1, null), 3600, "stale"],
  ["within its span, older than allowed", span(-HOUR - 1, HOUR), 3600, "stale"],
  ["past its span, younger than allowed", span(-HOUR, -1), 7200, "stale"],
])("an answer %s is judged", (_, update, maxAgeSeconds, expected) => {
  expect(findAgeProblem(update, NOW, maxAgeSeconds)?.reason ?? "fresh").toBe(expected);
});

test.each([
  [0.49, false],
  [0.5, true],
  [0.99, true],
])("an answer at %d of its time is due for a newer one: %s", (fraction, due) => {
  const update = { thisUpdate: NOW, validUntil: NOW + 10 * HOUR };
  expect(isDueForRefresh(update, NOW + fraction * 10 * HOUR)).toBe(due);
});

test("an answer may be used until its nextUpdate, or for an hour where it has none", () => {
  expect(validUntil(span(-HOUR, 5 * HOUR))).toBe(NOW + 5 * HOUR);
  expect(validUntil(span(0, null))).toBe(NOW + HOUR);
});

test("an answer has ended a millisecond after the last instant of its use", () => {
  expect(hasEnded(span(-HOUR, 0), NOW)).toBe(false);
  expect(hasEnded(span(-HOUR, -1), NOW)).toBe(true);
  expect(hasEnded(span(-HOUR, null), NOW)).toBe(false);
  expect(hasEnded(span(-HOUR - 1, null), NOW)).toBe(true);
});

test("half of an answer's time is counted from its thisUpdate", () => {
  const update = { thisUpdate: NOW - 2 * HOUR, validUntil: NOW + 2 * HOUR };
  expect(isDueForRefresh(update, NOW - 1)).toBe(false);
  expect(isDueForRefresh(update, NOW)).toBe(true);
});

test.each([
  [span(60_001, HOUR), "it is valid only from 2026-06-10T12:01:00.001Z"],
  [span(0, -1), "its nextUpdate lies before its thisUpdate"],
  [span(-HOUR, -1), "a newer one was due at 2026-06-10T11:59:59.999Z"],
  [span(-HOUR, null), "it does not state how long it is valid (no nextUpdate)"],
])("a refusal names the time that it is for", (update, message) => {
  expect(findAgeProblem(update, NOW, null)).toMatchObject({ message });
});
