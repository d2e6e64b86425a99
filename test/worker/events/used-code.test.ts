/** A code that is used twice is the sign of a theft: its permission says so, and the bank is told once. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { makeWebhookSecret } from "../../../src/events/webhook.ts";
import { insertWebhook } from "../../../src/events/webhook-changes.ts";
import {
  call,
  createPaymentConsent,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

const PSP = "PSDXX-TEST-000001";
beforeAll(async () => {
  await loadSandbox();
  const find = env.DB.prepare("SELECT id FROM financial_institutions WHERE fi_reference_id = ?1");
  const fiId = Number(await find.bind(SANDBOX_FI.fi_reference_id).first("id"));
  const secret = makeWebhookSecret();
  await insertWebhook(env.DB, { id: "wh_used_codes", fiId, url: "https://bank.test/events", secret }, Date.now());
});

const redeem = (code: string, account: string) =>
  call("POST", "/v1/oauth2/tokens", {
    headers: { eidas: eidasHeader("scenario-1") },
    body: tokenRequest(code, account),
  });
const permissionsOf = async (account: string) => (await call("GET", `/v1/accounts/${account}/permissions`)).body.data;
interface Told {
  id: string;
  type: string;
  data: { psp_id: string; before: unknown; after: { permission_id: string }; grants: unknown };
}
const toldOf = async (permission: string): Promise<Told[]> => {
  const { data } = (await call("GET", "/v1/events")).body;
  return data.filter(
    ({ type, data }: Told) => type === "psp.code_used_twice" && data.after.permission_id === permission,
  );
};
const deliveriesOf = async ({ id }: Told) =>
  env.DB.prepare("SELECT count(*) AS rows FROM webhook_deliveries WHERE event_id = ?1").bind(id).first("rows");

test("after a code was used twice the list says code_used_twice, and the bank is told once for each code", async () => {
  const account = crypto.randomUUID();
  const code = await obtainCode(account);
  expect((await redeem(code, account)).status).toBe(201);
  const [{ id }] = await permissionsOf(account);
  expect(await toldOf(id)).toEqual([]);
  for (let time = 0; time < 3; time++) expect((await redeem(code, account)).status).toBe(403);
  expect(await permissionsOf(account)).toMatchObject([{ id, status: "ended", ended_by: "code_used_twice" }]);
  const [told, ...more] = await toldOf(id);
  expect(more).toEqual([]);
  const about = { scope: "accounts", permission_id: id };
  expect(told?.data).toMatchObject({
    psp_id: PSP,
    before: { ...about, token_revoked: false },
    after: { ...about, token_revoked: true },
    grants: { tokens: expect.any(Number), consents: expect.any(Number) },
  });
  // who reads it learns of no account and no token
  expect(JSON.stringify(told)).not.toContain(account);
  expect(told && (await deliveriesOf(told))).toBe(1);
});

test("so it is for a payment order; a code that gave no token is no news", async () => {
  const account = crypto.randomUUID();
  const ccg_token = await obtainCcgToken("payments");
  const consent = await createPaymentConsent(ccg_token);
  const auth_code = await obtainObieCode(ccg_token, consent, { psu_account_id: account, scope: "payments" });
  const exchange = () =>
    call("POST", "/v1/obie/tokens", { headers: { ccg_token }, body: { auth_code, redirect_uri: REDIRECT_URI } });
  expect([(await exchange()).status, (await exchange()).status]).toEqual([201, 403]);
  expect(await permissionsOf(account)).toMatchObject([{ id: consent, ended_by: "code_used_twice" }]);
  expect(await toldOf(consent)).toHaveLength(1);

  const code = await obtainCode(account);
  await call("DELETE", `/v1/accounts/${account}/permissions`);
  const before = (await call("GET", "/v1/events")).body.data.length;
  expect([(await redeem(code, account)).status, (await redeem(code, account)).status]).toEqual([403, 403]);
  expect((await call("GET", "/v1/events")).body.data).toHaveLength(before);
});

test("the token of a code that is used twice ends in the transaction that tells it, or nothing is done", async () => {
  const account = crypto.randomUUID();
  const code = await obtainCode(account);
  const token = (await redeem(code, account)).body.data.access_token;
  const [{ id }] = await permissionsOf(account);
  const failing = {
    prepare: (sql: string) => env.DB.prepare(sql),
    batch: (statements: D1PreparedStatement[]) =>
      env.DB.batch([...statements, env.DB.prepare("SELECT * FROM no_such_table")]),
    withSession: () => failing,
  } as unknown as D1Database;
  const answer = await call("POST", "/v1/oauth2/tokens", {
    headers: { eidas: eidasHeader("scenario-1") },
    body: tokenRequest(code, account),
    env: { ...env, DB: failing },
  });
  expect(answer.status).toBe(503);
  expect((await call("GET", `/v1/oauth2/tokens/${token}`)).body.data.active).toBe(true);
  expect(await toldOf(id)).toEqual([]);
  expect((await redeem(code, account)).status).toBe(403);
  expect((await call("GET", `/v1/oauth2/tokens/${token}`)).body.data.active).toBe(false);
  expect(await toldOf(id)).toHaveLength(1);
});
