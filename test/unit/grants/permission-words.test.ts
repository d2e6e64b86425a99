import fc from "fast-check";
import { expect, test } from "vitest";
import { type AccessPermission, findEnd, PERMISSIONS, type Permission } from "../../../src/grants/permission.ts";
import { describeData } from "../../../src/grants/permission-words.ts";

const PERMISSION: Permission = {
  ...{
    id: "id",
    accountId: "account",
    pspId: "PSDXX-TEST-000001",
    scope: "accounts",
    consentId: "id",
    access: null,
    initiation: null,
  },
  ...{ grantedAt: 0, validUntil: null, lastTokenAt: null, endsAt: null, endedBy: null, endedReason: null },
  ...{ hasToken: false, blocked: false },
};
const describeAccess = (...permissions: AccessPermission[]) =>
  describeData({
    ...PERMISSION,
    access: { permissions, transactionFromDateTime: null, transactionToDateTime: null },
  });
const wordsOf = (...permissions: AccessPermission[]) => describeAccess(...permissions).flatMap(({ words }) => words);

test("every permission has words of its own, and stands in one group", () => {
  const groups = PERMISSIONS.map((permission) => describeAccess(permission));
  for (const [i, described] of groups.entries())
    expect([PERMISSIONS[i], described.length]).toEqual([PERMISSIONS[i], 1]);
  // basic transactions and both directions of them are one thing
  const words = new Set(groups.flatMap(([group]) => group?.words ?? []));
  expect(words.size).toBe(PERMISSIONS.length);
});

test.each<[AccessPermission[], string[]]>([
  [["ReadAccountsBasic", "ReadAccountsDetail"], ["Your account's name and number, its kind and currency"]],
  [["ReadTransactionsBasic"], ["Your incoming and outgoing transactions"]],
  [["ReadTransactionsBasic", "ReadTransactionsCredits"], ["Your incoming transactions"]],
  [["ReadTransactionsDetail", "ReadTransactionsDebits"], ["Your outgoing transactions in detail"]],
  [
    ["ReadTransactionsDetail", "ReadTransactionsDebits", "ReadTransactionsCredits"],
    ["Your incoming and outgoing transactions in detail"],
  ],
])("%j is %j", (permissions, words) => {
  expect(wordsOf(...permissions)).toEqual(words);
});

test("more permissions never have fewer words of data, and no word is there twice", () => {
  fc.assert(
    fc.property(fc.subarray([...PERMISSIONS], { minLength: 1 }), (permissions) => {
      const words = wordsOf(...permissions);
      expect(words.length).toBeGreaterThan(0);
      expect(new Set(words).size).toBe(words.length);
      // the order in which a PSP lists them does not matter
      expect(wordsOf(...permissions.toReversed())).toEqual(words);
    }),
  );
});

const payment = (initiation: unknown) => describeData({ ...PERMISSION, scope: "payments", initiation });
test.each([
  [
    {
      instructed_amount: { amount: "1.00", currency: "EUR" },
      creditor_account: { scheme_name: "IBAN", identification: "FI1", name: "Acme" },
      debtor_account: { scheme_name: "IBAN", identification: "FI2" },
      remittance_information: { unstructured: "rent", reference: "R1" },
    },
    ["1.00 EUR to Acme (IBAN FI1)", "From IBAN FI2", "Message: rent", "Reference: R1"],
  ],
  [
    { instructed_amount: { amount: "5", currency: "JPY" }, debtor_account: null, remittance_information: null },
    ["5 JPY"],
  ],
  [{}, []],
])("the payment order %j is %j", (initiation, words) => {
  expect(payment(initiation)).toEqual([{ group: "One payment", words }]);
});

test("tokens without a consent say that nothing limits them", () => {
  expect(describeData({ ...PERMISSION, consentId: null })[0]?.words).toHaveLength(1);
  expect(describeData({ ...PERMISSION, consentId: null, scope: "payments" })[0]?.group).toBe("Payments");
});

test.each<[string, Partial<Permission>, boolean, ReturnType<typeof findEnd>]>([
  ["is open ended", {}, false, null],
  ["ends later", { endsAt: 1001 }, false, null],
  ["ends now", { endsAt: 1000 }, false, { endedAt: 1000, endedBy: "expiry" }],
  ["was ended", { endsAt: 900, endedBy: "customer" }, false, { endedAt: 900, endedBy: "customer" }],
  [
    "was ended before its PSP lost its authorisation",
    { endsAt: 9, endedBy: "psp" },
    true,
    { endedAt: 9, endedBy: "psp" },
  ],
  ["is of a PSP without authorisation, and has a token", { hasToken: true }, true, null],
  ["is of a PSP without authorisation", {}, true, { endedAt: null, endedBy: "authorisation_lost" }],
])("a permission that %s", (_, change, lost, end) => {
  expect(findEnd({ ...PERMISSION, ...change }, lost, 1000)).toEqual(end);
});
