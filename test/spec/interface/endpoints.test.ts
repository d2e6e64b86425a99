/** Interface, "Endpoints": of each the whole body of a good request, over HTTP. Their rules have their tables in test/worker. */
import { expect, test } from "vitest";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import {
  type Answer,
  askForCode,
  askForObieCode,
  askForObieToken,
  askForToken,
  call,
  ccg,
  codeOf,
  createConsent,
  eidas,
  errorForm,
  INITIATION,
  newAccount,
  OTHER_FI,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
} from "./bank.ts";

const CODE = expect.stringMatching(/^[0-9a-f]{64}\.[\w-]{43}\.\w+\.\w+\.[\w-]{43}$/);
const TOKEN = expect.stringMatching(/^[A-Za-z0-9]+\.[\w-]+\.[\w-]{43}$/);
const DATE_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const BEARER = { access_token: TOKEN, expires_in: 3600, token_type: "bearer" };

function holdAnswer(answer: Answer, status: number, body: unknown): void {
  expect([answer.status, answer.body]).toEqual([status, body]);
}

test("without a header that every endpoint asks for", async () => {
  for (const { method, path, statuses } of ENDPOINTS)
    for (const [header, status, code] of [
      ["Authorization", 401, "credentials_missing"],
      ["fi_reference_id", 401, "fi_reference_id_missing"],
      ["version", statuses.includes(400) ? 400 : 404, "version_missing"],
    ] as const) {
      const headers = { ...(await eidas()), [header]: undefined };
      const body = method === "POST" ? {} : undefined;
      const answer = await call(method, path.replace(/\{\w+\}/, "x"), { headers, body });
      expect([method, path, answer.status, answer.body]).toEqual([method, path, status, errorForm(code)]);
      if (header === "Authorization") expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Basic realm=/);
    }
});

test("POST /v1/oauth2/authorization_codes: base_uri is the redirect_uri, letter for letter", async () => {
  const [redirect_uri, state] = ["HTTPS://PSP.example:443/a/../b%2f?x=1&y=", "ä&=+ 😀%20\"'"];
  const answer = await askForCode(newAccount(), { redirect_uri, state });
  const full_uri = `${redirect_uri}&code=${codeOf(answer)}&state=${encodeURIComponent(state)}`;
  holdAnswer(answer, 201, {
    data: { redirect_uri: { base_uri: redirect_uri, parameters: { code: CODE, state }, full_uri } },
  });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
});

test("the sandbox calls back on the same machine", async () => {
  const redirect_uri = "http://127.0.0.1:4000/callback";
  expect((await askForCode(newAccount(), { redirect_uri })).body.data.redirect_uri.base_uri).toBe(redirect_uri);
});

/** Of a scope that the PSP may not use. */
const refusal = {
  data: {
    redirect_uri: {
      base_url: REDIRECT_URI,
      parameters: { error: "invalid_scope", error_description: expect.any(String), state: "s" },
      full_uri: expect.stringContaining(`${REDIRECT_URI}?error=invalid_scope&error_description=`),
    },
  },
  ...errorForm("payment_service_invalid"),
};

test("POST /v1/oauth2/authorization_codes and /v1/obie/authorization_codes: the error form", async () => {
  const query = { scope: "payments", state: "s" };
  holdAnswer(await askForCode(newAccount(), query, await eidas("accounts-only")), 403, refusal);
  holdAnswer(await askForObieCode(await ccg("payments", "accounts-only"), "a-consent", query), 403, refusal);
});

test("POST /v1/oauth2/tokens: of twenty uses of a code at the same instant one is granted", async () => {
  const account = newAccount();
  const code = codeOf(await askForCode(account));
  const answers = await Promise.all(Array.from({ length: 20 }, () => askForToken(account, code)));
  const [won, ...lost] = answers.toSorted((a, b) => a.status - b.status) as [Answer, ...Answer[]];
  holdAnswer(won, 201, { data: { ...BEARER, scope: "accounts" } });
  for (const answer of lost) holdAnswer(answer, 403, errorForm("code_used"));
  expect(won.headers.get("Cache-Control")).toBe("no-store");
});

test("POST /v1/oauth2/tokens with client_credentials", async () => {
  const body = { client_request_query_parameters: { grant_type: "client_credentials" } };
  const answer = await call("POST", "/v1/oauth2/tokens", { headers: await eidas(), body });
  holdAnswer(answer, 201, { data: { ...BEARER, access_token: "good-access-token", scope: "payments" } });
});

test("GET /v1/oauth2/account/{account_id}/tokens; GET and DELETE /v1/oauth2/tokens/{token}", async () => {
  const account = newAccount();
  const list = async (headers = {}) => (await call("GET", `/v1/oauth2/account/${account}/tokens`, { headers })).body;
  expect(await list()).toEqual({ data: [] });
  const token = await obtainToken(account, "payments");
  const listed = await list();
  const { iat } = listed.data[0];
  const record = {
    ...{ token, active: true, psp_id: "PSDXX-TEST-000001", account_id: account, scope: "payments" },
    ...{ exp: iat + 3600, iat: expect.any(Number), revoked_at: null },
  };
  expect(listed).toEqual({ data: [record] });
  expect(await list(OTHER_FI)).toEqual({ data: [] });
  const path = `/v1/oauth2/tokens/${token}`;
  holdAnswer(await call("GET", path), 200, { data: record });
  for (const method of ["GET", "DELETE"])
    holdAnswer(await call(method, path, { headers: OTHER_FI }), 404, errorForm("token_not_found"));
  for (let time = 0; time < 2; time++) holdAnswer(await call("DELETE", path), 204, undefined);
  expect(await list()).toEqual({ data: [{ ...record, active: false, revoked_at: expect.any(Number) }] });
});

test("POST /v1/obie/ccg_tokens: neither header is read, nor psp_id and psd2_role of the body", async () => {
  const body = { eIDAS: (await eidas()).eidas, scope: "accounts", psp_id: "PSDXX-TEST-000011", psd2_role: "7" };
  const headers = { eidas: "garbage", ccg_token: "garbage" };
  const answer = await call("POST", "/v1/obie/ccg_tokens", { headers, body });
  holdAnswer(answer, 201, {
    ...{ ...BEARER, access_token: expect.stringMatching(/^[A-Za-z0-9]+\.[\w-]+$/), active: true },
    ...{ psp_id: "PSDXX-TEST-000001", scope: "accounts", payment_service_number: 8 },
  });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
});

test("POST, GET and DELETE of /v1/obie/account_access_consents", async () => {
  const headers = await ccg();
  const given = {
    permissions: ["ReadAccountsDetail", "ReadTransactionsCredits", "ReadTransactionsDetail"],
    expiration_date_time: "2099-01-01T00:00:00Z",
    transaction_from_date_time: "2026-01-01T00:00:00Z",
    transaction_to_date_time: "2026-12-31T23:59:59Z",
  };
  const created = await createConsent(headers, given);
  const { consent_id } = created.body.data;
  const times = { status_update_date_time: DATE_TIME, creation_date_time: DATE_TIME };
  const consent = { consent_id: expect.any(String), status: "AwaitingAuthorisation", ...times, ...given };
  holdAnswer(created, 201, { data: consent });
  const path = `/v1/obie/account_access_consents/${consent_id}`;
  holdAnswer(await call("GET", path, { headers }), 200, created.body);
  await askForObieCode(headers, consent_id);
  holdAnswer(await call("GET", path, { headers }), 200, { data: { ...consent, status: "Authorised" } });
  holdAnswer(await call("GET", path), 401, errorForm("ccg_token_missing"));
  for (let time = 0; time < 2; time++) holdAnswer(await call("DELETE", path, { headers }), 204, undefined);
  holdAnswer(await call("GET", path, { headers }), 404, errorForm("consent_not_found"));
});

test("POST and GET of /v1/obie/payment_order_consents, and their list", async () => {
  const [headers, path] = [await ccg("payments", "payments-only"), "/v1/obie/payment_order_consents"];
  const created = await call("POST", path, { headers, body: { data: { initiation: INITIATION } } });
  const times = { status_update_date_time: DATE_TIME, creation_date_time: DATE_TIME };
  const consent = { consent_id: expect.any(String), status: "AwaitingAuthorisation", ...times, initiation: INITIATION };
  holdAnswer(created, 201, { data: consent });
  expect((await call("GET", `${path}?limit=1`, { headers })).body.data).toEqual([created.body.data]);
  holdAnswer(await call("GET", `${path}/${created.body.data.consent_id}`, { headers }), 200, created.body);
});

test("POST /v1/obie/authorization_codes, POST /v1/obie/tokens and GET /v1/obie/tokens/{token}", async () => {
  const headers = await ccg();
  const { consent_id } = (await createConsent(headers)).body.data;
  const issued = await askForObieCode(headers, consent_id, { state: "s" });
  const full_uri = `${REDIRECT_URI}?code=${codeOf(issued)}&state=s`;
  holdAnswer(issued, 201, {
    data: { redirect_uri: { base_uri: REDIRECT_URI, parameters: { code: CODE, state: "s" }, full_uri } },
  });
  const redeemed = await askForObieToken(headers, codeOf(issued));
  holdAnswer(redeemed, 201, { data: { ...BEARER, state: "s" } });
  const { access_token } = redeemed.body.data;
  const path = `/v1/obie/tokens/${access_token}`;
  const information = { ...BEARER, access_token, expires_in: expect.any(Number), active: true };
  holdAnswer(await call("GET", path, { headers }), 200, { data: information });
  await call("DELETE", `/v1/oauth2/tokens/${access_token}`);
  holdAnswer(await call("GET", path, { headers }), 200, { data: { ...information, expires_in: 0, active: false } });
});

test("what one PSP has is not another's, nor what one institution has another's", async () => {
  const other = await ccg("accounts", "accounts-only");
  const { access_token } = (await obtainObieToken(await ccg())).body.data;
  holdAnswer(
    await call("GET", `/v1/obie/tokens/${access_token}`, { headers: other }),
    404,
    errorForm("token_not_found"),
  );
  const answer = await call("GET", "/v1/obie/tokens/x", { headers: { ...other, ...OTHER_FI } });
  holdAnswer(answer, 401, errorForm("ccg_token_invalid"));
});

test("version: latest and 1 are allowed, and no other", async () => {
  const list = (version: string) => call("GET", "/v1/oauth2/account/x/tokens", { headers: { version } });
  for (const version of ["latest", "1"]) expect((await list(version)).status).toBe(200);
  for (const version of ["2", "1.7", "LATEST", "1, 1", "v1"])
    holdAnswer(await list(version), 404, errorForm("version_invalid"));
});
