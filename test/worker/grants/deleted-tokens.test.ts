/** Expired tokens leave after TOKEN_RETENTION_DAYS: what a bank is asked for later does not go with them. */
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { runRetention } from "../../../src/refresh/retention.ts";
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
} from "../bank.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ACCOUNT = "deleted-tokens";
const CORE = { eidas: eidasHeader("scenario-1") };

/** Of three kinds: of the core flow, and under either consent. */
let given: {
  tokens: { core: string; access: string; payment: string };
  codes: { core: string; access: string };
  consents: { access: string; payment: string };
};
/** What the bank is told an hour after all tokens have expired, and once they are deleted. */
let expired: Awaited<ReturnType<typeof tell>>;
let deleted: typeof expired;
let ccg: { accounts: string; payments: string };

const redeem = (code: string) =>
  call("POST", "/v1/oauth2/tokens", { headers: CORE, body: tokenRequest(code, ACCOUNT) });
const redeemObie = (auth_code: string, ccg_token: string) =>
  call("POST", "/v1/obie/tokens", { headers: { ccg_token }, body: { auth_code, redirect_uri: REDIRECT_URI } });

async function tell() {
  const { consents } = given;
  const read = async (path: string, headers = {}) => (await call("GET", path, { headers })).body;
  return {
    permissions: await read(`/v1/accounts/${ACCOUNT}/permissions`),
    ended: await read(`/v1/accounts/${ACCOUNT}/permissions?status=ended`),
    accessConsent: await read(`/v1/obie/account_access_consents/${consents.access}`, { ccg_token: ccg.accounts }),
    paymentConsent: await read(`/v1/obie/payment_order_consents/${consents.payment}`, { ccg_token: ccg.payments }),
  };
}

const renewCcgTokens = async () => {
  ccg = { accounts: await obtainCcgToken("accounts"), payments: await obtainCcgToken("payments") };
};

beforeAll(async () => {
  await loadSandbox();
  vi.useFakeTimers({ toFake: ["Date"] });
  await renewCcgTokens();
  const consents = {
    access: await createAccountConsent(ccg.accounts),
    payment: await createPaymentConsent(ccg.payments),
  };
  const psu_account_id = ACCOUNT;
  const codes = {
    core: await obtainCode(ACCOUNT),
    access: await obtainObieCode(ccg.accounts, consents.access, { psu_account_id }),
  };
  const tokens = {
    core: (await redeem(codes.core)).body.data.access_token,
    access: (await redeemObie(codes.access, ccg.accounts)).body.data.access_token,
    payment: await obtainObieToken(ccg.payments, consents.payment, { psu_account_id, scope: "payments" }),
  };
  given = { tokens, codes, consents };
  vi.setSystemTime(Date.now() + 2 * HOUR);
  await renewCcgTokens();
  expired = await tell();
  // the tokens expired an hour ago
  const step = { env, stepState: {}, maxWrites: 0, maxListBytes: 0 };
  await runRetention({ ...step, now: Date.now() + env.TOKEN_RETENTION_DAYS * DAY - 2 * HOUR });
  expect(await env.DB.prepare("SELECT count(*) AS rows FROM tokens").first("rows")).toBe(3);
  await runRetention({ ...step, now: Date.now() + env.TOKEN_RETENTION_DAYS * DAY });
  deleted = await tell();
});
afterAll(() => vi.useRealTimers());

test("they are gone", async () => {
  expect(await env.DB.prepare("SELECT count(*) AS rows FROM tokens").first("rows")).toBe(0);
  expect((await call("GET", `/v1/oauth2/account/${ACCOUNT}/tokens`)).body).toEqual({ data: [] });
});

test("permissions and consents say what they said before, the last token's time among it", () => {
  expect(deleted).toEqual(expired);
  const { data } = deleted.permissions;
  expect(data).toHaveLength(3);
  for (const { last_token_at } of data) expect(last_token_at).toMatch(/^\d{4}-.*Z$/);
  expect(deleted.paymentConsent.data.status).toBe("Consumed");
});

test("the token itself is unknown: no information, inactive where it is introspected, nothing to revoke", async () => {
  for (const token of Object.values(given.tokens)) {
    const information = await call("GET", `/v1/oauth2/tokens/${token}`);
    const obie = await call("GET", `/v1/obie/tokens/${token}`, { headers: { ccg_token: ccg.accounts } });
    const revocation = await call("DELETE", `/v1/oauth2/tokens/${token}`);
    const introspection = await call("POST", "/v1/introspect", { body: { token } });
    expect([information, obie, revocation].map(({ status }) => status)).toEqual([404, 404, 404]);
    expect([information, obie, revocation].flatMap(codesOf)).toEqual(Array(3).fill("token_not_found"));
    expect([introspection.status, introspection.body]).toEqual([200, { active: false }]);
  }
});

test("its code gives none again, and a payment order that gave one gives no other", async () => {
  const answers = [await redeem(given.codes.core), await redeemObie(given.codes.access, ccg.accounts)];
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  const fields = { psu_account_id: ACCOUNT, scope: "payments" };
  const body = { consent_id: given.consents.payment, redirect_uri: REDIRECT_URI, ...fields };
  const second = await call("POST", "/v1/obie/authorization_codes", { headers: { ccg_token: ccg.payments }, body });
  expect(second.status).toBe(403);
  const list = (await call("GET", `/v1/oauth2/account/${ACCOUNT}/tokens`)).body.data;
  expect(list.filter((token: { active: boolean }) => token.active)).toEqual([]);
  expect(await tell()).toEqual(deleted);
});

test("the consent that is still open gives new ones, and its withdrawal ends them", async () => {
  const fields = { psu_account_id: ACCOUNT };
  const token = await obtainObieToken(ccg.accounts, given.consents.access, fields);
  const introspect = async () => (await call("POST", "/v1/introspect", { body: { token } })).body.active;
  expect(await introspect()).toBe(true);
  const path = `/v1/accounts/${ACCOUNT}/permissions/${given.consents.access}`;
  expect((await call("DELETE", path)).status).toBe(204);
  expect(await introspect()).toBe(false);
});
