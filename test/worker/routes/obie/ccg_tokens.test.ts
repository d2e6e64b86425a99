import { afterEach, beforeAll, expect, test, vi } from "vitest";
import { call, codesOf, obtainCcgToken } from "../../bank.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";

beforeAll(loadSandbox);
afterEach(() => vi.useRealTimers());

const PATH = "/v1/obie/ccg_tokens";
const create = (certificate: string, scope: string) =>
  call("POST", PATH, { body: { eIDAS: eidasHeader(certificate), scope } });

test.each([
  ["payments", 7],
  ["accounts", 8],
])("a CCG token for %s has payment service %i, at top level", async (scope, payment_service_number) => {
  const answer = await create("scenario-1", scope);
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    psp_id: "PSDXX-TEST-000001",
    access_token: expect.any(String),
    expires_in: 3600,
    token_type: "bearer",
    scope,
    payment_service_number,
    active: true,
  });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
});

test.each([
  ["scenario-2", "accounts", /unauthorised in its home register/],
  ["scenario-3", "payments", /does not give PSP PSDXX-TEST-000003 payment service 7/],
  ["scenario-7", "accounts", /could not find a register entry/],
  ["scenario-8", "accounts", /withdrawn/],
  ["service-withdrawn", "payments", /PSDXX-TEST-000014/],
  ["accounts-only", "payments", /has no role/],
])("%s gets one for %s, with a warning", async (certificate, scope, warning) => {
  const answer = await create(certificate, scope);
  expect([answer.status, answer.body.active]).toEqual([201, true]);
  expect(answer.body.warning).toMatch(warning);
});

test.each([
  ["scenario-4", "certificate_expired"],
  ["scenario-5", "certificate_revoked"],
  ["scenario-6", "qtsp_invalid"],
  ["unlisted-qtsp", "qtsp_invalid"],
])("%s is refused with %s", async (certificate, code) => {
  const answer = await create(certificate, "accounts");
  expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
});

test.each([
  ["not base64", "!!!"],
  ["no certificate", btoa("hello")],
  ["a truncated certificate", eidasHeader("scenario-1").slice(0, 400)],
])("%s is malformed, and the answer names the field", async (_, eIDAS) => {
  const answer = await call("POST", PATH, { body: { eIDAS, scope: "accounts" } });
  expect([answer.status, codesOf(answer)]).toEqual([400, ["certificate_unreadable"]]);
});

test("a CCG token dies with its certificate, when that is sooner", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.parse("2069-12-31T23:59:00Z"));
  expect((await create("scenario-1", "accounts")).body.expires_in).toBe(60);
});

test("an expired CCG token is told so", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const headers = { ccg_token: await obtainCcgToken("payments") };
  vi.setSystemTime(Date.now() + 3_599_000);
  expect((await call("GET", "/v1/obie/payment_order_consents", { headers })).status).toBe(200);
  vi.setSystemTime(Date.now() + 1_000);
  const answer = await call("GET", "/v1/obie/payment_order_consents", { headers });
  expect([answer.status, codesOf(answer)]).toEqual([401, ["ccg_token_expired"]]);
});
