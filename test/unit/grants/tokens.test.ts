import fc from "fast-check";
import { expect, test } from "vitest";
import { makeRecordId, timePrefix } from "../../../src/grants/record-order.ts";
import { readTokenKeys } from "../../../src/grants/token-keys.ts";
import {
  type CcgGrant,
  ccgTokenExpiry,
  checkCcgGrant,
  openCcgToken,
  readAccessToken,
  writeAccessToken,
  writeCcgToken,
} from "../../../src/grants/token-texts.ts";
import { makeSecret } from "../../../src/platform/secrets.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const [OLD, NEW, OTHER] = [makeSecret(), makeSecret(), makeSecret()];
const keysOf = (secrets: Record<string, string>) => readTokenKeys(secrets as unknown as Env);

const BEFORE = keysOf({ TOKEN_KEY_20290101T000000Z: OLD });
const ROTATED = keysOf({ TOKEN_KEY_20300101T000000Z: NEW, TOKEN_KEY_20290101T000000Z: OLD, OTHER_SECRET: OTHER });
const REMOVED = keysOf({ TOKEN_KEY_20300101T000000Z: NEW });
const FORGER = keysOf({ TOKEN_KEY_20290101T000000Z: OTHER });

const ID = makeRecordId(NOW);
const GRANT: CcgGrant = {
  fiId: 1,
  pspId: "PSDXX-TEST-000001",
  scope: "accounts",
  services: [7, 8],
  exp: NOW / 1000 + 3600,
};

test("the key with the greatest id makes new tokens", () => {
  expect(ROTATED.newest.kid).toBe("20300101T000000Z");
  expect(writeCcgToken(ROTATED, GRANT)).toMatch(/^20300101T000000Z\./);
});

test.each([
  ["no key", {}],
  ["a short key", { TOKEN_KEY_1: "c2hvcnQ" }],
  ["a key that is not base64", { TOKEN_KEY_1: "!".repeat(43) }],
  ["a key id with a dot", { "TOKEN_KEY_a.b": OLD }],
])("a deployment with %s does not start to make tokens", (_, secrets) => {
  expect(() => keysOf(secrets)).toThrow(/TOKEN_KEY_/);
});

test("an access token is read by its FI, and after a rotation too", () => {
  const text = writeAccessToken(BEFORE.newest, 1, ID);
  expect(readAccessToken(BEFORE, 1, text)).toBe(ID);
  expect(readAccessToken(ROTATED, 1, text)).toBe(ID);
});

test("an access token is written anew from its row and its key, letter for letter", () => {
  const key = ROTATED.byKid.get("20290101T000000Z");
  expect(key && writeAccessToken(key, 1, ID)).toBe(writeAccessToken(BEFORE.newest, 1, ID));
});

test("an access token whose key was removed is dead", () => {
  expect(readAccessToken(REMOVED, 1, writeAccessToken(BEFORE.newest, 1, ID))).toBeNull();
});

test("another FI's access token, and one made with another key, are refused", () => {
  expect(readAccessToken(BEFORE, 2, writeAccessToken(BEFORE.newest, 1, ID))).toBeNull();
  expect(readAccessToken(BEFORE, 1, writeAccessToken(FORGER.newest, 1, ID))).toBeNull();
});

test("an access token with any one character changed is refused", () => {
  const text = writeAccessToken(BEFORE.newest, 1, ID);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(..."ab01.-_~ \u0000é"), (at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      return changed === text || readAccessToken(BEFORE, 1, changed) === null;
    }),
  );
});

test("a CCG token is opened to what was sealed into it, and after a rotation too", () => {
  const text = writeCcgToken(BEFORE, GRANT);
  expect(openCcgToken(BEFORE, text)).toEqual(GRANT);
  expect(openCcgToken(ROTATED, text)).toEqual(GRANT);
});

test.each([
  ["granted", GRANT, 1, NOW + 3_599_999],
  ["expired", GRANT, 1, NOW + 3_600_000],
  ["invalid", GRANT, 2, NOW],
  ["invalid", GRANT, 2, NOW + 3_600_000],
  ["invalid", null, 1, NOW],
])("a CCG token is %s: %j for FI %i at %i", (verdict, grant, fiId, now) => {
  expect(checkCcgGrant(grant, fiId, now)).toBe(verdict);
});

test.each([
  ["as long as the configuration says", NOW + 7_200_000, 3600],
  ["no longer than its certificate", NOW + 60_000, 60],
  ["one second, not none, in the last second of its certificate", NOW, 1],
])("a CCG token lives %s", (_, notAfter, seconds) => {
  expect(ccgTokenExpiry(NOW + 500, 3600, notAfter) - NOW / 1000).toBe(seconds);
});

test("a CCG token shows nothing of what it holds", () => {
  const bodies = writeCcgToken(BEFORE, GRANT)
    .split(".")
    .map((part) => Buffer.from(part, "base64url").toString("latin1"));
  expect(bodies.join()).not.toContain("PSDXX");
});

test.each([
  ["an empty", () => ""],
  ["a truncated", (text: string) => text.slice(0, -1)],
  ["one with a shortened tag", (text: string) => text.slice(0, -8)],
  ["one under another key's id", (text: string) => text.replace(/^\w+/, "20300101T000000Z")],
  ["one with only a key id", () => "20290101T000000Z."],
  ["an access token as", () => writeAccessToken(BEFORE.newest, 1, ID)],
])("%s CCG token opens to nothing", (_, change) => {
  expect(openCcgToken(ROTATED, change(writeCcgToken(BEFORE, GRANT)))).toBeNull();
});

test("a CCG token is not an access token", () => {
  expect(readAccessToken(BEFORE, 1, writeCcgToken(BEFORE, GRANT))).toBeNull();
});

test("record ids sort by the time of making", () => {
  const times = [0, 1, 1_000_000, NOW, NOW + 1, 4_000_000_000_000];
  const ids = times.map(makeRecordId);
  expect(ids.toSorted()).toEqual(ids);
  expect(timePrefix(NOW) < makeRecordId(NOW)).toBe(true);
  expect(makeRecordId(NOW - 1) < timePrefix(NOW)).toBe(true);
});
