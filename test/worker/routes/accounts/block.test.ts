import { afterEach, beforeAll, expect, test, vi } from "vitest";
import {
  call,
  codeRequest,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obieCodeRequest,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../../bank.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../../sandbox.ts";

const EIDAS = { eidas: eidasHeader("scenario-1") };
let ccg: { accounts: string; payments: string };
beforeAll(async () => {
  await loadSandbox();
  ccg = { accounts: await obtainCcgToken("accounts"), payments: await obtainCcgToken("payments") };
});
afterEach(() => void vi.useRealTimers());

const block = (account: string, ...scopes: string[]) =>
  call("PUT", `/v1/accounts/${account}/block`, { body: { scopes } });
const lift = async (account: string) => (await call("DELETE", `/v1/accounts/${account}/block`)).status;
const askCode = (account: string, scope: string) =>
  call("POST", "/v1/oauth2/authorization_codes", { headers: EIDAS, body: codeRequest({ scope }, account) });
const askObieCode = (ccg_token: string, consent: string, fields: object) =>
  call("POST", "/v1/obie/authorization_codes", {
    headers: { ccg_token },
    body: obieCodeRequest(consent, { ...fields }),
  });
const exchange = async (code: string, account: string) =>
  (await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) })).status;
const exchangeObie = async (auth_code: string, ccg_token: string) => {
  const body = { auth_code, redirect_uri: REDIRECT_URI };
  return (await call("POST", "/v1/obie/tokens", { headers: { ccg_token }, body })).status;
};

const DESCRIPTION = "the bank does not allow this access to the account at present";
const REFUSED = {
  status: 403,
  body: {
    data: {
      redirect_uri: {
        base_url: REDIRECT_URI,
        parameters: { error: "access_denied", error_description: DESCRIPTION, state: "af0ifjsldkj" },
      },
    },
    errors: [{ code: "account_blocked", title: DESCRIPTION }],
  },
};

test("PUT says what is blocked since when, GET repeats it, DELETE lifts it and can be repeated", async () => {
  const account = crypto.randomUUID();
  const free = { data: { scopes: [], blocked_at: null } };
  expect((await call("GET", `/v1/accounts/${account}/block`)).body).toEqual(free);
  const blocked = await block(account, "accounts");
  expect([blocked.status, blocked.body]).toEqual([
    200,
    { data: { scopes: ["accounts"], blocked_at: expect.any(String) } },
  ]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5_000 });
  // a repeated block keeps its time, and a scope that is not named is free again
  expect((await block(account, "accounts", "payments")).body.data).toEqual({
    scopes: ["payments", "accounts"],
    blocked_at: blocked.body.data.blocked_at,
  });
  expect((await block(account, "payments")).body.data.scopes).toEqual(["payments"]);
  expect((await call("GET", `/v1/accounts/${account}/block`, { headers: OTHER_FI })).body).toEqual(free);
  expect([await lift(account), await lift(account)]).toEqual([204, 204]);
  expect((await call("GET", `/v1/accounts/${account}/block`)).body).toEqual(free);
});

test("a DELETE with a body, which would end more than that names, or in another's name, ends nothing", async () => {
  const account = "whole";
  await block(account, "accounts", "payments");
  const part = { body: { scopes: ["accounts"] } };
  const own = { body: { by: "customer" } };
  for (const [path, sent] of [
    ["block", part],
    ["permissions", part],
    ["permissions/x", own],
  ] as const) {
    const answer = await call("DELETE", `/v1/accounts/${account}/${path}`, sent);
    expect([answer.status, codesOf(answer)]).toEqual([400, ["body_malformed"]]);
  }
  const now = await call("GET", `/v1/accounts/${account}/block`);
  expect(now.body.data.scopes).toEqual(["payments", "accounts"]);
  // of a library that sends one always
  expect((await call("DELETE", `/v1/accounts/${account}/block`, { body: {} })).status).toBe(204);
});

test("a blocked account gives no code in its scope, by way of the redirect; the other scope goes on", async () => {
  const account = crypto.randomUUID();
  await block(account, "accounts");
  expect(await askCode(account, "accounts")).toMatchObject(REFUSED);
  expect((await askCode(account, "payments")).status).toBe(201);
  const consent = await createAccountConsent(ccg.accounts);
  const fields = { psu_account_id: account };
  expect(await askObieCode(ccg.accounts, consent, fields)).toMatchObject(REFUSED);
  // the consent is as it was
  const headers = { ccg_token: ccg.accounts };
  const path = `/v1/obie/account_access_consents/${consent}`;
  expect((await call("GET", path, { headers })).body.data.status).toBe("AwaitingAuthorisation");
  expect((await askObieCode(ccg.accounts, consent, { psu_account_id: crypto.randomUUID() })).status).toBe(201);
  expect((await askObieCode(ccg.accounts, "no-consent", fields)).body.errors[0].code).toBe("consent_denied");

  const order = await createPaymentConsent(ccg.payments);
  const payment = { ...fields, scope: "payments" };
  await block(account, "payments");
  expect(await askObieCode(ccg.payments, order, payment)).toMatchObject(REFUSED);
  await lift(account);
  expect((await askObieCode(ccg.payments, order, payment)).status).toBe(201);
  expect((await askCode(account, "accounts")).status).toBe(201);
});

test("a code from before the block gives no token during it, in both flows", async () => {
  const account = crypto.randomUUID();
  const [consent, order] = [await createAccountConsent(ccg.accounts), await createPaymentConsent(ccg.payments)];
  const codes = {
    core: await obtainCode(account),
    accounts: await obtainObieCode(ccg.accounts, consent, { psu_account_id: account }),
    payments: await obtainObieCode(ccg.payments, order, { psu_account_id: account, scope: "payments" }),
  };
  await block(account, "accounts", "payments");
  expect(await exchange(codes.core, account)).toBe(403);
  expect(await exchangeObie(codes.accounts, ccg.accounts)).toBe(403);
  expect(await exchangeObie(codes.payments, ccg.payments)).toBe(403);
  const { data } = (await call("GET", `/v1/oauth2/account/${account}/tokens`)).body;
  expect(data.filter(({ active }: { active: boolean }) => active)).toEqual([]);
  // the payment order was not used up
  await lift(account);
  const headers = { ccg_token: ccg.payments };
  const stored = await call("GET", `/v1/obie/payment_order_consents/${order}`, { headers });
  expect(stored.body.data.status).toBe("Authorised");
});

test("live tokens are inactive while the block lasts, wherever they are shown, and active again after it", async () => {
  const account = crypto.randomUUID();
  const core = await obtainToken(account);
  const payments = await obtainToken(account, {}, "payments");
  const obie = await obtainObieToken(ccg.accounts, await createAccountConsent(ccg.accounts), {
    psu_account_id: account,
  });
  const other = await obtainToken(account, OTHER_FI);
  const isActive = async (token: string, headers = {}) =>
    (await call("GET", `/v1/oauth2/tokens/${token}`, { headers })).body.data.active;
  const information = async () => {
    const answer = await call("GET", `/v1/obie/tokens/${obie}`, { headers: { ccg_token: ccg.accounts } });
    const { active, expires_in } = answer.body.data;
    return { active, expires: expires_in > 0 };
  };
  const listed = async () => {
    const answer = await call("GET", `/v1/oauth2/account/${account}/tokens`);
    return new Map(answer.body.data.map((record: { token: string; active: boolean }) => [record.token, record.active]));
  };
  const blocked = async () => {
    const answer = await call("GET", `/v1/accounts/${account}/permissions`);
    return answer.body.data.map((record: { scope: string; status: string; blocked: boolean }) =>
      [record.scope, record.status, record.blocked].join(" "),
    );
  };
  const introspect = async (token: string) => (await call("POST", "/v1/introspect", { body: { token } })).body;
  await block(account, "accounts");
  expect(await introspect(core)).toEqual({ active: false });
  expect(await introspect(payments)).toMatchObject({ active: true, account_id: account });
  expect(await information()).toEqual({ active: false, expires: false });
  expect([await isActive(core), await isActive(obie), await isActive(payments)]).toEqual([false, false, true]);
  expect(await listed()).toEqual(
    new Map([
      [core, false],
      [obie, false],
      [payments, true],
    ]),
  );
  expect((await blocked()).sort()).toEqual(["accounts active true", "accounts active true", "payments active false"]);
  // another bank's account of the same id is another account
  expect(await isActive(other, OTHER_FI)).toBe(true);
  await lift(account);
  expect(await introspect(core)).toMatchObject({ active: true });
  expect(await information()).toEqual({ active: true, expires: true });
  expect(await listed()).toEqual(
    new Map([
      [core, true],
      [obie, true],
      [payments, true],
    ]),
  );

  // a block does not keep a token from being revoked
  await block(account, "accounts");
  expect((await call("DELETE", `/v1/oauth2/tokens/${core}`)).status).toBe(204);
  await lift(account);
  expect([await isActive(core), await isActive(obie)]).toEqual([false, true]);
});

test("a refusal names no account to the PSP", async () => {
  const account = `secret-${crypto.randomUUID()}`;
  await block(account, "accounts");
  const answer = await askCode(account, "accounts");
  expect(codesOf(answer)).toEqual(["account_blocked"]);
  expect(JSON.stringify(answer.body.data)).not.toContain(account);
});
