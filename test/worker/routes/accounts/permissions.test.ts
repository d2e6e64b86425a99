import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  call,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../../bank.ts";
import { importStatus } from "../../registers/changed-register.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../../sandbox.ts";

const PSP = "PSDXX-TEST-000001";
const EIDAS = { eidas: eidasHeader("scenario-1") };
const DAY_MS = 86_400_000;

let ccg: { accounts: string; payments: string };
beforeAll(async () => {
  await loadSandbox();
  ccg = { accounts: await obtainCcgToken("accounts"), payments: await obtainCcgToken("payments") };
});
afterEach(() => void vi.useRealTimers());
const later = (milliseconds: number) => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });

const list = async (account: string, query = "") =>
  (await call("GET", `/v1/accounts/${account}/permissions${query}`)).body;
const withdraw = async (account: string, id: string, query = "", headers = {}) =>
  (await call("DELETE", `/v1/accounts/${account}/permissions/${id}${query}`, { headers })).status;
const isActive = async (token: string) => (await call("GET", `/v1/oauth2/tokens/${token}`)).body.data.active;
const exchange = async (code: string, account: string) => {
  const answer = await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, account) });
  return { status: answer.status, codes: answer.status === 403 ? codesOf(answer) : [] };
};
const DENIED = { status: 403, codes: ["consent_denied"] };

test("a consent is shown in plain words, with its PSP and its period", async () => {
  const account = crypto.randomUUID();
  const expiration = new Date(Date.now() + 90 * DAY_MS).toISOString();
  const id = await createAccountConsent(ccg.accounts, {
    permissions: [
      "ReadTransactionsDetail",
      "ReadTransactionsCredits",
      "ReadBalances",
      "ReadAccountsBasic",
      "ReadAccountsDetail",
    ],
    expiration_date_time: expiration,
    transaction_from_date_time: "2026-01-01T00:00:00Z",
  });
  expect(await list(account)).toEqual({ data: [] });
  await obtainObieToken(ccg.accounts, id, { psu_account_id: account });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(await list(account)).toEqual({
    data: [
      {
        id,
        status: "active",
        psp: {
          legal_name: "Amber Payments Ltd",
          authorisation_number: PSP,
          home_country: "XX",
          standing: "Authorised",
        },
        scope: "accounts",
        consent_id: id,
        data: [
          {
            group: "Your account details",
            words: ["Your account's name and number, its kind and currency", "Your account balance"],
          },
          { group: "Your account transactions", words: ["Your incoming transactions in detail"] },
        ],
        permissions: [
          "ReadTransactionsDetail",
          "ReadTransactionsCredits",
          "ReadBalances",
          "ReadAccountsBasic",
          "ReadAccountsDetail",
        ],
        transaction_from_date_time: "2026-01-01T00:00:00Z",
        transaction_to_date_time: null,
        granted_at: time,
        valid_until: expiration,
        last_token_at: time,
        blocked: false,
        ended_at: null,
        ended_by: null,
      },
    ],
  });
});

test("a payment order is shown as its customer knows it, and is over with its token", async () => {
  const account = crypto.randomUUID();
  const id = await createPaymentConsent(ccg.payments);
  await obtainObieCode(ccg.payments, id, { scope: "payments", psu_account_id: account });
  const words = ["165.88 EUR to Acme Ltd (IBAN XX0700000000000001)", "Message: Invoice 37", "Reference: FRESCO-037"];
  expect((await list(account)).data).toMatchObject([
    { id, status: "active", data: [{ group: "One payment", words }], valid_until: null, last_token_at: null },
  ]);
  await obtainObieToken(ccg.payments, id, { scope: "payments", psu_account_id: account });
  const [open] = (await list(account)).data;
  expect(open).toMatchObject({ status: "active", valid_until: expect.any(String), last_token_at: expect.any(String) });
  later(env.ACCESS_TOKEN_SECONDS * 1000);
  expect((await list(account)).data).toMatchObject([
    { id, status: "ended", ended_by: "expiry", ended_at: open.valid_until },
  ]);
});

test("tokens without a consent are one permission for each PSP and scope, until none of them lives", async () => {
  const account = crypto.randomUUID();
  const first = await obtainToken(account);
  const second = await obtainToken(account);
  await obtainToken(account, {}, "payments");
  await obtainToken(account, { eidas: eidasHeader("accounts-only") });
  const { data } = await list(account);
  expect(data.map(({ psp, scope }: never) => [Reflect.get(psp, "authorisation_number"), scope]).sort()).toEqual([
    ["PSDXX-TEST-000001", "accounts"],
    ["PSDXX-TEST-000001", "payments"],
    ["PSDXX-TEST-000011", "accounts"],
  ]);
  const mine = async () =>
    (await list(account)).data.find(
      ({ psp, scope }: { psp: { authorisation_number: string }; scope: string }) =>
        psp.authorisation_number === PSP && scope === "accounts",
    );
  expect(await mine()).toMatchObject({ status: "active", data: [{ group: "Your account" }] });
  expect(await mine()).not.toHaveProperty("consent_id");
  await call("DELETE", `/v1/oauth2/tokens/${first}`);
  expect(await mine()).toMatchObject({ status: "active", ended_by: null });
  await call("DELETE", `/v1/oauth2/tokens/${second}`);
  expect(await mine()).toMatchObject({ status: "ended", ended_by: "bank", ended_at: expect.any(String) });
  expect((await list(account, "?status=active")).data).toHaveLength(2);
  expect((await list(account, "?status=ended")).data).toHaveLength(1);
  // a later token is a permission of its own
  await obtainToken(account);
  expect((await list(account)).data).toHaveLength(4);
});

describe("who ended it", () => {
  const grant = async (account: string, data: object = {}) => {
    const id = await createAccountConsent(ccg.accounts, data);
    return { id, token: await obtainObieToken(ccg.accounts, id, { psu_account_id: account }) };
  };
  test("the PSP, that deleted its consent", async () => {
    const { id } = await grant("ended-by-psp");
    await call("DELETE", `/v1/obie/account_access_consents/${id}`, { headers: { ccg_token: ccg.accounts } });
    expect((await list("ended-by-psp")).data).toMatchObject([{ status: "ended", ended_by: "psp" }]);
  });
  test.each(["bank", "customer"])("the %s, at the bank", async (by) => {
    const { id, token } = await grant(`ended-by-${by}`);
    expect(await withdraw(`ended-by-${by}`, id, `?by=${by}`)).toBe(204);
    expect((await list(`ended-by-${by}`)).data).toMatchObject([{ status: "ended", ended_by: by }]);
    expect(await isActive(token)).toBe(false);
    // the PSP finds its consent as one that it has deleted
    const headers = { ccg_token: ccg.accounts };
    expect((await call("GET", `/v1/obie/account_access_consents/${id}`, { headers })).status).toBe(404);
    expect((await call("DELETE", `/v1/obie/account_access_consents/${id}`, { headers })).status).toBe(204);
    expect((await list(`ended-by-${by}`)).data).toMatchObject([{ ended_by: by }]);
  });
  test("the bank, when nothing is said, for all permissions too", async () => {
    const { id } = await grant("ended-by-default");
    const { token } = await grant("ended-by-default");
    await withdraw("ended-by-default", id);
    expect((await call("DELETE", "/v1/accounts/ended-by-default/permissions?by=customer")).status).toBe(204);
    expect((await list("ended-by-default")).data.map(({ ended_by }: { ended_by: string }) => ended_by)).toEqual([
      "customer",
      "bank",
    ]);
    expect(await isActive(token)).toBe(false);
  });
  test("the PSP, that used a code twice", async () => {
    const code = await obtainCode("ended-by-replay");
    await exchange(code, "ended-by-replay");
    await exchange(code, "ended-by-replay");
    expect((await list("ended-by-replay")).data).toMatchObject([{ status: "ended", ended_by: "code_used_twice" }]);
  });
  test("nobody: it ran out", async () => {
    const expiration_date_time = new Date(Date.now() + 60_000).toISOString();
    await grant("ended-by-expiry", { expiration_date_time });
    later(60_000);
    expect((await list("ended-by-expiry")).data).toMatchObject([
      { status: "ended", ended_by: "expiry", ended_at: expiration_date_time },
    ]);
  });
  test("an authority: no token lives, and the home register says that the authorisation is withdrawn", async () => {
    const psp = "scenario-10";
    const ccg_token = await obtainCcgToken("accounts", psp);
    const id = await createAccountConsent(ccg_token);
    const token = await obtainObieToken(ccg_token, id, { psu_account_id: "ended-by-authority" });
    await importStatus("PSDXX-TEST-000010", "Withdrawn");
    later(61_000);
    // the token stays valid, so the permission does
    expect(await isActive(token)).toBe(true);
    expect((await list("ended-by-authority")).data).toMatchObject([
      { status: "active", psp: { standing: "Withdrawn" } },
    ]);
    later(env.ACCESS_TOKEN_SECONDS * 1000);
    const lost = { status: "ended", ended_by: "authorisation_lost", ended_at: null };
    expect((await list("ended-by-authority", "?status=ended")).data).toMatchObject([lost]);
    expect((await list("ended-by-authority", "?status=active")).data).toEqual([]);
    // it is not stored: the authorisation may come back
    await importStatus("PSDXX-TEST-000010", "Authorised");
    later(61_000);
    expect((await list("ended-by-authority")).data).toMatchObject([{ status: "active", ended_by: null }]);
  });
});

test("a register that cannot be read leaves the list readable", async () => {
  const account = crypto.randomUUID();
  await obtainToken(account);
  // past what the isolate has cached at any time of the tests above
  later(10 * 3_600_000);
  const broken = { ...env, KV: { get: () => Promise.reject(new Error("KV is away")) } } as unknown as Cloudflare.Env;
  const answer = await call("GET", `/v1/accounts/${account}/permissions`, { env: broken });
  expect(answer.body.data).toMatchObject([
    { status: "ended", psp: { legal_name: null, authorisation_number: PSP, home_country: "XX", standing: null } },
  ]);
});

describe("a withdrawal", () => {
  test("can be repeated, and is a 404 for what the account does not have", async () => {
    const [account, id] = [crypto.randomUUID(), await createAccountConsent(ccg.accounts)];
    expect(await withdraw(account, id)).toBe(404);
    await obtainObieToken(ccg.accounts, id, { psu_account_id: account });
    expect(await withdraw("another-account", id)).toBe(404);
    expect(await withdraw(account, id, "", OTHER_FI)).toBe(404);
    for (let time = 0; time < 3; time++) expect(await withdraw(account, id)).toBe(204);
  });

  test("ends the code of a consent that was issued before it", async () => {
    const [account, id] = [crypto.randomUUID(), await createAccountConsent(ccg.accounts)];
    const auth_code = await obtainObieCode(ccg.accounts, id, { psu_account_id: account });
    expect(await withdraw(account, id)).toBe(204);
    const headers = { ccg_token: ccg.accounts };
    const body = { auth_code, redirect_uri: REDIRECT_URI };
    const answer = await call("POST", "/v1/obie/tokens", { headers, body });
    expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_denied"]]);
  });

  test("ends the code of a payment order that was issued before it, and the order for its PSP", async () => {
    const [account, id] = [crypto.randomUUID(), await createPaymentConsent(ccg.payments)];
    const fields = { scope: "payments", psu_account_id: account };
    const auth_code = await obtainObieCode(ccg.payments, id, fields);
    expect(await withdraw(account, id)).toBe(204);
    const headers = { ccg_token: ccg.payments };
    const body = { auth_code, redirect_uri: REDIRECT_URI };
    const answer = await call("POST", "/v1/obie/tokens", { headers, body });
    expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_denied"]]);
    expect((await call("GET", `/v1/obie/payment_order_consents/${id}`, { headers })).status).toBe(404);
    const listed = await call("GET", `/v1/obie/payment_order_consents?consent_id=${id}`, { headers });
    expect(listed.body.data).toEqual([]);
  });

  test("ends the codes of the core flow that were issued before it, and none after it", async () => {
    const account = crypto.randomUUID();
    const token = await obtainToken(account);
    const codes = { before: await obtainCode(account), payments: await obtainCode(account, {}, "payments") };
    const [permission] = (await list(account)).data;
    expect(await withdraw(account, permission.id, "?by=customer")).toBe(204);
    later(1);
    const after = await obtainCode(account);
    // a repeated withdrawal is about the old permission only
    later(1);
    expect(await withdraw(account, permission.id, "?by=customer")).toBe(204);
    expect(await exchange(codes.before, account)).toEqual(DENIED);
    expect(await isActive(token)).toBe(false);
    expect((await exchange(codes.payments, account)).status).toBe(201);
    expect((await exchange(after, account)).status).toBe(201);
  });

  test("of a permission that has ended leaves the next one alone, and ends codes from before it", async () => {
    const account = crypto.randomUUID();
    await call("DELETE", `/v1/oauth2/tokens/${await obtainToken(account)}`);
    const [ended] = (await list(account)).data;
    const token = await obtainToken(account);
    const code = await obtainCode(account);
    expect(await withdraw(account, ended.id)).toBe(204);
    expect(await isActive(token)).toBe(true);
    expect((await list(account, "?status=active")).data).toHaveLength(1);
    expect(await exchange(code, account)).toEqual(DENIED);
    // it keeps its end
    expect((await list(account, "?status=ended")).data).toEqual([ended]);
  });

  test("of all permissions ends codes of which no token came yet", async () => {
    const account = crypto.randomUUID();
    const [accounts, payments] = [await obtainCode(account), await obtainCode(account, {}, "payments")];
    const other = await obtainCode(`${account}-other`);
    expect((await call("DELETE", `/v1/accounts/${account}/permissions`)).status).toBe(204);
    expect(await exchange(accounts, account)).toEqual(DENIED);
    expect(await exchange(payments, account)).toEqual(DENIED);
    expect((await exchange(other, `${account}-other`)).status).toBe(201);
  });
});

test("many permissions come in pages; a cursor is for its FI, its account and its status", async () => {
  const account = crypto.randomUUID();
  const ids: string[] = [];
  for (let i = 0; i < 53; i++) ids.push(await createAccountConsent(ccg.accounts));
  await Promise.all(ids.map((id) => obtainObieCode(ccg.accounts, id, { psu_account_id: account })));
  const first = await list(account, "?status=active");
  expect(first.data).toHaveLength(50);
  // one that ends between two pages moves no other
  await withdraw(account, first.data[0].id);
  const second = await list(account, `?status=active&cursor=${first.next_cursor}`);
  expect(second.data).toHaveLength(3);
  expect(second).not.toHaveProperty("next_cursor");
  const listed = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
  expect(listed).toEqual(ids.toSorted().toReversed());
  for (const [path, headers] of [
    [`/v1/accounts/${account}/permissions?cursor=${first.next_cursor}`, {}],
    [`/v1/accounts/${account}/permissions?status=ended&cursor=${first.next_cursor}`, {}],
    [`/v1/accounts/other/permissions?status=active&cursor=${first.next_cursor}`, {}],
    [`/v1/accounts/${account}/permissions?status=active&cursor=${first.next_cursor}x`, {}],
    [`/v1/accounts/${account}/permissions?status=active&cursor=`, {}],
    [`/v1/accounts/${account}/permissions?status=active&cursor=${first.next_cursor}`, OTHER_FI],
  ] as const) {
    const answer = await call("GET", path, { headers });
    expect([path, answer.status, codesOf(answer)]).toEqual([path, 400, ["cursor_invalid"]]);
  }
});

describe("MAX_CONSENT_DAYS", () => {
  const limited = { ...env, MAX_CONSENT_DAYS: 90 } as Cloudflare.Env;
  const create = async (expiration_date_time: string | null, version: string, bindings = limited) => {
    const data = { permissions: ["ReadBalances"], expiration_date_time };
    const headers = { ccg_token: ccg.accounts, version };
    const answer = await call("POST", "/v1/obie/account_access_consents", { headers, body: { data }, env: bindings });
    return answer.body.data;
  };
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

  test.each([null, "2069-12-31T23:59:59Z"])("cuts a consent until %s, and says so", async (requested) => {
    const before = Date.now();
    const consent = await create(requested, "latest");
    const end = Date.parse(consent.expiration_date_time);
    expect(end).toBeGreaterThanOrEqual(before + 90 * DAY_MS);
    expect(end).toBeLessThanOrEqual(Date.now() + 90 * DAY_MS);
    expect(consent.warning).toBe(
      `this institution's consents end after 90 days at the latest: the requested expiration, ${requested ?? "open ended"}, was cut`,
    );
    const plain = await create(requested, "1");
    expect(plain).toHaveProperty("expiration_date_time");
    expect(plain).not.toHaveProperty("warning");
    vi.useFakeTimers({ toFake: ["Date"], now: end });
    const headers = { ccg_token: await obtainCcgToken() };
    expect((await call("GET", `/v1/obie/account_access_consents/${consent.consent_id}`, { headers })).status).toBe(404);
  });

  test("leaves a shorter consent as it is; 0 is no limit", async () => {
    const short = inDays(89);
    expect(await create(short, "latest")).toMatchObject({ expiration_date_time: short });
    expect(await create(short, "latest")).not.toHaveProperty("warning");
    expect(await create(inDays(400), "latest", env)).not.toHaveProperty("warning");
    expect(await create(null, "latest", env)).not.toHaveProperty("expiration_date_time");
  });
});
