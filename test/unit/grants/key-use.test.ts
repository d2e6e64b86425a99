/** Until when a token key that was replaced may still carry CCG tokens. */
import { expect, test } from "vitest";
import { isInUse, signedUntil } from "../../../src/grants/token-keys.ts";

const at = (text: string): number => Date.parse(text);
const NOW = at("2026-11-21T12:00:00Z");
const ROLLOUT = 5 * 60_000;

test.each([
  ["the next newer key was made", ["20260101T000000Z", "20261101T000000Z", "20261121T113000Z"], "2026-11-01T00:00:00Z"],
  ["the earliest of several newer ones was made", ["20261121T113000Z", "20260101T000000Z"], "2026-11-21T11:30:00Z"],
  ["now, where the newer key's id names no time", ["20260101T000000Z", "spare"], "2026-11-21T12:00:00Z"],
  [
    "now, where the newer key's id names a time to come",
    ["20260101T000000Z", "20990101T000000Z"],
    "2026-11-21T12:00:00Z",
  ],
])("a key signs until some minutes after %s", (_, kids, time) => {
  expect(signedUntil(kids, "20260101T000000Z", NOW)).toBe(at(time) + ROLLOUT);
});

test("a key is in use while a token of it lives, or may live", () => {
  const unused = { accessTokens: 0, accessTokensUntil: null, ccgTokensUntil: NOW };
  expect(isInUse(unused, NOW)).toBe(false);
  expect(isInUse({ ...unused, ccgTokensUntil: NOW + 1 }, NOW)).toBe(true);
  expect(isInUse({ ...unused, accessTokens: 1, accessTokensUntil: NOW + 1 }, NOW)).toBe(true);
});
