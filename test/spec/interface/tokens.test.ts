/** Interface, "Access token", "Token record", "Token information", and the endpoints of tokens of both flows. */
import { describe, expect } from "vitest";
import {
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
  newAccount,
  OTHER_FI,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "./bank.ts";
import { says } from "./says.ts";

const TOKEN = expect.stringMatching(/^[A-Za-z0-9]+\.[\w-]+\.[\w-]{43}$/);
const listTokens = (accountId: string, headers = {}) =>
  call("GET", `/v1/oauth2/account/${encodeURIComponent(accountId)}/tokens`, { headers });
const clientCredentials = async (query: object = {}, certificate = "scenario-1") =>
  call("POST", "/v1/oauth2/tokens", {
    headers: await eidas(certificate),
    body: { client_request_query_parameters: { grant_type: "client_credentials", ...query } },
  });
const now = () => Math.floor(Date.now() / 1000);

describe("Access token", () => {
  says(
    "when the core token request used grant_type `client_credentials`, the token is the fixed literal `good-access-token`",
    "client_credentials gives good-access-token",
    async () => {
      expect((await clientCredentials()).body.data.access_token).toBe("good-access-token");
    },
  );
  says("duration of validity granted (seconds)", "expires_in is an integer, an hour", async () => {
    const account = newAccount();
    const code = codeOf(await askForCode(account));
    expect((await askForToken(account, code)).body.data.expires_in).toBe(3600);
  });
  says("`payments` or `accounts` (core flow only)", "scope is that of the code, in the core flow only", async () => {
    for (const scope of ["payments", "accounts"]) {
      const account = newAccount();
      const code = codeOf(await askForCode(account, { scope }));
      expect((await askForToken(account, code)).body.data.scope).toBe(scope);
    }
    expect((await obtainObieToken(await ccg())).body.data).not.toHaveProperty("scope");
  });
  says("open-banking flow token response only; opaque value", "state is in the open-banking answer only", async () => {
    const account = newAccount();
    const code = codeOf(await askForCode(account, { state: "s" }));
    expect((await askForToken(account, code)).body.data).not.toHaveProperty("state");
    expect((await obtainObieToken(await ccg(), { state: "ä b" })).body.data.state).toBe("ä b");
  });
});

describe("Token record", () => {
  says(
    "| exp | integer | expiry, seconds since 1970-01-01 UTC |",
    "a record has the interface's eight fields, and no other",
    async () => {
      const [account, before] = [newAccount(), now()];
      const token = await obtainToken(account, "payments");
      const { body } = await listTokens(account);
      expect(body).toEqual({
        data: [
          {
            token,
            active: true,
            psp_id: "PSDXX-TEST-000001",
            account_id: account,
            scope: "payments",
            exp: body.data[0].iat + 3600,
            iat: expect.any(Number),
            revoked_at: null,
          },
        ],
      });
      expect(body.data[0].iat).toBeGreaterThanOrEqual(before);
      expect(body.data[0].iat).toBeLessThanOrEqual(now());
    },
  );
  says(
    "revocation time, seconds since 1970-01-01 UTC; null when not revoked",
    "a deleted token has its revocation time and is not active",
    async () => {
      const [account, before] = [newAccount(), now()];
      const token = await obtainToken(account);
      const deleted = await call("DELETE", `/v1/oauth2/tokens/${token}`);
      expect([deleted.status, deleted.body]).toEqual([204, undefined]);
      const [record] = (await listTokens(account)).body.data;
      expect(record).toMatchObject({ token, active: false, revoked_at: expect.any(Number) });
      expect(record.revoked_at).toBeGreaterThanOrEqual(before);
      expect(record.revoked_at).toBeLessThanOrEqual(now());
      const again = await call("DELETE", `/v1/oauth2/tokens/${token}`);
      expect(again.status).toBe(204);
      expect((await listTokens(account)).body.data).toEqual([record]);
    },
  );
});

describe("Token information (open-banking flow)", () => {
  says("false when the token is expired or deleted", "active is false for a deleted token", async () => {
    const headers = await ccg();
    const token = (await obtainObieToken(headers)).body.data.access_token;
    await call("DELETE", `/v1/oauth2/tokens/${token}`);
    const answer = await call("GET", `/v1/obie/tokens/${token}`, { headers });
    expect(answer.body).toEqual({
      data: { access_token: token, expires_in: 0, token_type: "bearer", active: false },
    });
  });
});

describe("POST /v1/oauth2/tokens", () => {
  says(
    "`grant_type` (string, `authorization_code` or `client_credentials`)",
    "another grant_type is refused",
    async () => {
      const answer = await call("POST", "/v1/oauth2/tokens", {
        headers: await eidas(),
        body: tokenRequest("x", "a-code", { grant_type: "refresh_token" }),
      });
      expect([answer.status, answer.body]).toEqual([400, errorForm("grant_type_invalid")]);
    },
  );
  const required: [string, string, object][] = [
    ["Body: `account_id` (string, required);", "account_id", { ...tokenRequest("x", "c"), account_id: undefined }],
    [
      "`client_request_query_parameters` (object, required) containing `grant_type`",
      "client_request_query_parameters",
      { account_id: "x" },
    ],
    [
      "`grant_type` (string, `authorization_code` or `client_credentials`)",
      "grant_type",
      tokenRequest("x", "c", { grant_type: undefined }),
    ],
    [
      "`code` (string, the one-time authorization code, 60 seconds)",
      "code",
      tokenRequest("x", "c", { code: undefined }),
    ],
    [
      "`redirect_uri` (string, the registered redirect URI)",
      "redirect_uri",
      tokenRequest("x", "c", { redirect_uri: undefined }),
    ],
  ];
  for (const [sentence, name, body] of required)
    says(sentence, `authorization_code without ${name} is refused by its name`, async () => {
      const answer = await call("POST", "/v1/oauth2/tokens", { headers: await eidas(), body });
      expect([answer.status, answer.body]).toEqual([400, errorForm(`${name}_missing`)]);
    });
  says(
    "When grant_type is `client_credentials`, the other fields are not required.",
    "client_credentials needs neither account_id, code nor redirect_uri",
    async () => {
      const answer = await clientCredentials();
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        data: { access_token: "good-access-token", expires_in: 3600, token_type: "bearer", scope: "payments" },
      });
      expect((await clientCredentials({}, "accounts-only")).body.data.scope).toBe("accounts");
    },
  );
  says("201: `{data:{access_token, expires_in, token_type, scope}}`.", "the whole body of a core token", async () => {
    const account = newAccount();
    const answer = await askForToken(account, codeOf(await askForCode(account)));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { access_token: TOKEN, expires_in: 3600, token_type: "bearer", scope: "accounts" },
    });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });
  says(
    "400, 401, 403: `{errors:[...]}`.",
    "malformed is 400, a certificate that fails a check 401, an unknown code 403",
    async () => {
      const malformed = await call("POST", "/v1/oauth2/tokens", { headers: await eidas(), body: "[]" });
      expect([malformed.status, malformed.body]).toEqual([400, errorForm("body_malformed")]);
      const expired = await askForToken("x", "c", {}, await eidas("scenario-4"));
      expect([expired.status, expired.body]).toEqual([401, errorForm("certificate_expired")]);
      const unknown = await askForToken("x", "c");
      expect([unknown.status, unknown.body]).toEqual([403, errorForm("code_unknown")]);
    },
  );
});

describe("GET /v1/oauth2/account/{account_id}/tokens", () => {
  says(
    "Returns the stored tokens of a PSU account.",
    "all tokens of the account, of both flows and all PSPs",
    async () => {
      const account = newAccount();
      const core = await obtainToken(account);
      const headers = await ccg("accounts", "accounts-only");
      const obie = (await obtainObieToken(headers, { psu_account_id: account })).body.data.access_token;
      await obtainToken(newAccount());
      const { data } = (await listTokens(account)).body;
      expect(data.map((record: { token: string; psp_id: string }) => [record.token, record.psp_id]).sort()).toEqual(
        [
          [core, "PSDXX-TEST-000001"],
          [obie, "PSDXX-TEST-000011"],
        ].sort(),
      );
      expect((await listTokens(account, OTHER_FI)).body).toEqual({ data: [] });
    },
  );
  says("Path parameter `account_id` (string, required).", "an account_id of any characters", async () => {
    const account = `${newAccount()}/ä ?#%2f`;
    const token = await obtainToken(account);
    expect((await listTokens(account)).body.data).toMatchObject([{ token, account_id: account }]);
  });
  says(
    "200: `{data:[token record, ...]}`; an empty array when there are no tokens.",
    "an account without tokens has an empty array",
    async () => {
      const answer = await listTokens(newAccount());
      expect([answer.status, answer.body]).toEqual([200, { data: [] }]);
    },
  );
  says("401, 404: `{errors:[...]}`.", "no credentials is 401, a malformed account_id 404", async () => {
    const unknown = await listTokens("x", { Authorization: undefined });
    expect([unknown.status, unknown.body]).toEqual([401, errorForm("credentials_missing")]);
    const malformed = await listTokens("x".repeat(257));
    expect([malformed.status, malformed.body]).toEqual([404, errorForm("account_id_invalid")]);
  });
});

describe("POST /v1/obie/tokens", () => {
  for (const [sentence, name] of [
    ["`auth_code` (string, required, one-time, 60 seconds, bound to the PSP and redirect URI)", "auth_code"],
    ["`redirect_uri` (string, required).", "redirect_uri"],
  ] as const)
    says(sentence, `an open-banking token request without ${name} is refused by its name`, async () => {
      const answer = await askForObieToken(await ccg(), "a-code", { [name]: undefined });
      expect([answer.status, answer.body]).toEqual([400, errorForm(`${name}_missing`)]);
    });
  says(
    "bound to the PSP and redirect URI",
    "an open-banking code is denied to another PSP and another redirect URI, and then works",
    async () => {
      const headers = await ccg();
      const consent = await createConsent(headers);
      const code = codeOf(await askForObieCode(headers, consent.body.data.consent_id));
      const otherPsp = await askForObieToken(await ccg("accounts", "accounts-only"), code);
      expect([otherPsp.status, otherPsp.body]).toEqual([403, errorForm("code_unknown")]);
      const elsewhere = await askForObieToken(headers, code, { redirect_uri: `${REDIRECT_URI}?` });
      expect([elsewhere.status, elsewhere.body]).toEqual([403, errorForm("redirect_uri_mismatch")]);
      expect((await askForObieToken(headers, code)).status).toBe(201);
    },
  );
  says(
    "201: `{data:{access_token, expires_in, token_type, state}}`. 400, 401, 403: `{errors:[...]}`.",
    "the whole body of an open-banking token",
    async () => {
      const answer = await obtainObieToken(await ccg(), { state: "s" });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({
        data: { access_token: TOKEN, expires_in: 3600, token_type: "bearer", state: "s" },
      });
      const forged = await askForObieToken({ ccg_token: "forged" }, "a-code");
      expect([forged.status, forged.body]).toEqual([401, errorForm("ccg_token_invalid")]);
    },
  );
});

describe("GET /v1/obie/tokens/{token}", () => {
  says(
    "200: `{data:{access_token, expires_in, token_type, active}}`. 401, 404: `{errors:[...]}`.",
    "the whole body of token information",
    async () => {
      const headers = await ccg();
      const token = (await obtainObieToken(headers)).body.data.access_token;
      const answer = await call("GET", `/v1/obie/tokens/${token}`, { headers });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        data: { access_token: token, expires_in: expect.any(Number), token_type: "bearer", active: true },
      });
      expect(answer.body.data.expires_in).toBeGreaterThan(3590);
      expect(answer.body.data.expires_in).toBeLessThanOrEqual(3600);
      const unknown = await call("GET", "/v1/obie/tokens/unknown", { headers });
      expect([unknown.status, unknown.body]).toEqual([404, errorForm("token_not_found")]);
      const otherPsp = await call("GET", `/v1/obie/tokens/${token}`, {
        headers: await ccg("accounts", "accounts-only"),
      });
      expect([otherPsp.status, otherPsp.body]).toEqual([404, errorForm("token_not_found")]);
      const nobody = await call("GET", `/v1/obie/tokens/${token}`);
      expect([nobody.status, nobody.body]).toEqual([401, errorForm("ccg_token_missing")]);
    },
  );
});

describe("Endpoints that exist but whose request and response shapes are not shown", () => {
  says(
    "GET /v1/oauth2/tokens/{token}; DELETE /v1/oauth2/tokens/{token}",
    "one token record by its token, and its end",
    async () => {
      const account = newAccount();
      const token = await obtainToken(account);
      const path = `/v1/oauth2/tokens/${token}`;
      expect((await call("GET", path)).body).toEqual({ data: (await listTokens(account)).body.data[0] });
      for (const method of ["GET", "DELETE"]) {
        const foreign = await call(method, path, { headers: OTHER_FI });
        expect([foreign.status, foreign.body]).toEqual([404, errorForm("token_not_found")]);
      }
      expect((await call("DELETE", path)).status).toBe(204);
      expect((await call("GET", path)).body.data.active).toBe(false);
    },
  );
});
