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
  REDIRECT_URI,
  tokenRequest,
} from "../../bank.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";

let ccg_token: string;
beforeAll(async () => {
  await loadSandbox();
  ccg_token = await obtainCcgToken();
});
afterEach(() => vi.useRealTimers());

const exchange = (auth_code: string, headers: Record<string, string> = {}, fields: object = {}) =>
  call("POST", "/v1/obie/tokens", {
    headers: { ccg_token, ...headers },
    body: { auth_code, redirect_uri: REDIRECT_URI, ...fields },
  });
const information = (token: string, headers: Record<string, string> = {}) =>
  call("GET", `/v1/obie/tokens/${token}`, { headers: { ccg_token, ...headers } });

describe("POST", () => {
  test.each([["af0ifjsldkj"], [undefined]])("answers a token with the code's state: %j", async (state) => {
    const code = await obtainObieCode(ccg_token, await createAccountConsent(ccg_token), { state });
    const answer = await exchange(code);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        access_token: expect.any(String),
        expires_in: 3600,
        token_type: "bearer",
        ...(state !== undefined && { state }),
      },
    });
  });

  test("a payment order's code gives a token for payments", async () => {
    const payments = await obtainCcgToken("payments");
    const fields = { scope: "payments", psu_account_id: "obie-1" };
    const token = await obtainObieToken(payments, await createPaymentConsent(payments), fields);
    const { data } = (await call("GET", "/v1/oauth2/account/obie-1/tokens")).body;
    expect(data).toMatchObject([{ token, scope: "payments", active: true }]);
  });

  test("a second use is denied, and revokes the token of the first", async () => {
    const code = await obtainObieCode(ccg_token, await createAccountConsent(ccg_token));
    const token = (await exchange(code)).body.data.access_token;
    const again = await exchange(code);
    expect([again.status, codesOf(again)]).toEqual([403, ["code_used"]]);
    expect((await information(token)).body.data.active).toBe(false);
  });

  test("a code of the core flow is unknown here, and one of this flow there", async () => {
    expect(codesOf(await exchange(await obtainCode("obie-2")))).toEqual(["code_unknown"]);
    const code = await obtainObieCode(ccg_token, await createAccountConsent(ccg_token));
    const answer = await call("POST", "/v1/oauth2/tokens", {
      headers: { eidas: eidasHeader("scenario-1") },
      body: tokenRequest(code, "psu-account-1"),
    });
    expect([answer.status, codesOf(answer)]).toEqual([403, ["code_unknown"]]);
    expect((await exchange(code)).status).toBe(201);
  });

  test("a CCG token for the other scope does not exchange the code, nor consume it", async () => {
    const code = await obtainObieCode(ccg_token, await createAccountConsent(ccg_token));
    const payments = await obtainCcgToken("payments");
    const answer = await exchange(code, { ccg_token: payments });
    expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
    expect(answer.body.errors[0].title).toBe(
      "the code is for the scope accounts: the CCG token is for the scope payments, not accounts",
    );
    expect((await exchange(code)).status).toBe(201);
  });

  test("another PSP's CCG token finds no such code", async () => {
    const code = await obtainObieCode(ccg_token, await createAccountConsent(ccg_token));
    const other = await obtainCcgToken("accounts", "accounts-only");
    expect(codesOf(await exchange(code, { ccg_token: other }))).toEqual(["code_unknown"]);
  });

  test("a CCG token of the PSP's renewed certificate goes on with its codes and consents", async () => {
    const id = await createAccountConsent(ccg_token);
    const renewed = await obtainCcgToken("accounts", "scenario-1-renewed");
    const code = await obtainObieCode(renewed, id);
    expect((await exchange(code, { ccg_token: renewed })).status).toBe(201);
  });

  test("a consent that was revoked after its code was made gives no token", async () => {
    const id = await createAccountConsent(ccg_token);
    const code = await obtainObieCode(ccg_token, id);
    await call("DELETE", `/v1/obie/account_access_consents/${id}`, { headers: { ccg_token } });
    const answer = await exchange(code);
    expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_denied"]]);
  });

  test("a token never outlives its consent", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 1000) * 1000 });
    const expiration_date_time = new Date(Date.now() + 90_000).toISOString();
    const id = await createAccountConsent(ccg_token, { expiration_date_time });
    const answer = await exchange(await obtainObieCode(ccg_token, id));
    expect(answer.body.data.expires_in).toBe(90);
  });

  test("in its consent's last partial second a code gives no token of expires_in 0, but 403", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 1000) * 1000 + 100 });
    const expiry = Date.now() + 10_500;
    const expiration_date_time = new Date(expiry).toISOString();
    const id = await createAccountConsent(ccg_token, { expiration_date_time });
    const codeFor = (psu_account_id: string) => obtainObieCode(ccg_token, id, { psu_account_id });
    const [first, second] = [await codeFor("last-second"), await codeFor("last-second")];
    vi.setSystemTime(expiry - 600 - 1);
    expect((await exchange(first)).body.data.expires_in).toBe(1);
    vi.setSystemTime(expiry - 600);
    const answer = await exchange(second);
    expect([answer.status, codesOf(answer)]).toEqual([403, ["consent_denied"]]);
    const { data } = (await call("GET", "/v1/oauth2/account/last-second/tokens")).body;
    expect(data.map(({ active }: { active: boolean }) => active)).toEqual([false]);
  });
});

describe("GET", () => {
  test("tells of an active token, whose time counts down to 0", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 1000) * 1000 });
    const token = await obtainObieToken(ccg_token, await createAccountConsent(ccg_token));
    const issued = Date.now();
    const seen = async (seconds: number) => {
      vi.setSystemTime(issued + seconds * 1000);
      const renewed = seconds < 3600 ? ccg_token : await obtainCcgToken();
      return (await information(token, { ccg_token: renewed })).body;
    };
    const shape = { access_token: token, token_type: "bearer" };
    expect(await seen(0)).toEqual({ data: { ...shape, expires_in: 3600, active: true } });
    expect(await seen(3000)).toEqual({ data: { ...shape, expires_in: 600, active: true } });
    expect(await seen(3600)).toEqual({ data: { ...shape, expires_in: 0, active: false } });
    expect(await seen(9999)).toEqual({ data: { ...shape, expires_in: 0, active: false } });
  });

  test("a deleted token is inactive", async () => {
    const token = await obtainObieToken(ccg_token, await createAccountConsent(ccg_token));
    await call("DELETE", `/v1/oauth2/tokens/${token}`);
    expect((await information(token)).body.data).toMatchObject({ active: false, expires_in: 0 });
  });

  test("another PSP's token, and no token at all, are not found", async () => {
    const token = await obtainObieToken(ccg_token, await createAccountConsent(ccg_token));
    const other = await obtainCcgToken("accounts", "accounts-only");
    for (const answer of [await information(token, { ccg_token: other }), await information("nothing")])
      expect([answer.status, codesOf(answer)]).toEqual([404, ["token_not_found"]]);
  });
});
