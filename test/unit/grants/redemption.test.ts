import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Attempt,
  afterRedemption,
  checkRedemption,
  giveBack,
  MAX_GIVEN_BACK,
  type StoredCode,
} from "../../../src/grants/redemption.ts";

const ISSUED = Date.parse("2030-01-01T00:00:00Z");

const CODE: StoredCode = {
  secretHash: "hash",
  flow: "oauth2",
  fiId: 1,
  pspId: "PSDXX-TEST-000001",
  redirectUri: "https://psp.example/cb",
  scope: "accounts",
  state: null,
  accountId: "digest-1",
  sealedAccountId: "sealed",
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
  accountDigest: "digest-1",
  scopes: ["payments", "accounts"],
  tokenId: "token-1",
  now: ISSUED,
};

test("a right attempt is granted, and learns no secret of the code", () => {
  const { secretHash: _, tokenId: __, ...record } = CODE;
  expect(checkRedemption(CODE, ATTEMPT)).toEqual({ ok: true, record, givenBack: [] });
});

test("at 59.999 seconds a code lives, at 60.000 it is dead", () => {
  expect(checkRedemption(CODE, { ...ATTEMPT, now: ISSUED + 59_999 })).toMatchObject({ ok: true });
  expect(checkRedemption(CODE, { ...ATTEMPT, now: ISSUED + 60_000 })).toEqual({ ok: false, reason: "expired" });
});

test("an account is compared by its digest", () => {
  const redeem = (accountDigest: string | null) => checkRedemption(CODE, { ...ATTEMPT, accountDigest }).ok;
  expect(redeem("digest-1")).toBe(true);
  expect(redeem("digest-2")).toBe(false);
  // open banking sends no account
  expect(redeem(null)).toBe(true);
});

const USED: StoredCode = { ...CODE, tokenId: "token-0" };
const LATE = ISSUED + 60_000;

// each row would also fail for every reason below it: the order of the checks is fixed
test.each<[string, StoredCode | undefined, Partial<Attempt>, string]>([
  ["no such code", undefined, {}, "unknown"],
  ["a wrong secret", USED, { secretHash: "other", fiId: 2, now: LATE }, "unknown"],
  ["another FI", USED, { fiId: 2, redirectUri: "https://other.example", now: LATE }, "unknown"],
  ["another PSP", USED, { pspId: "PSDXX-TEST-000002", redirectUri: "https://other.example", now: LATE }, "unknown"],
  ["another flow", USED, { flow: "obie", redirectUri: "https://other.example", now: LATE }, "unknown"],
  [
    "another redirect URI",
    USED,
    { redirectUri: "https://psp.example/cb/", accountDigest: "digest-2", now: LATE },
    "redirect_uri",
  ],
  ["another account", USED, { accountDigest: "digest-2", now: LATE }, "account_id"],
  ["a second use", USED, { now: LATE, scopes: [] }, "used"],
  ["a late first use", CODE, { now: LATE, scopes: [] }, "expired"],
  ["a scope that the PSP lost", CODE, { scopes: ["payments"] }, "scope"],
])("%s is denied", (_, stored, attempt, reason) => {
  expect(checkRedemption(stored, { ...ATTEMPT, ...attempt })).toMatchObject({ ok: false, reason });
});

test("a denial for its scope names the scope of the code", () => {
  expect(checkRedemption(CODE, { ...ATTEMPT, scopes: ["payments"] })).toMatchObject({ scope: "accounts" });
});

test("a replay names the token that the code gave", () => {
  expect(checkRedemption(USED, ATTEMPT)).toMatchObject({ ok: false, reason: "used", tokenId: "token-0" });
});

test("an attempt that comes again because its answer was lost is granted again, even late", () => {
  expect(checkRedemption(USED, { ...ATTEMPT, tokenId: "token-0", now: LATE })).toMatchObject({ ok: true });
});

describe("a code whose token could not be stored is given back", () => {
  const GIVEN_BACK = giveBack(USED, "token-0");

  test("another attempt is granted, and told which token may be stored all the same", () => {
    expect(GIVEN_BACK).toEqual({ ...CODE, givenBack: ["token-0"] });
    expect(checkRedemption(GIVEN_BACK ?? undefined, ATTEMPT)).toMatchObject({ ok: true, givenBack: ["token-0"] });
  });

  test("but not when it is late, nor the attempt that gave it back", () => {
    const stored = GIVEN_BACK ?? undefined;
    expect(checkRedemption(stored, { ...ATTEMPT, now: LATE })).toEqual({ ok: false, reason: "expired" });
    expect(checkRedemption(stored, { ...ATTEMPT, tokenId: "token-0" })).toMatchObject({ ok: false, reason: "used" });
  });

  test("once: a second call changes nothing, and one that comes after another attempt leaves that one's token", () => {
    expect(GIVEN_BACK && giveBack(GIVEN_BACK, "token-0")).toEqual(GIVEN_BACK);
    const usedAgain = { ...CODE, tokenId: "token-1", givenBack: ["token-0"] };
    expect(giveBack(usedAgain, "token-0")).toEqual(usedAgain);
    expect(checkRedemption(usedAgain, { ...ATTEMPT, tokenId: "token-2" })).toMatchObject({
      reason: "used",
      tokenId: "token-1",
      givenBack: ["token-0"],
    });
  });

  test("an attempt that never arrived does not arrive later", () => {
    // one that lost against another attempt gives back nothing of it
    expect(giveBack(USED, "token-9")).toMatchObject({ tokenId: "token-0", givenBack: ["token-9"] });
    const stored = giveBack(CODE, "token-9");
    expect(checkRedemption(stored ?? undefined, { ...ATTEMPT, tokenId: "token-9" })).toMatchObject({ reason: "used" });
    expect(checkRedemption(stored ?? undefined, ATTEMPT)).toMatchObject({ ok: true });
  });

  test("not after a replay: a code that was answered as used gives no token, whatever becomes of the first attempt", () => {
    const redeem = (stored: StoredCode, tokenId: string) => {
      const attempt = { ...ATTEMPT, tokenId };
      return afterRedemption(stored, attempt, checkRedemption(stored, attempt)) ?? stored;
    };
    const replayed = redeem(redeem(CODE, "token-0"), "token-1");
    expect(giveBack(replayed, "token-0")).toBeNull();
    expect(checkRedemption(replayed, { ...ATTEMPT, tokenId: "token-2" })).toMatchObject({ reason: "used" });
    // a late copy of an attempt that was given back is no replay: nobody hears its answer
    const again = redeem(redeem(giveBack(redeem(CODE, "token-0"), "token-0") ?? CODE, "token-1"), "token-0");
    expect(giveBack(again, "token-1")).toMatchObject({ tokenId: null, givenBack: ["token-0", "token-1"] });
  });

  test(`${MAX_GIVEN_BACK} times, then it stays used`, () => {
    let stored: StoredCode | null = CODE;
    for (let i = 0; i < MAX_GIVEN_BACK; i++) stored = stored && giveBack({ ...stored, tokenId: `t-${i}` }, `t-${i}`);
    expect(stored).toMatchObject({ tokenId: null, givenBack: { length: MAX_GIVEN_BACK } });
    expect(stored && giveBack({ ...stored, tokenId: "one more" }, "one more")).toBeNull();
  });
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
