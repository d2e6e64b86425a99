import { afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  call,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obieCodeRequest,
  obtainCcgToken,
  REDIRECT_URI,
} from "../bank.ts";
import { loadSandbox } from "../sandbox.ts";

let accounts: string;
let payments: string;
beforeAll(async () => {
  await loadSandbox();
  [accounts, payments] = [await obtainCcgToken("accounts"), await obtainCcgToken("payments")];
});
afterEach(() => vi.useRealTimers());

const create = (ccg_token: string, body: object) =>
  call("POST", "/v1/obie/authorization_codes", { headers: { ccg_token }, body });
const consent = async (id: string) =>
  (await call("GET", `/v1/obie/account_access_consents/${id}`, { headers: { ccg_token: accounts } })).body.data;

test("a code authorises its consent, and is answered as in the core flow", async () => {
  const id = await createAccountConsent(accounts);
  const answer = await create(accounts, obieCodeRequest(id));
  const { code } = answer.body.data.redirect_uri.parameters;
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    data: {
      redirect_uri: {
        base_uri: REDIRECT_URI,
        parameters: { code, state: "af0ifjsldkj" },
        full_uri: `${REDIRECT_URI}?code=${code}&state=af0ifjsldkj`,
      },
    },
  });
  expect((await consent(id)).status).toBe("Authorised");
});

test("a payment order consent is authorised by a code for payments", async () => {
  const id = await createPaymentConsent(payments);
  expect((await create(payments, obieCodeRequest(id, { scope: "payments" }))).status).toBe(201);
  const headers = { ccg_token: payments };
  const { data } = (await call("GET", `/v1/obie/payment_order_consents/${id}`, { headers })).body;
  expect(data.status).toBe("Authorised");
});

test("a scope that the CCG token is not for is refused, and the consent stays as it is", async () => {
  const id = await createAccountConsent(accounts);
  const answer = await create(payments, obieCodeRequest(id));
  expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
  expect(answer.body.data.redirect_uri).toMatchObject({
    base_url: REDIRECT_URI,
    parameters: { error: "invalid_scope" },
  });
  expect((await consent(id)).status).toBe("AwaitingAuthorisation");
});

test.each(["ACCOUNTS", "openid accounts", "Account information services"])(
  "the scope %s, which is neither word, is refused in the error form, and the consent stays as it is",
  async (scope) => {
    const id = await createAccountConsent(accounts);
    const answer = await create(accounts, obieCodeRequest(id, { scope }));
    expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
    expect(answer.body.errors[0].title).toMatch(/ is neither payments nor accounts$/);
    expect(answer.body.data.redirect_uri).toMatchObject({
      base_url: REDIRECT_URI,
      parameters: { error: "invalid_scope", state: "af0ifjsldkj" },
    });
    expect((await consent(id)).status).toBe("AwaitingAuthorisation");
  },
);

test.each([
  [undefined, "scope_missing"],
  ["", "scope_invalid"],
  [8, "scope_invalid"],
])("a scope %j is malformed", async (scope, code) => {
  const answer = await create(accounts, obieCodeRequest("any", { scope }));
  expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
});

test("an unknown scope with a ccg_token that is not valid is 401", async () => {
  const answer = await create("forged", obieCodeRequest("any", { scope: "ACCOUNTS" }));
  expect([answer.status, codesOf(answer)]).toEqual([401, ["ccg_token_invalid"]]);
});

test.each([
  ["scenario-2", "accounts"],
  ["scenario-3", "payments"],
  ["accounts-only", "payments"],
])("%s, whose CCG token for %s was given with a warning, gets no code", async (certificate, scope) => {
  const answer = await create(await obtainCcgToken(scope, certificate), obieCodeRequest("any", { scope }));
  expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
});

test.each<[string, (id: string) => Promise<string>]>([
  ["that does not exist", async () => "nothing"],
  ["of the other kind", async () => createPaymentConsent(payments)],
  ["of another PSP", async () => createAccountConsent(await obtainCcgToken("accounts", "accounts-only"))],
  [
    "that is revoked",
    async (id) => {
      await call("DELETE", `/v1/obie/account_access_consents/${id}`, { headers: { ccg_token: accounts } });
      return id;
    },
  ],
])("a consent %s is denied in the error form", async (_, choose) => {
  const id = await choose(await createAccountConsent(accounts));
  const answer = await create(accounts, obieCodeRequest(id));
  expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_denied"]]);
  expect(answer.body.data.redirect_uri.parameters).toMatchObject({ error: "access_denied", state: "af0ifjsldkj" });
});

test("an expired consent is denied", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const expiration_date_time = new Date(Date.now() + 60_000).toISOString();
  const id = await createAccountConsent(accounts, { expiration_date_time });
  vi.setSystemTime(Date.now() + 60_000);
  expect(codesOf(await create(accounts, obieCodeRequest(id)))).toEqual(["consent_denied"]);
});
