import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  call,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obieCodeRequest,
  obtainCcgToken,
  obtainObieCode,
  obtainObieToken,
  REDIRECT_URI,
} from "../../bank.ts";
import { loadSandbox } from "../../sandbox.ts";

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

test("the redirect URI of a native app is taken where it is allowed", async () => {
  const body = obieCodeRequest(await createAccountConsent(accounts), { redirect_uri: "com.example.app:/cb" });
  const refused = await create(accounts, body);
  expect([refused.status, codesOf(refused)]).toEqual([400, ["redirect_uri_invalid"]]);
  const allowing = { ...env, NATIVE_REDIRECTS: "private-use" };
  const answer = await call("POST", "/v1/obie/authorization_codes", {
    headers: { ccg_token: accounts },
    body,
    env: allowing,
  });
  expect(answer.status).toBe(201);
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

test("25: an expired consent is denied, and its PSP learns that", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const expiration_date_time = new Date(Date.now() + 60_000).toISOString();
  const id = await createAccountConsent(accounts, { expiration_date_time });
  vi.setSystemTime(Date.now() + 60_000);
  const answer = await create(accounts, obieCodeRequest(id));
  expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_expired"]]);
  expect(answer.body.data.redirect_uri.parameters).toMatchObject({
    error: "access_denied",
    error_description: "the consent has expired: create a new one, and let the PSU authorise it",
  });
  const stranger = await create(await obtainCcgToken("accounts", "accounts-only"), obieCodeRequest(id));
  expect([stranger.status, codesOf(stranger)]).toEqual([403, ["consent_denied"]]);
});

describe("a consent is for one PSU account", () => {
  const kinds = [
    ["accounts", () => createAccountConsent(accounts), () => accounts],
    ["payments", () => createPaymentConsent(payments), () => payments],
  ] as const;

  test.each(kinds)("%s: the first authorization fixes it, another account is refused", async (scope, make, token) => {
    const id = await make();
    const createFor = (psu_account_id: string) => create(token(), obieCodeRequest(id, { scope, psu_account_id }));
    expect((await createFor("account-1")).status).toBe(201);
    const answer = await createFor("account-2");
    expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_of_another_account"]]);
    expect(answer.body.data.redirect_uri).toMatchObject({
      base_url: REDIRECT_URI,
      parameters: { error: "access_denied", error_description: answer.body.errors[0].title, state: "af0ifjsldkj" },
    });
    expect(answer.body.errors[0].title).toMatch(/another account/);
    expect(JSON.stringify(answer.body)).not.toContain("account-1");
    expect((await createFor("account-1")).status).toBe(201);
  });

  test.each(kinds)("%s: of ten accounts at the same instant one is authorised", async (scope, make, token) => {
    const id = await make();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => create(token(), obieCodeRequest(id, { scope, psu_account_id: `psu-${i}` }))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(codesOf)).toEqual(Array(9).fill(["consent_of_another_account"]));
  });
});

describe("a payment order consent gives one token", () => {
  const fields = { scope: "payments" };
  const headers = () => ({ ccg_token: payments });
  const exchange = (auth_code: string) =>
    call("POST", "/v1/obie/tokens", { headers: headers(), body: { auth_code, redirect_uri: REDIRECT_URI } });
  const order = async (id: string) =>
    (await call("GET", `/v1/obie/payment_order_consents/${id}`, { headers: headers() })).body.data;
  const active = async (account: string) => {
    const { data } = (await call("GET", `/v1/oauth2/account/${account}/tokens`)).body;
    return data.filter((token: { active: boolean }) => token.active).length;
  };

  test("it is Consumed then, for every reader, and no further code is given for it", async () => {
    const id = await createPaymentConsent(payments);
    await obtainObieToken(payments, id, fields);
    const read = await order(id);
    expect(read.status).toBe("Consumed");
    expect(Date.parse(read.status_update_date_time)).toBeGreaterThanOrEqual(Date.parse(read.creation_date_time));
    const query = `?consent_id=${id}`;
    const list = await call("GET", `/v1/obie/payment_order_consents${query}`, { headers: headers() });
    expect(list.body.data).toEqual([read]);
    for (const psu_account_id of ["psu-account-1", "another"]) {
      const answer = await create(payments, obieCodeRequest(id, { ...fields, psu_account_id }));
      expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_denied"]]);
      expect(answer.body.errors[0].title).toMatch(/a token was already issued for the payment order consent/);
      expect(answer.body.data.redirect_uri.parameters).toMatchObject({ error: "access_denied", state: "af0ifjsldkj" });
    }
    expect(await order(id)).toEqual(read);
  });

  test("of ten codes for it, redeemed at the same instant, one gives a token", async () => {
    const id = await createPaymentConsent(payments);
    const request = { ...fields, psu_account_id: "order-1" };
    const codes: string[] = [];
    for (let i = 0; i < 10; i++) codes.push(await obtainObieCode(payments, id, request));
    const answers = await Promise.all(codes.map(exchange));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(codesOf)).toEqual(Array(9).fill(["consent_denied"]));
    expect(refused[0]?.body.errors[0].title).toMatch(/the one token of the payment order consent was already issued/);
    expect(await active("order-1")).toBe(1);
  });

  test("it stays Consumed when a replay of the code, or the FI, revokes that token", async () => {
    const id = await createPaymentConsent(payments);
    const request = { ...fields, psu_account_id: "order-2" };
    const [first, second] = [await obtainObieCode(payments, id, request), await obtainObieCode(payments, id, request)];
    const token = (await exchange(first)).body.data.access_token;
    expect(codesOf(await exchange(first))).toEqual(["code_used"]);
    await call("DELETE", `/v1/oauth2/tokens/${token}`);
    expect(codesOf(await exchange(second))).toEqual(["consent_denied"]);
    expect(codesOf(await create(payments, obieCodeRequest(id, request)))).toEqual(["consent_denied"]);
    expect([(await order(id)).status, await active("order-2")]).toEqual(["Consumed", 0]);
  });
});
