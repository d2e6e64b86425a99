/** Token keys rotate without a break, and a removed key takes its tokens with it. */
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { makeSecret } from "../../../src/platform/secrets.ts";
import { call, codesOf, createAccountConsent, obtainCcgToken, obtainToken } from "../bank.ts";
import { loadSandbox } from "../sandbox.ts";

beforeAll(loadSandbox);

const KEY = "TOKEN_KEY_20990101T000000Z";
const rotated = { ...env, TOKEN_KEY_20990102T000000Z: makeSecret() };
const removed = Object.fromEntries(Object.entries(rotated).filter(([name]) => name !== KEY)) as typeof rotated;

test("after a rotation old tokens go on working", async () => {
  const token = await obtainToken("rotated");
  const ccg_token = await obtainCcgToken();
  const path = `/v1/oauth2/tokens/${token}`;
  expect((await call("GET", path, { env: rotated })).body.data).toMatchObject({ token, active: true });
  const consent = await createAccountConsent(ccg_token);
  const consentPath = `/v1/obie/account_access_consents/${consent}`;
  expect((await call("GET", consentPath, { headers: { ccg_token }, env: rotated })).status).toBe(200);
});

test("a token whose key was removed does not work, and the list says so without showing one", async () => {
  const token = await obtainToken("removed");
  const answer = await call("GET", `/v1/oauth2/tokens/${token}`, { env: removed });
  expect([answer.status, codesOf(answer)]).toEqual([404, ["token_not_found"]]);
  const { data } = (await call("GET", "/v1/oauth2/account/removed/tokens", { env: removed })).body;
  expect(data).toMatchObject([{ active: false, account_id: "removed", revoked_at: null }]);
  expect(token.startsWith(`${data[0].token}.`)).toBe(true);
  expect((await call("GET", `/v1/oauth2/tokens/${data[0].token}`)).status).toBe(404);
});

test("a CCG token whose key was removed is invalid", async () => {
  const headers = { ccg_token: await obtainCcgToken("payments") };
  const answer = await call("GET", "/v1/obie/payment_order_consents", { headers, env: removed });
  expect([answer.status, codesOf(answer)]).toEqual([401, ["ccg_token_invalid"]]);
});
