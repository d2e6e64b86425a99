import fc from "fast-check";
import { expect, test } from "vitest";
import { type Attempt, checkRedemption, type StoredCode } from "../../../src/grants/redemption.ts";

const ISSUED = Date.parse("2030-01-01T00:00:00Z");

const CODE: StoredCode = {
  secretHash: "hash",
  flow: "oauth2",
  fiId: 1,
  pspId: "PSDXX-TEST-000001",
  redirectUri: "https://psp.example/cb",
  scope: "accounts",
  state: null,
  accountId: "account-1",
  consentId: null,
  expiresAt: ISSUED + 60_000,
  tokenId: null,
};

const ATTEMPT: Attempt = {
  secretHash: "hash",
  flow: "oauth2",
  fiId: 1,
  pspId: "PSDXX-TEST-000001",
  redirectUri: "https://psp.example/cb",
  accountId: "account-1",
  scopes: ["payments", "accounts"],
  tokenId: "token-1",
  now: ISSUED,
};

test("a right attempt is granted, and learns no secret of the code", () => {
  const { secretHash: _, tokenId: __, ...record } = CODE;
  expect(checkRedemption(CODE, ATTEMPT)).toEqual({ ok: true, record });
});

test("at 59.999 seconds a code lives, at 60.000 it is dead", () => {
  expect(checkRedemption(CODE, { ...ATTEMPT, now: ISSUED + 59_999 })).toMatchObject({ ok: true });
  expect(checkRedemption(CODE, { ...ATTEMPT, now: ISSUED + 60_000 })).toEqual({ ok: false, reason: "expired" });
});

const USED: StoredCode = { ...CODE, tokenId: "token-0" };
const LATE = ISSUED + 60_000;

// each row would also fail for every reason below it: the order is design.md's
test.each<[string, StoredCode | undefined, Partial<Attempt>, string]>([
  ["no such code", undefined, {}, "unknown"],
  ["a wrong secret", USED, { secretHash: "other", fiId: 2, now: LATE }, "unknown"],
  ["another FI", USED, { fiId: 2, redirectUri: "https://other.example", now: LATE }, "unknown"],
  ["another PSP", USED, { pspId: "PSDXX-TEST-000002", redirectUri: "https://other.example", now: LATE }, "unknown"],
  ["another flow", USED, { flow: "obie", redirectUri: "https://other.example", now: LATE }, "unknown"],
  [
    "another redirect URI",
    USED,
    { redirectUri: "https://psp.example/cb/", accountId: "account-2", now: LATE },
    "redirect_uri",
  ],
  ["another account", USED, { accountId: "account-2", now: LATE }, "account_id"],
  ["a second use", USED, { now: LATE, scopes: [] }, "used"],
  ["a late first use", CODE, { now: LATE, scopes: [] }, "expired"],
  ["a scope that the PSP lost", CODE, { scopes: ["payments"] }, "scope"],
])("%s is denied", (_, stored, attempt, reason) => {
  expect(checkRedemption(stored, { ...ATTEMPT, ...attempt })).toMatchObject({ ok: false, reason });
});

test("a replay names the token that the code gave", () => {
  expect(checkRedemption(USED, ATTEMPT)).toMatchObject({ ok: false, reason: "used", tokenId: "token-0" });
});

test("an attempt that comes again because its answer was lost is granted again, even late", () => {
  expect(checkRedemption(USED, { ...ATTEMPT, tokenId: "token-0", now: LATE })).toMatchObject({ ok: true });
});

test("however attempts follow each other, at most one token comes of a code", () => {
  const attempt = fc.record({
    secretHash: fc.constantFrom("hash", "other"),
    fiId: fc.constantFrom(1, 2),
    redirectUri: fc.constantFrom(CODE.redirectUri, "https://other.example"),
    scopes: fc.subarray(["payments", "accounts"] as const),
    tokenId: fc.constantFrom("token-1", "token-2", "token-3"),
    now: fc.integer({ min: ISSUED, max: ISSUED + 70_000 }),
  });
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 30 }), (attempts) => {
      let stored = CODE;
      const granted = new Set<string>();
      for (const given of attempts) {
        const whole = { ...ATTEMPT, ...given };
        if (!checkRedemption(stored, whole).ok) continue;
        stored = { ...stored, tokenId: whole.tokenId };
        granted.add(whole.tokenId);
      }
      return granted.size <= 1;
    }),
  );
});
