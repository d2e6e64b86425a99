import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { call, codeRequest, codesOf, REDIRECT_URI, tokenRequest } from "../../bank.ts";
import { eidasHeader, loadSandbox } from "../../sandbox.ts";

beforeAll(loadSandbox);

const PATH = "/v1/oauth2/authorization_codes";
const create = (body: unknown, certificate = "scenario-1") =>
  call("POST", PATH, { headers: { eidas: eidasHeader(certificate) }, body });

test("a code is answered as a redirect record, and kept by no cache", async () => {
  const answer = await create(codeRequest({ state: "a b&c" }));
  const { code } = answer.body.data.redirect_uri.parameters;
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    data: {
      redirect_uri: {
        base_uri: REDIRECT_URI,
        parameters: { code, state: "a b&c" },
        full_uri: `${REDIRECT_URI}?code=${code}&state=a%20b%26c`,
      },
    },
  });
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
});

test.each([undefined, null, ""])("state %j is no state", async (state) => {
  const { redirect_uri } = (await create(codeRequest({ state }))).body.data;
  expect(Object.keys(redirect_uri.parameters)).toEqual(["code"]);
  expect(redirect_uri.full_uri).toBe(`${REDIRECT_URI}?code=${redirect_uri.parameters.code}`);
});

test("a state of any characters comes back byte for byte", async () => {
  const state = `é漢\u{1f600}"'<>&=%+#? ${"x".repeat(2000)}`;
  const { parameters, full_uri } = (await create(codeRequest({ state }))).body.data.redirect_uri;
  expect(parameters.state).toBe(state);
  expect(new URL(full_uri).searchParams.get("state")).toBe(state);
});

test("a redirect URI that has a query keeps it", async () => {
  const redirect_uri = `${REDIRECT_URI}?tenant=7`;
  const record = (await create(codeRequest({ redirect_uri }))).body.data.redirect_uri;
  expect(record.base_uri).toBe(redirect_uri);
  expect(record.full_uri).toMatch(/\?tenant=7&code=[^&]+&state=/);
});

describe("which redirect URIs are taken is configuration", () => {
  const askFor = (redirect_uri: string, NATIVE_REDIRECTS?: string, more: object = {}) =>
    call("POST", PATH, {
      headers: { eidas: eidasHeader("scenario-1") },
      body: codeRequest({ redirect_uri, ...more }, "native"),
      ...(NATIVE_REDIRECTS !== undefined && { env: { ...env, NATIVE_REDIRECTS } }),
    });
  const [loopback, privateUse] = ["http://127.0.0.1:4000/cb", "com.example.app:/cb"];

  test.each([
    [REDIRECT_URI, undefined, 201],
    [loopback, undefined, 400],
    [loopback, "loopback", 201],
    [loopback, "private-use", 400],
    ["http://psp.example/cb", "loopback private-use", 400],
    [privateUse, undefined, 400],
    [privateUse, "loopback", 400],
    [privateUse, "private-use", 201],
  ])("%s with NATIVE_REDIRECTS %j: %i", async (redirect_uri, words, status) => {
    const answer = await askFor(redirect_uri, words);
    expect(answer.status).toBe(status);
    if (status === 400) expect(codesOf(answer)).toEqual(["redirect_uri_invalid"]);
    else expect(answer.body.data.redirect_uri.full_uri).toMatch(new RegExp(`^${redirect_uri}\\?code=`));
  });

  test("a code for a native app is exchanged with its redirect URI", async () => {
    const { code } = (await askFor(privateUse, "private-use")).body.data.redirect_uri.parameters;
    const answer = await call("POST", "/v1/oauth2/tokens", {
      headers: { eidas: eidasHeader("scenario-1") },
      body: tokenRequest(code, "native", { redirect_uri: privateUse }),
    });
    expect(answer.status).toBe(201);
  });

  test.each([
    [
      "https://psp.example/für",
      'client_request_query_parameters.redirect_uri has "ü" at character 22, which must be percent-encoded as %C3%BC',
    ],
    [
      "https://psp.example/c b",
      'client_request_query_parameters.redirect_uri has " " at character 22, which must be percent-encoded as %20',
    ],
    [
      "https://*.psp.example/cb",
      'client_request_query_parameters.redirect_uri has the host "*.psp.example", which is neither a domain name nor an IP address',
    ],
    ["https://psp.example:0/cb", "client_request_query_parameters.redirect_uri has a port that is not from 1 to 65535"],
  ])("%s is refused among the other problems, and the title says what to mend", async (redirect_uri, title) => {
    const answer = await askFor(redirect_uri, undefined, { response_type: "token" });
    expect(answer.status).toBe(400);
    expect(codesOf(answer)).toEqual(["response_type_invalid", "redirect_uri_invalid"]);
    expect(answer.body.errors[1].title).toBe(title);
  });
});

describe("a PSP that may not use the scope is refused in the error form", () => {
  test.each([
    ["accounts-only", "payments", /has no role/],
    ["payments-only", "accounts", /has no role/],
    ["scenario-2", "accounts", /unauthorised in its home register/],
    ["scenario-3", "payments", /home register does not give/],
  ])("%s, scope %s", async (certificate, scope, title) => {
    const answer = await create(codeRequest({ scope, state: "s&1" }), certificate);
    expect(answer.status).toBe(403);
    const { base_url, parameters, full_uri, ...rest } = answer.body.data.redirect_uri;
    expect(rest).toEqual({});
    expect(base_url).toBe(REDIRECT_URI);
    expect(parameters).toEqual({
      error: "invalid_scope",
      error_description: expect.stringMatching(title),
      state: "s&1",
    });
    expect([...new URL(full_uri).searchParams]).toEqual(Object.entries(parameters));
    expect(full_uri).not.toMatch(/[ "\\]/);
    expect(answer.body.errors).toEqual([
      {
        id: answer.headers.get("x-request-id"),
        code: "payment_service_invalid",
        title: expect.stringMatching(title),
        link: "http://service.test/errors#payment_service_invalid",
      },
    ]);
  });

  test("the log line bears the code of the error", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    await create(codeRequest({ scope: "payments" }), "accounts-only");
    expect(JSON.parse(String(log.mock.lastCall?.[0]))).toMatchObject({
      status: 403,
      outcome: "payment_service_invalid",
    });
    log.mockRestore();
  });

  test("without a state the error form has none", async () => {
    const answer = await create(codeRequest({ scope: "payments", state: undefined }), "accounts-only");
    expect(Object.keys(answer.body.data.redirect_uri.parameters)).toEqual(["error", "error_description"]);
  });
});

describe("a scope that is neither word is answered by way of the redirect URI", () => {
  test.each([
    ["ACCOUNTS", "scope ACCOUNTS is neither payments nor accounts"],
    ["openid accounts", "scope 'openid accounts' is neither payments nor accounts"],
    ["payments accounts", "scope 'payments accounts' is neither payments nor accounts"],
    [" accounts", "scope ' accounts' is neither payments nor accounts"],
    ['"><script>', "scope '?'><script>' is neither payments nor accounts"],
    ["\u202esoft\u0000", "scope '?u{202e}soft?u{0000}' is neither payments nor accounts"],
    ["x".repeat(10_000), `scope '${"x".repeat(80)}?' is neither payments nor accounts`],
  ])("%.20s", async (scope, error_description) => {
    const answer = await create(codeRequest({ scope, state: "s&1" }));
    expect(answer.status).toBe(403);
    const { full_uri, ...record } = answer.body.data.redirect_uri;
    const parameters = { error: "invalid_scope", error_description, state: "s&1" };
    expect(record).toEqual({ base_url: REDIRECT_URI, parameters });
    expect([...new URL(full_uri).searchParams]).toEqual(Object.entries(parameters));
    expect(codesOf(answer)).toEqual(["payment_service_invalid"]);
    expect(answer.body.errors[0].title).toMatch(/^scope .* is neither payments nor accounts$/);
  });

  test.each([
    ["missing", undefined, "scope_missing"],
    ["null", null, "scope_missing"],
    ["empty", "", "scope_invalid"],
    ["a number", 8, "scope_invalid"],
    ["a list", ["accounts"], "scope_invalid"],
  ])("but one that is %s is malformed", async (_, scope, code) => {
    const answer = await create(codeRequest({ scope }));
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
  });

  test("and with a certificate that is not valid the PSP is refused first", async () => {
    const answer = await create(codeRequest({ scope: "ACCOUNTS" }), "scenario-5");
    expect([answer.status, codesOf(answer)]).toEqual([401, ["certificate_revoked"]]);
  });
});

test.each([
  ["scenario-4", "certificate_expired"],
  ["scenario-5", "certificate_revoked"],
  ["scenario-6", "qtsp_invalid"],
  ["unlisted-qtsp", "qtsp_invalid"],
  ["chain-revoked-issuer", "certificate_revoked"],
])("%s is refused with %s", async (certificate, code) => {
  const answer = await create(codeRequest(), certificate);
  expect([answer.status, codesOf(answer)]).toEqual([401, [code]]);
});

test("every wrong parameter is told at once, before the certificate is looked at", async () => {
  const answer = await call("POST", PATH, {
    body: {
      client_request_query_parameters: { response_type: "token", redirect_uri: "http://psp.example", scope: 8 },
    },
  });
  expect(answer.status).toBe(400);
  expect(codesOf(answer)).toEqual([
    "account_id_missing",
    "response_type_invalid",
    "redirect_uri_invalid",
    "scope_invalid",
  ]);
});
