/** The forms of version 1.6, where LEGACY_1_6 is "true": their shapes, and that they grant what 1.7 grants, no more. */

import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { FORMS_OF_1_6 } from "../../../../src/routes/v1_6/endpoints.ts";
import { ALL_TRUE } from "../../../all-true.ts";
import {
  type Answer,
  type Call,
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
import { countRoundTrips } from "../../bindings.ts";
import { issueUnnamedCertificate } from "../../mistakes/unnamed-certificate.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../../sandbox.ts";

const OPEN = { ...env, LEGACY_1_6: "true" };
const AMBER = "PSDXX-TEST-000001";
const ACCOUNTS = "Account information services";
const PAYMENTS = "Payment initiation services";

let ccg: { accounts: string; payments: string; otherFi: string };
beforeAll(async () => {
  await loadSandbox();
  ccg = {
    accounts: await obtainCcgToken("accounts"),
    payments: await obtainCcgToken("payments"),
    otherFi: await obtainCcgToken("accounts", "scenario-1", OTHER_FI),
  };
});
afterEach(() => void vi.useRealTimers());

/** As a caller of 1.6: no header `version`. */
const older = (method: string, path: string, { headers, ...more }: Call = {}): Promise<Answer> =>
  call(method, path, { env: OPEN, ...more, headers: { version: undefined, ...headers } });
const ask = (eIDAS: string, more: object = {}) => ({ eIDAS, scope: ACCOUNTS, tpp_id: AMBER, psd2_role: "8", ...more });

describe("the answers of 1.6", () => {
  test.each([
    ["accounts", ACCOUNTS, "8"],
    ["payments", PAYMENTS, "7"],
  ] as const)("a CCG token for %s", async (scope, words, psd2_role) => {
    const body = ask(eidasHeader("scenario-1"), { scope: words, psd2_role });
    const answer = await older("POST", "/v1/obie/ccg_token", { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...{ tpp_id: AMBER, access_token: expect.any(String), expires_in: 3600, token_type: "bearer" },
      ...{ scope: words, psd2_role, active: true },
    });
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    // it is a CCG token of 1.7, for the scope that was asked for
    const record = await call("POST", "/v1/obie/authorization_codes", {
      headers: { ccg_token: answer.body.access_token },
      body: obieCodeRequest("no-consent", { scope }),
    });
    expect(codesOf(record)).toEqual(["consent_denied"]);
  });

  test.each<[string, object, Record<string, string>]>([
    ["the certificate in the header", { scope: ACCOUNTS }, { "x-eidas": eidasHeader("scenario-1") }],
    ["the role without a scope", { eIDAS: eidasHeader("scenario-1"), psd2_role: "8" }, {}],
    ["the role as a number", { eIDAS: eidasHeader("scenario-1"), psd2_role: 8 }, {}],
    ["neither tpp_id nor role", { eIDAS: eidasHeader("scenario-1"), scope: ACCOUNTS }, {}],
    ["another spelling of the number", ask(eidasHeader("scenario-1"), { tpp_id: "psdxx_test_000001" }), {}],
  ])("a CCG token, with %s", async (_, body, headers) => {
    const answer = await older("POST", "/v1/obie/ccg_token", { body, headers });
    expect([answer.status, answer.body.scope]).toEqual([201, ACCOUNTS]);
  });

  test("a PSP without the service gets its CCG token without a warning, and no code, as in 1.7", async () => {
    const eIDAS = eidasHeader("accounts-only");
    const body = { eIDAS, scope: PAYMENTS, psd2_role: "7" };
    const answer = await older("POST", "/v1/obie/ccg_token", { body });
    expect([answer.status, "warning" in answer.body]).toEqual([201, false]);
    const denied = await older("POST", "/v1/obie/authorization_code", {
      headers: { "x-ccg-token": answer.body.access_token },
      body: obieCodeRequest("x", { scope: PAYMENTS }),
    });
    expect([denied.status, codesOf(denied)]).toEqual([403, ["payment_service_invalid"]]);
    expect(denied.body.data.redirect_uri.parameters.error).toBe("invalid_scope");
  });

  test("a code, its token and the token's information", async () => {
    const headers = { "x-ccg-token": ccg.accounts };
    const claims = { tpp_id: AMBER, psd2_role: "8" };
    const consent = await createAccountConsent(ccg.accounts);
    const code = await older("POST", "/v1/obie/authorization_code", {
      headers,
      body: { ...obieCodeRequest(consent, { scope: ACCOUNTS }), ...claims },
    });
    expect(code.status).toBe(201);
    const { parameters } = code.body.data.redirect_uri;
    expect(code.body.data.redirect_uri).toEqual({
      base_uri: REDIRECT_URI,
      parameters: { code: expect.any(String), state: "af0ifjsldkj" },
      full_uri: `${REDIRECT_URI}?code=${parameters.code}&state=af0ifjsldkj`,
    });
    const token = await older("POST", "/v1/obie/token", {
      headers,
      body: { auth_code: parameters.code, redirect_uri: REDIRECT_URI, ...claims },
    });
    expect([token.status, Object.keys(token.body.data)]).toEqual([
      201,
      ["access_token", "expires_in", "token_type", "state"],
    ]);
    const information = await older("GET", `/v1/obie/token/${token.body.data.access_token}`, { headers });
    expect([information.status, information.body.data]).toMatchObject([200, { active: true, token_type: "bearer" }]);
  });

  const check = (name: string, query = "") =>
    older("GET", `/v1/tpp/eidas${query}`, { headers: { "x-eidas": eidasHeader(name) } });
  test("the TPP check: the home register, one entry for each category", async () => {
    const answer = await check("scenario-1");
    const NCA = { name: "Test Authority of XX" };
    const TPP = { authorized: "Authorised", legalName: "Amber Payments Ltd", commercialNames: [] };
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        data: {
          eIDAS: {
            data: {
              validity: ALL_TRUE,
              values: { QTSP: "Sandbox QTSP", authNumber: AMBER, legalName: "Amber Payments Ltd" },
            },
          },
          registerEntries: {
            data: [
              { TPP: { ...TPP, roles: [8] }, NCA },
              { TPP: { ...TPP, roles: [7] }, NCA },
            ],
          },
        },
      },
    ]);
  });

  test("the TPP check: a status that 1.6 did not have is Unauthorised, and a warning says so", async () => {
    const { registerEntries } = (await check("scenario-8")).body.data;
    expect(registerEntries.data.length).toBeGreaterThan(0);
    for (const { TPP } of registerEntries.data) expect(TPP.authorized).toBe("Unauthorised");
    expect(registerEntries.warning).toContainEqual(expect.stringContaining("stands for the status Withdrawn"));
  });

  test("the TPP check: with a jurisdiction the host's entries follow, and warnings say what is passported", async () => {
    const { registerEntries } = (await check("scenario-9", "?jurisdiction=xy")).body.data;
    const now = (await call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers: { eidas: eidasHeader("scenario-9") } }))
      .body;
    const categories = [...now.homeRegister.categoryEntries, ...now.hostRegister.categoryEntries];
    expect(registerEntries.data).toHaveLength(categories.length);
    expect(registerEntries.data.at(-1)).toMatchObject({ TPP: { roles: [] }, NCA: { name: now.hostRegister.ncaName } });
    expect(registerEntries.warning).toContainEqual(expect.stringMatching(/: services passported to XY: /));
    expect((await check("scenario-1", "?jurisdiction=eu")).status).toBe(404);
  });

  test("the TPP check: a PSP that is in no register has no entries, and the reason", async () => {
    const { eIDAS, registerEntries } = (await check("scenario-7")).body.data;
    expect([eIDAS.data.validity, registerEntries.data]).toEqual([ALL_TRUE, []]);
    expect(registerEntries.warning[0]).toMatch(/^could not find a register entry for PSP /);
  });
});

/** An older request, and that of its successor: both are refused. */
interface Refusal {
  readonly older: () => Promise<Answer>;
  readonly now: () => Promise<Answer>;
}
const CCG = ["/v1/obie/ccg_token", "/v1/obie/ccg_tokens"] as const;
const CODE = ["/v1/obie/authorization_code", "/v1/obie/authorization_codes"] as const;
const TOKEN = ["/v1/obie/token", "/v1/obie/tokens"] as const;
type Pair = readonly [string, string];
const post = ([before, now]: Pair, body: unknown, ccgToken?: () => string, more: Call = {}): Refusal => ({
  older: () => older("POST", before, { ...more, headers: { "x-ccg-token": ccgToken?.(), ...more.headers }, body }),
  now: () => call("POST", now, { ...more, headers: { ccg_token: ccgToken?.(), ...more.headers }, body }),
});
const withCertificate = (eIDAS: string): Refusal => ({
  older: () => older("POST", CCG[0], { body: ask(eIDAS, { tpp_id: undefined }) }),
  now: () => call("POST", CCG[1], { body: { eIDAS, scope: "accounts" } }),
});
const checkOf = (eidas: string | undefined, more: Call = {}): Refusal => ({
  older: () => older("GET", "/v1/tpp/eidas", { ...more, headers: { "x-eidas": eidas, ...more.headers } }),
  now: () => call("GET", "/v1/psp/eidas?jurisdiction=xx", { ...more, headers: { eidas, ...more.headers } }),
});
const information = (token: () => string, ccgToken: () => string | undefined): Refusal => ({
  older: () => older("GET", `/v1/obie/token/${token()}`, { headers: { "x-ccg-token": ccgToken() } }),
  now: () => call("GET", `/v1/obie/tokens/${token()}`, { headers: { ccg_token: ccgToken() } }),
});
const accounts = () => ccg.accounts;
const forged = () => ccg.accounts.replace(/\..../, ".xxxx");
const exchange = { auth_code: `${"0".repeat(64)}.${"A".repeat(43)}`, redirect_uri: REDIRECT_URI };
const wrongSecret = { Authorization: `Basic ${btoa("sandbox-fi:wrong")}` };
const empty = { headers: { "Content-Type": "text/plain" } };

const REFUSALS: readonly (readonly [what: string, refusal: Refusal, status: number, code: string])[] = [
  ["no credentials", post(CCG, {}, undefined, { headers: { Authorization: undefined } }), 401, "credentials_missing"],
  ["a wrong secret", post(TOKEN, exchange, accounts, { headers: wrongSecret }), 401, "credentials_invalid"],
  [
    "another's reference",
    checkOf("x", { headers: { fi_reference_id: "PSDXX-TEST-FI0002" } }),
    401,
    "fi_reference_id_invalid",
  ],
  ["no reference", checkOf("x", { headers: { fi_reference_id: undefined } }), 401, "fi_reference_id_missing"],
  ["a wrong content type", post(CODE, {}, accounts, empty), 400, "content_type_invalid"],
  ["a body that is no JSON", post(CCG, "{"), 400, "body_malformed"],
  ["a body that is too large", post(TOKEN, { a: "x".repeat(65_537) }, accounts), 400, "body_too_large"],
  ["a list as the body", post(CODE, [], accounts), 400, "body_malformed"],
  ["no certificate in the body", post(CCG, { scope: "accounts" }), 400, "certificate_missing"],
  ["an unreadable one", withCertificate("!!!"), 400, "certificate_unreadable"],
  [
    "an unknown scope of a CCG token",
    post(CCG, { eIDAS: eidasHeader("scenario-1"), scope: "openid" }),
    400,
    "scope_invalid",
  ],
  ["no scope", post(CCG, { eIDAS: eidasHeader("scenario-1") }), 400, "scope_missing"],
  ["a revoked certificate", withCertificate(eidasHeader("scenario-5")), 401, "certificate_revoked"],
  ["an expired certificate", withCertificate(eidasHeader("scenario-4")), 401, "certificate_expired"],
  ["a QTSP that is not listed", withCertificate(eidasHeader("unlisted-qtsp")), 401, "qtsp_invalid"],
  ["no certificate in the check's header", checkOf(undefined), 404, "certificate_missing"],
  ["an unreadable one there", checkOf("!!!"), 404, "certificate_unreadable"],
  ["no CCG token", post(CODE, obieCodeRequest("x")), 401, "ccg_token_missing"],
  ["a forged CCG token", post(TOKEN, exchange, forged), 401, "ccg_token_invalid"],
  ["another FI's CCG token", post(CODE, obieCodeRequest("x"), () => ccg.otherFi), 401, "ccg_token_invalid"],
  ["no consent_id", post(CODE, obieCodeRequest("x", { consent_id: undefined }), accounts), 400, "consent_id_missing"],
  [
    "a redirect URI without TLS",
    post(CODE, obieCodeRequest("x", { redirect_uri: "http://a.example" }), accounts),
    400,
    "redirect_uri_invalid",
  ],
  ["a consent of nobody", post(CODE, obieCodeRequest("x"), accounts), 403, "consent_denied"],
  [
    "an unknown scope of a code",
    post(CODE, obieCodeRequest("x", { scope: "openid" }), accounts),
    403,
    "payment_service_invalid",
  ],
  [
    "the scope of another CCG token",
    post(CODE, obieCodeRequest("x", { scope: "payments" }), accounts),
    403,
    "payment_service_invalid",
  ],
  ["a code of nobody", post(TOKEN, exchange, accounts), 403, "code_unknown"],
  ["no code", post(TOKEN, { redirect_uri: REDIRECT_URI }, accounts), 400, "auth_code_missing"],
  ["a token of nobody", information(() => "nothing", accounts), 404, "token_not_found"],
  [
    "information without a CCG token",
    information(
      () => "nothing",
      () => undefined,
    ),
    401,
    "ccg_token_missing",
  ],
];

describe("what 1.7 refuses is refused with the same status, code and headers", () => {
  test.each(REFUSALS)("%s", async (_, refusal, status, code) => {
    const [before, now] = [await refusal.older(), await refusal.now()];
    expect([before.status, codesOf(before)[0]]).toEqual([status, code]);
    expect([now.status, codesOf(now)]).toEqual([before.status, codesOf(before)]);
    const NEW = ["deprecation", "sunset", "link"];
    const names = (answer: Answer) => [...answer.headers.keys()].filter((name) => !NEW.includes(name));
    expect(names(before)).toEqual(names(now));
    expect(before.headers.get("Cache-Control")).toBe("no-store");
    expect(before.headers.get("Deprecation")).toMatch(/^@\d+$/);
  });

  test("a certificate without an authorisation number", async () => {
    const refusal = withCertificate(await issueUnnamedCertificate());
    const [before, now] = [await refusal.older(), await refusal.now()];
    expect([before.status, codesOf(before)]).toEqual([401, ["certificate_authorisation_number_missing"]]);
    expect([now.status, codesOf(now)]).toEqual([before.status, codesOf(before)]);
  });

  test("an expired CCG token, and a code that was used or is of another PSP", async () => {
    const body = {
      auth_code: await obtainObieCode(ccg.accounts, await createAccountConsent(ccg.accounts)),
      redirect_uri: REDIRECT_URI,
    };
    const stranger = await obtainCcgToken("accounts", "scenario-9");
    const attempt = async (token: string) => older("POST", TOKEN[0], { headers: { "x-ccg-token": token }, body });
    expect((await attempt(stranger)).status).toBe(403);
    expect((await attempt(ccg.accounts)).status).toBe(201);
    expect((await attempt(ccg.accounts)).status).toBe(403);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
    const expired = await attempt(ccg.accounts);
    expect([expired.status, codesOf(expired)]).toEqual([401, ["ccg_token_expired"]]);
  });

  test("another FI and another PSP see no token", async () => {
    const token = await obtainObieToken(ccg.accounts, await createAccountConsent(ccg.accounts));
    const path = `/v1/obie/token/${token}`;
    const otherPsp = await obtainCcgToken("accounts", "scenario-9");
    expect((await older("GET", path, { headers: { "x-ccg-token": otherPsp } })).status).toBe(404);
    const headers = { ...OTHER_FI, version: undefined, "x-ccg-token": ccg.otherFi };
    expect((await older("GET", path, { headers })).status).toBe(404);
    expect((await older("GET", path, { headers: { "x-ccg-token": ccg.accounts } })).status).toBe(200);
  });
});

describe("a body that contradicts its credential", () => {
  const code = (more: object) =>
    older("POST", CODE[0], {
      headers: { "x-ccg-token": ccg.accounts },
      body: { ...obieCodeRequest("x", { scope: ACCOUNTS }), ...more },
    });
  const token = (more: object) =>
    older("POST", TOKEN[0], { headers: { "x-ccg-token": ccg.accounts }, body: { ...exchange, ...more } });
  const other = { tpp_id: "PSDXX-TEST-000002" };
  test.each<[string, () => Promise<Answer>, string, RegExp]>([
    [
      "another PSP than the certificate",
      () => older("POST", CCG[0], { body: ask(eidasHeader("scenario-1"), other) }),
      "tpp_id_invalid",
      /^tpp_id is "PSDXX-TEST-000002", but the certificate is of PSP PSDXX-TEST-000001$/,
    ],
    ["another PSP than the CCG token, for a code", () => code(other), "tpp_id_invalid", /^tpp_id is /],
    ["another PSP than the CCG token, for a token", () => token(other), "tpp_id_invalid", /^tpp_id is /],
    [
      "another role than the CCG token, for a token",
      () => token({ psd2_role: "7" }),
      "psd2_role_invalid",
      /^psd2_role is not that of x-ccg-token: 8$/,
    ],
    [
      "a role beside another scope",
      () => code({ psd2_role: "7" }),
      "psd2_role_invalid",
      /^psd2_role contradicts the scope, which is "Account information services"$/,
    ],
    [
      "a role that is none",
      () => code({ psd2_role: "PSP_AI" }),
      "psd2_role_invalid",
      /^psd2_role is "PSP_AI", not 7 or 8$/,
    ],
    [
      "two certificates",
      () =>
        older("POST", CCG[0], {
          headers: { "x-eidas": eidasHeader("scenario-2") },
          body: ask(eidasHeader("scenario-1")),
        }),
      "certificate_unreadable",
      /^eIDAS and Header x-eidas are different: send the certificate once$/,
    ],
  ])("%s is refused", async (_, ask, problem, title) => {
    const answer = await ask();
    expect([answer.status, codesOf(answer)]).toEqual([400, [problem]]);
    expect(answer.body.errors[0].title).toMatch(title);
    expect(answer.body).not.toHaveProperty("access_token");
  });

  test("a contradiction does not use up a code", async () => {
    const auth_code = await obtainObieCode(ccg.accounts, await createAccountConsent(ccg.accounts));
    expect((await token({ auth_code, ...other })).status).toBe(400);
    expect((await token({ auth_code, tpp_id: AMBER })).status).toBe(201);
  });
});

describe("names", () => {
  test("the present headers are not read at the older paths, nor the older ones at the present", async () => {
    const eidas = eidasHeader("scenario-1");
    const answer = await older("GET", "/v1/tpp/eidas", { headers: { eidas } });
    expect([answer.status, answer.body.errors[0].title]).toEqual([
      404,
      "Header x-eidas is missing: eidas is its name since version 1.7, and this path is of 1.6",
    ]);
    const code = await older("POST", CODE[0], { headers: { ccg_token: ccg.accounts }, body: obieCodeRequest("x") });
    expect([code.status, code.body.errors[0].title]).toEqual([
      401,
      "Header x-ccg-token is missing: ccg_token is its name since version 1.7, and this path is of 1.6",
    ]);
    const now = await call("POST", CODE[1], {
      env: OPEN,
      headers: { "x-ccg-token": ccg.accounts },
      body: obieCodeRequest("x"),
    });
    expect([now.status, codesOf(now)]).toEqual([401, ["ccg_token_missing"]]);
    expect(now.headers.has("Deprecation")).toBe(false);
  });

  test("a present header beside the older one does not count", async () => {
    const headers = { "x-ccg-token": ccg.otherFi, ccg_token: ccg.accounts };
    const answer = await older("POST", CODE[0], { headers, body: obieCodeRequest("x") });
    expect([answer.status, codesOf(answer)]).toEqual([401, ["ccg_token_invalid"]]);
  });

  test("a header version is ignored: the fields are those of version 1", async () => {
    const headers = { "x-eidas": eidasHeader("scenario-1"), version: "latest" };
    const answer = await older("GET", "/v1/tpp/eidas", { headers });
    expect(JSON.stringify(answer.body)).not.toMatch(/decision|evidence|warning_codes/);
  });

  test("an error names the scopes of 1.6", async () => {
    const answer = await older("POST", CCG[0], { body: ask(eidasHeader("scenario-1"), { scope: "openid" }) });
    expect(answer.body.errors[0].title).toBe(
      'scope is "openid", not Payment initiation services or Account information services',
    );
  });
});

test.each([...FORMS_OF_1_6])(
  "$method $path: what replaces it, since when and until when",
  async ({ method, path, successor }) => {
    const answer = await older(method, path.replace("{token}", "s3cret"), { body: method === "POST" ? {} : undefined });
    expect(answer.headers.get("Deprecation")).toBe("@1795305600");
    expect(answer.headers.get("Sunset")).toBe("Tue, 30 Nov 2027 23:59:59 GMT");
    expect(answer.headers.get("Link")).toBe(
      `<http://service.test${successor}>; rel="successor-version", ` +
        '<http://service.test/docs/versions#moving-from-1-6>; rel="deprecation"; type="text/html"',
    );
    const closed = await call(method, path.replace("{token}", "s3cret"), { body: method === "POST" ? {} : undefined });
    expect([closed.status, codesOf(closed), closed.headers.has("Deprecation")]).toEqual([
      404,
      ["path_not_found"],
      false,
    ]);
  },
);

test.each(["", "2027-13-45", "soon"])("a day of sunset that is none is left out: %j", async (LEGACY_1_6_SUNSET) => {
  const answer = await older("GET", "/v1/tpp/eidas", { env: { ...OPEN, LEGACY_1_6_SUNSET } });
  expect([answer.headers.has("Sunset"), answer.headers.has("Deprecation")]).toEqual([false, true]);
});

test("the log line has the older route, and that it is legacy", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await older("GET", "/v1/obie/token/s3cret", { headers: { "x-ccg-token": ccg.accounts } });
  await older("GET", "/v1/tpp/eidas", {
    headers: { "CF-Connecting-IP": "192.0.2.99" },
    env: { ...OPEN, RATE_LIMIT_REQUESTS: 0 },
  });
  await call("GET", "/v1/obie/tokens/s3cret", { headers: { ccg_token: ccg.accounts }, env: OPEN });
  const lines = log.mock.calls.map(([line]) => JSON.parse(String(line)));
  log.mockRestore();
  expect(lines.map(({ route, legacy, status, psp }) => ({ route, legacy, status, psp }))).toEqual([
    { route: "/v1/obie/token/{token}", legacy: true, status: 404, psp: AMBER },
    { route: "/v1/tpp/eidas", legacy: true, status: 429, psp: null },
    { route: "/v1/obie/tokens/{token}", status: 404, psp: AMBER },
  ]);
});

describe("round trips are those of the successors", () => {
  const count = async (request: (step: { env: Cloudflare.Env }) => Promise<Answer>) => {
    const { env: counted, trips } = countRoundTrips(OPEN);
    const { status } = await request({ env: counted });
    return { status, rounds: trips.rounds, calls: [...trips.calls].sort() };
  };
  const CODES = "AUTHORIZATION_CODE";
  const headers = () => ({ "x-ccg-token": ccg.accounts });
  test("a CCG token and a check of a seen certificate: none; a code and a token two; information one", async () => {
    const body = ask(eidasHeader("scenario-1"));
    const check = { headers: { "x-eidas": eidasHeader("scenario-1") } };
    await older("POST", CCG[0], { body });
    await older("GET", "/v1/tpp/eidas", check);
    expect(await count((step) => older("POST", CCG[0], { ...step, body }))).toEqual({
      status: 201,
      rounds: 0,
      calls: [],
    });
    expect(await count((step) => older("GET", "/v1/tpp/eidas", { ...step, ...check }))).toEqual({
      status: 200,
      rounds: 0,
      calls: [],
    });
    const request = obieCodeRequest(await createAccountConsent(ccg.accounts), { scope: ACCOUNTS });
    const both = { status: 201, rounds: 2, calls: [CODES, "DB"] };
    expect(await count((step) => older("POST", CODE[0], { ...step, headers: headers(), body: request }))).toEqual(both);
    const auth_code = await obtainObieCode(ccg.accounts, await createAccountConsent(ccg.accounts));
    const redeem = { auth_code, redirect_uri: REDIRECT_URI };
    expect(await count((step) => older("POST", TOKEN[0], { ...step, headers: headers(), body: redeem }))).toEqual(both);
    const token = await obtainObieToken(ccg.accounts, await createAccountConsent(ccg.accounts));
    expect(await count((step) => older("GET", `/v1/obie/token/${token}`, { ...step, headers: headers() }))).toEqual({
      ...{ status: 200, rounds: 1, calls: ["DB"] },
    });
  });

  test("a cold isolate reads ahead while it looks up the caller", async () => {
    const Authorization = SANDBOX_FI.Authorization.replace("Basic ", "BaSiC ");
    const cold = { Authorization, "x-eidas": eidasHeader("scenario-10") };
    expect(await count((step) => older("GET", "/v1/tpp/eidas", { ...step, headers: cold }))).toMatchObject({
      status: 200,
      rounds: 1,
    });
  });
});

test("a payment order is paid for once at the older paths, too", async () => {
  const consent = await createPaymentConsent(ccg.payments);
  const headers = { "x-ccg-token": ccg.payments };
  const body = { ...obieCodeRequest(consent, { scope: PAYMENTS }), psd2_role: "7" };
  const code = await older("POST", CODE[0], { headers, body });
  const redeem = { auth_code: code.body.data.redirect_uri.parameters.code, redirect_uri: REDIRECT_URI };
  expect((await older("POST", TOKEN[0], { headers, body: redeem })).status).toBe(201);
  expect((await older("POST", CODE[0], { headers, body })).status).toBe(403);
});
