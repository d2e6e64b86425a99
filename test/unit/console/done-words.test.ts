/** What an institution did, in words: who withdrew, blocked or watched what, what it ended, and that a failure is no refusal. */
import { expect, test } from "vitest";
import { explainNoDocument } from "../../../src/console/evidence/record-sentence.ts";
import { describeAnswer, nameRecord, nameWithdrawal } from "../../../src/console/evidence/record-words.ts";
import { describeAbout } from "../../../src/console/people/about.ts";
import type { LedgerRecord } from "../../../src/evidence/ledger/record.ts";

const CONSOLE = "POST /console/permissions/withdraw";
const PERMISSION = "0mwtkm0bp5aWqdhhAOteNI727xRbIkw";

const record = (more: object): LedgerRecord =>
  ({
    ...{ seq: 1, prev: "", id: "", time: "2026-11-22T00:00:00.000Z", release: "0.12.0", fi: "FI", request_id: "" },
    ...{ event: "consent.revocation", endpoint: CONSOLE, version: "1", status: 303, outcome: "ok", ms: 1, psp: null },
    ...{ checks: [], answer: null, token: null, consent: null, account: null, transaction_reference: null },
    ...more,
  }) as LedgerRecord;

const permissions = [{ id: PERMISSION, psp: "PSDXX-TEST-000001", scope: "accounts" }];

test.each([
  [
    { client: "bank", by: "customer", ended: { permissions, tokens: ["a", "b"], more: { permissions: 4, tokens: 0 } } },
    "All permissions of the account were withdrawn in the console by bank: the customer asked for it. It ended 5 permissions and 2 tokens.",
  ],
  [
    { client: "bank", by: "bank", ended: { permissions: [], tokens: [], more: { permissions: 0, tokens: 0 } } },
    "All permissions of the account were withdrawn in the console by bank: the bank decided it. Nothing was left that could end.",
  ],
  [
    { endpoint: "DELETE /v1/accounts/{account_id}/permissions/{permission_id}", status: 204 },
    "The permission was withdrawn by the API.",
  ],
  [
    { endpoint: "DELETE /v1/obie/account_access_consents/{consent_id}", status: 204, psp: "PSDXX-TEST-000001" },
    "The consent was ended by its PSP.",
  ],
])("the record page of a withdrawal says what happened: %j", (more, words) => {
  expect(describeAnswer(record(more))).toBe(words);
});

test.each([
  [
    { event: "block.change", endpoint: "POST /console/permissions/block", scopes: ["payments"], client: "bank" },
    "The account was blocked for payments in the console by bank.",
  ],
  [
    { event: "block.change", endpoint: "DELETE /v1/accounts/{account_id}/block", status: 204, scopes: [] },
    "The account was freed of its block by the API.",
  ],
  [
    { event: "watch.change", endpoint: "POST /console/events/unwatch", operator: "ann@example.org" },
    "The PSP is not watched any more: asked for in the console by ann@example.org.",
  ],
  [
    { event: "watch.change", endpoint: "PUT /v1/psp/watches/{authorisation_number}", status: 200 },
    "The PSP is watched from then on: asked for by the API.",
  ],
])("the record page of a block or a watch says what was done: %j", (more, words) => {
  expect(describeAnswer(record(more))).toBe(words);
});

test.each([
  ["Block of an account", { endpoint: "PUT /v1/accounts/{account_id}/block", scopes: ["payments"] }],
  // what an institution asked for, whatever came of it
  ["Block of an account", { endpoint: "PUT /v1/accounts/{account_id}/block", status: 400, outcome: "scopes_invalid" }],
  ["Block of an account", { endpoint: "POST /console/permissions/block", scopes: ["payments", "accounts"] }],
  ["End of a block", { endpoint: "DELETE /v1/accounts/{account_id}/block", scopes: [] }],
  ["End of a block", { endpoint: "DELETE /v1/accounts/{account_id}/block", status: 400, outcome: "body_unexpected" }],
  ["End of a block", { endpoint: "POST /console/permissions/unblock", scopes: [] }],
  ["End of a block", { endpoint: "POST /console/permissions/block", scopes: [] }],
] as const)("%s: %j", (name, more) => {
  expect(nameRecord(record({ event: "block.change", ...more }))).toBe(name);
});

test("one that failed is not called refused: it may have been done", () => {
  const words = describeAnswer(record({ status: 503, outcome: "temporarily_unavailable", client: "bank" }));
  expect(words).toMatch(/^It failed: .* What was asked for may have been done nevertheless\.$/);
  expect(describeAnswer(record({ status: 404, outcome: "permission_not_found" }))).toContain("It was refused");
});

test.each([
  [{}, "the institution asked for this itself"],
  [{ event: "token.deletion", endpoint: "DELETE /v1/oauth2/tokens/{token}" }, "the institution asked for this itself"],
  [
    { event: "code.redemption", endpoint: "POST /v1/obie/tokens", psp: "PSDXX-TEST-000001" },
    "the PSP showed its certificate when it got its client credentials token",
  ],
  [
    {
      event: "code.issue",
      endpoint: "POST /v1/oauth2/authorization_codes",
      status: 400,
      outcome: "account_id_missing",
    },
    "the request was refused before a certificate was checked",
  ],
])("why a record is based on no document: %j", (more, words) => {
  expect(explainNoDocument(record(more))).toContain(words);
});

test("the end of a consent by its PSP is no withdrawal by the bank", () => {
  expect(nameWithdrawal(record({ endpoint: "DELETE /v1/obie/account_access_consents/{consent_id}" }))).toBe(
    "End of a consent",
  );
  expect(nameWithdrawal(record({ consent: PERMISSION }))).toBe("Withdrawal of a permission");
  expect(nameWithdrawal(record({ event: "code.issue" }))).toBeNull();
});

const TAG = "ab".repeat(32);
const NAMES = new Map([[TAG, "Somebody"]]);
const EXPORT = { event: "evidence.export", endpoint: "GET /console/permissions" };
test.each([
  [{ event: "block.change", account: TAG, scopes: ["payments"] }, "account abababab…, for payments"],
  [{ event: "block.change", account: TAG, scopes: [] }, "account abababab…"],
  [{ event: "session.end", about: TAG }, "Somebody"],
  [{ event: "person.erasure", about: "cd".repeat(32) }, "a person whose name was erased"],
  [{ event: "credential.rotation", about: "bank-1" }, "bank-1"],
  [EXPORT, "Permissions"],
  [{ event: "act.refused", endpoint: "GET /console/check/{id}" }, "Check a PSP"],
  [{ event: "act.refused", endpoint: "GET /console/permissions/block" }, "Permissions: Block of an account"],
  [{ event: "act.refused", endpoint: "POST /console/people/erase" }, "People: Erasure of a name"],
  [{ event: "session.start", endpoint: "POST /console/sign-in" }, null],
])("what an act was about: %j", (more, words) => {
  expect(describeAbout(record({ ended: undefined, account: null, about: undefined, ...more }), NAMES)).toBe(words);
});

test.each([
  ["webhook.change", "POST /console/webhooks", "Addition of a webhook"],
  ["webhook.change", "POST /console/webhooks/rotate", "New secret of a webhook"],
  ["webhook.change", "POST /console/webhooks/remove", "Removal of a webhook"],
  ["session.end", "POST /console/people/end-sessions", "End of somebody's sessions"],
  ["session.end", "POST /console/sign-out", "Sign-out of the console"],
])("the name of %s by %s", (event, endpoint, name) => {
  expect(nameRecord(record({ event, endpoint, consent: null }))).toBe(name);
});
