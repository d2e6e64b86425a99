/**
 * The log line of every kind of answer, at every endpoint: what it says is what was answered, of whom and why, and
 * nothing that is secret is in it. The refusals before its handler are tried by themselves.
 */
import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { ENDPOINTS, findEndpoints } from "../../../src/http/endpoints.ts";
import { VERSION } from "../../../src/platform/version.ts";
import {
  type Answer,
  type Call,
  call,
  codeRequest,
  createAccountConsent,
  createPaymentConsent,
  obieCodeRequest,
  obtainCcgToken,
  obtainObieToken,
  obtainToken,
} from "../bank.ts";
import { unreachableLedger } from "../evidence/ledger/unreachable-ledger.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { prepareGranted } from "../granted.ts";
import { issueUnnamedCertificate } from "../mistakes/unnamed-certificate.ts";
import { type Change, sampleOf, send } from "../samples.ts";
import { eidasHeader, loadSandbox, OTHER_FI, SANDBOX_FI } from "../sandbox.ts";

const ENDPOINT_NAMES = ENDPOINTS.map(({ method, path }) => `${method} ${path}`);
const AMBER = "PSDXX-TEST-000001";
const ELM = "PSDXX-TEST-000005";
const KELP = "PSDXX-TEST-000011";
const ACCOUNT = "account-that-no-line-names";
const BLOCKED = `${ACCOUNT}-blocked`;
const TOO_LONG = ACCOUNT.repeat(20);
const YES = { verdicts: [], decision: { payments: true, accounts: true } };
const REVOKED = { verdicts: ["notRevoked"], decision: { payments: false, accounts: false } };

let own: {
  accounts: string;
  payments: string;
  consent: string;
  order: string;
  token: string;
  obieToken: string;
};
let unnamed: string;
let log: MockInstance;
beforeAll(async () => {
  await loadSandbox();
  const [accounts, payments] = [await obtainCcgToken("accounts"), await obtainCcgToken("payments")];
  const consent = await createAccountConsent(accounts);
  own = {
    ...{ accounts, payments, consent, order: await createPaymentConsent(payments) },
    token: await obtainToken(ACCOUNT),
    obieToken: await obtainObieToken(accounts, consent, { psu_account_id: ACCOUNT }),
  };
  await call("PUT", `/v1/accounts/${BLOCKED}/block`, { body: { scopes: ["accounts"] } });
  unnamed = await issueUnnamedCertificate();
});
beforeEach(() => {
  log = vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => void vi.useRealTimers());

const REFERENCE = { transaction_reference: "payment 4711/~" };
const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Said {
  readonly transaction_reference?: null;
  readonly [field: string]: unknown;
}

/** The one line of a request; only `said` differs from that of a request that was granted without a PSP. */
function expectLine(endpoint: string, answer: Answer, said: Said): void {
  const [method, path] = endpoint.split(" ");
  const id = answer.headers.get("x-request-id") ?? "no id";
  const [line = "", ...more] = log.mock.calls.map(([text]) => String(text)).filter((text) => text.includes(id));
  expect(more).toEqual([]);
  expect(JSON.parse(line)).toEqual({
    time: expect.stringMatching(ISO_INSTANT),
    ...{ request_id: id, evidence_id: answer.headers.get("x-evidence-id"), version: VERSION },
    ...{ method, route: path, status: answer.status, ms: expect.any(Number) },
    ...{ fi: "PSDXX-TEST-FI0001", client: "sandbox-fi", psp: null, jurisdiction: null },
    ...{ transaction_reference: REFERENCE.transaction_reference, outcome: answer.body?.errors?.[0].code ?? "ok" },
    ...said,
  });
  const { token, obieToken, accounts, payments, consent, order } = own;
  const given = [token, obieToken, accounts, payments, consent, order, ACCOUNT];
  const secrets = [...given, "sandbox-secret", "a-secret-state", "af0ifjsldkj"];
  for (const secret of [...secrets, SANDBOX_FI.Authorization.slice(6), eidasHeader("scenario-1").slice(200, 260)])
    expect(line).not.toContain(secret);
  const returned = said.transaction_reference === null ? null : REFERENCE.transaction_reference;
  expect(answer.headers.get("transaction_reference")).toBe(returned);
}

const ask = (method: string, path: string, { headers, ...more }: Call = {}) =>
  call(method, path, { ...more, headers: { ...REFERENCE, ...headers } });
const EIDAS = { eidas: eidasHeader("scenario-1") };
const accounts = () => ({ ccg_token: own.accounts });
const payments = () => ({ ccg_token: own.payments });

/** What the line says of a request that is granted, and what is asked in the place of the usual. Of those without a row nothing. */
const SUCCESSES: Readonly<Record<string, { readonly said: Said; readonly change?: Change }>> = {
  "POST /v1/oauth2/authorization_codes": {
    said: { psp: AMBER, ...YES },
    change: { body: codeRequest({ state: "a-secret-state" }, ACCOUNT) },
  },
  "POST /v1/oauth2/tokens": { said: { psp: AMBER, ...YES } },
  "POST /v1/obie/ccg_tokens": { said: { psp: AMBER, ...YES } },
  "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": { said: { psp: AMBER } },
  "GET /v1/access": { said: { psp: AMBER, ...YES } },
  "POST /v1/introspect": { said: { psp: AMBER, ...YES }, change: { headers: EIDAS } },
  "POST /v1/psp/signatures": {
    said: { jurisdiction: "XX", outcome: "signature_missing" },
    change: { body: { method: "GET", target: "/v1/accounts/a-secret-state", headers: {}, jurisdiction: "XX" } },
  },
  "POST /v1/psp/checks": {
    change: {
      body: {
        checks: [
          { id: "a-secret-state", eIDAS: eidasHeader("scenario-1"), jurisdictions: ["XX", "fi", "eu"] },
          { eIDAS: eidasHeader("scenario-5"), jurisdictions: ["XX"] },
          { eIDAS: "!!!", jurisdictions: ["XX"] },
        ],
      },
    },
    said: {
      checks: {
        ...{ asked: 3, results: 3, refused: 2, postponed: 0 },
        each: [
          {
            ...{ psp: AMBER, outcome: "ok", verdicts: [], jurisdictions: ["XX", "FI"] },
            ...{ payments: ["XX"], accounts: ["XX"] },
          },
          {
            ...{ psp: ELM, outcome: "certificate_revoked", verdicts: ["notRevoked"], jurisdictions: ["XX"] },
            ...{ payments: [], accounts: [] },
          },
          { outcome: "certificate_unreadable" },
        ],
      },
    },
  },
  "GET /v1/psp/eidas": {
    said: { psp: AMBER, jurisdiction: "XY", ...YES },
    change: { query: "?jurisdiction=xy" },
  },
};
/** A token and what a CCG token is for are a PSP's. */
const saidOf = (endpoint: string): Said =>
  SUCCESSES[endpoint]?.said ??
  (sampleOf(endpoint).credential === "ccg_token" || endpoint.endsWith("{token}") ? { psp: AMBER } : {});

test.each(ENDPOINT_NAMES)("%s that is granted", async (endpoint) => {
  const ask = await prepareGranted(endpoint, { account: `${ACCOUNT}-granted` });
  const { headers, ...change } = SUCCESSES[endpoint]?.change ?? {};
  const answer = await ask({ ...change, headers: { ...REFERENCE, ...headers } });
  expect(answer.status).toBeLessThan(300);
  expectLine(endpoint, answer, saidOf(endpoint));
});

/** Right, and in a spelling that the isolate has not seen. */
let spellings = 0;
const newToTheIsolate = () => ({
  Authorization: SANDBOX_FI.Authorization.replace("Basic ", `Basic${" ".repeat(++spellings + 1)}`),
});
const noDatabase = { ...env, DB: failingDatabase(env.DB, () => true, "before") };
const defective = Object.defineProperty({ ...env }, "DB", {
  get: () => {
    throw new TypeError("a defect");
  },
});
const malformed = (endpoint: string) =>
  findEndpoints(endpoint.split(" ")[1] ?? "").some(
    ({ method, statuses }) => endpoint.startsWith(`${method} `) && statuses.includes(400),
  )
    ? 400
    : 404;

describe.each(ENDPOINT_NAMES)("%s that is refused before its handler", (endpoint) => {
  const refusals: [what: string, Change, status: number, said: Said][] = [
    [
      "for its secret",
      { headers: { Authorization: `Basic ${btoa("sandbox-fi:sandbox-secret-2")}` } },
      401,
      { fi: null, client: null, outcome: "credentials_invalid" },
    ],
    [
      "for another's fi_reference_id",
      { headers: { fi_reference_id: OTHER_FI.fi_reference_id } },
      401,
      { fi: null, client: "sandbox-fi", outcome: "fi_reference_id_invalid" },
    ],
    ["for its version", { headers: { version: "2" } }, malformed(endpoint), { outcome: "version_invalid" }],
    [
      "for its transaction_reference",
      { headers: { transaction_reference: "\u00e9" } },
      malformed(endpoint),
      { transaction_reference: null, outcome: "transaction_reference_invalid" },
    ],
    [
      "by the rate limit",
      { headers: { "CF-Connecting-IP": "192.0.2.232" }, env: { ...env, RATE_LIMIT_REQUESTS: 0 } },
      429,
      { fi: null, client: null, outcome: "rate_limit_exceeded" },
    ],
    [
      "by a store that fails",
      { headers: newToTheIsolate(), env: noDatabase },
      503,
      { fi: null, client: null, outcome: "temporarily_unavailable" },
    ],
    [
      "by a defect",
      { headers: newToTheIsolate(), env: defective },
      500,
      { fi: null, client: null, outcome: "internal_error" },
    ],
  ];
  test.each(refusals)("%s", async (_, change, status, said) => {
    const answer = await send(endpoint, { ...change, headers: { ...REFERENCE, ...change?.headers } });
    expect(answer.status).toBe(status);
    expectLine(endpoint, answer, said);
  });

  test("for its method", async () => {
    const path = endpoint.split(" ")[1] ?? "";
    const answer = await ask("PATCH", path.replaceAll(/\{\w+\}/g, "something"));
    expect(answer.status).toBe(405);
    expectLine(`PATCH ${path}`, answer, { fi: null, client: null, outcome: "method_not_allowed" });
  });
});

test("an unknown path has no route", async () => {
  const answer = await ask("GET", `/v1/oauth2/token/${own.token}`);
  expect(answer.status).toBe(404);
  expectLine("GET /", answer, { route: null, fi: null, client: null, outcome: "path_not_found" });
});

describe("a PSP that is refused", () => {
  const needs = (credential: string) => ENDPOINT_NAMES.filter((name) => sampleOf(name).credential === credential);
  // the one answers any certificate, the other judges the token before it (routes/access.test.ts)
  const judging = ["GET /v1/psp/eidas", "GET /v1/access"];
  const byHeader = needs("eidas").filter((name) => !judging.includes(name));

  test.each(byHeader)("%s: for its certificate", async (endpoint) => {
    const attempt = async (eidas: string | undefined, outcome: string, said: Said) => {
      const answer = await send(endpoint, { headers: { ...REFERENCE, eidas } });
      expect([answer.status, answer.body.errors[0].code]).toEqual([401, outcome]);
      expectLine(endpoint, answer, { outcome, ...said });
    };
    await attempt(undefined, "certificate_missing", {});
    await attempt("!!!", "certificate_unreadable", {});
    await attempt(eidasHeader("scenario-5"), "certificate_revoked", { psp: ELM, ...REVOKED });
    await attempt(eidasHeader("scenario-4"), "certificate_expired", {
      psp: "PSDXX-TEST-000004",
      ...{ ...REVOKED, verdicts: ["validSignature", "notRevoked", "notExpired"] },
    });
    await attempt(unnamed, "certificate_authorisation_number_missing", { ...REVOKED, verdicts: [] });
  });

  test("POST /v1/obie/ccg_tokens: for its certificate", async () => {
    const endpoint = "POST /v1/obie/ccg_tokens";
    const body = { eIDAS: eidasHeader("scenario-5"), scope: "accounts" };
    const answer = await send(endpoint, { headers: REFERENCE, body });
    expect(answer.status).toBe(401);
    expectLine(endpoint, answer, { psp: ELM, ...REVOKED, outcome: "certificate_revoked" });
  });

  test.each(needs("ccg_token"))("%s: for its CCG token", async (endpoint) => {
    const { scope = "accounts" } = sampleOf(endpoint);
    const attempt = async (ccg_token: string | undefined, outcome: string, psp: string | null) => {
      const answer = await send(endpoint, { headers: { ...REFERENCE, ccg_token } });
      expect(answer.status).toBe(401);
      expectLine(endpoint, answer, { outcome, psp });
    };
    await attempt(undefined, "ccg_token_missing", null);
    await attempt(own.token, "ccg_token_invalid", null);
    await attempt(await obtainCcgToken(scope, "scenario-1", OTHER_FI), "ccg_token_invalid", AMBER);
    const old = await obtainCcgToken(scope);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_601_000 });
    await attempt(old, "ccg_token_expired", AMBER);
    vi.useRealTimers();
  });
});

const NOT_PAYMENTS = { psp: KELP, verdicts: [], decision: { payments: false, accounts: true } };
const kelp = { eidas: eidasHeader("accounts-only") };
const OTHER_ACCOUNT = { psu_account_id: "another-account" };
const HANDLER_REFUSALS: [
  endpoint: string,
  what: string,
  Change | (() => Change | Promise<Change>),
  number,
  string,
  Said,
][] = [
  [
    "POST /v1/oauth2/authorization_codes",
    "a redirect record for the scope",
    { headers: kelp, body: codeRequest({ scope: "payments", state: "a-secret-state" }, ACCOUNT) },
    403,
    "payment_service_invalid",
    NOT_PAYMENTS,
  ],
  [
    "POST /v1/oauth2/authorization_codes",
    "a redirect record for an unknown scope",
    { body: codeRequest({ scope: "openid" }, ACCOUNT) },
    403,
    "payment_service_invalid",
    { psp: AMBER, ...YES },
  ],
  [
    "POST /v1/oauth2/authorization_codes",
    "a redirect record for the account's block",
    { body: codeRequest({ state: "a-secret-state" }, BLOCKED) },
    403,
    "account_blocked",
    { psp: AMBER, ...YES },
  ],
  [
    "POST /v1/obie/authorization_codes",
    "a redirect record for the account's block",
    async () => ({
      body: obieCodeRequest(await createAccountConsent(own.accounts), { psu_account_id: BLOCKED }),
    }),
    403,
    "account_blocked",
    { psp: AMBER },
  ],
  ["GET /v1/accounts/{account_id}/permissions", "its status", { query: "?status=x" }, 400, "status_invalid", {}],
  ["DELETE /v1/accounts/{account_id}/permissions", "who withdraws", { query: "?by=x" }, 400, "by_invalid", {}],
  [
    "DELETE /v1/accounts/{account_id}/permissions/{permission_id}",
    "a permission of nobody",
    { segment: ACCOUNT },
    404,
    "permission_not_found",
    {},
  ],
  ["GET /v1/accounts/{account_id}/block", "its account", { segment: TOO_LONG }, 400, "account_id_invalid", {}],
  [
    "GET /v1/audit/head",
    "while its ledger does not answer",
    { env: { ...env, LEDGER: unreachableLedger } },
    503,
    "temporarily_unavailable",
    {},
  ],
  ["GET /v1/audit/records", "its first instant", { query: "?from=yesterday" }, 400, "from_invalid", {}],
  ["GET /v1/audit/head/comparison", "a head that nobody signed", { query: "?head=a.b.c" }, 400, "head_invalid", {}],
  ["GET /v1/audit/records/{evidence_id}", "a record of nobody", {}, 404, "record_not_found", {}],
  ["GET /v1/audit/records/{evidence_id}/documents/{sha256}", "a record of nobody", {}, 404, "record_not_found", {}],
  ["POST /v1/psp/checks", "its list", { body: { checks: [] } }, 400, "checks_invalid", {}],
  ["POST /v1/psp/signatures", "its target", { body: { method: "GET" } }, 400, "target_missing", {}],
  ["PUT /v1/accounts/{account_id}/block", "its scopes", { body: {} }, 400, "scopes_missing", {}],
  ["DELETE /v1/accounts/{account_id}/block", "its account", { segment: TOO_LONG }, 400, "account_id_invalid", {}],
  ["GET /v1/psp/watches", "its cursor", { query: "?cursor=x" }, 400, "cursor_invalid", {}],
  ["PUT /v1/psp/watches/{authorisation_number}", "its PSP", { segment: "x" }, 400, "authorisation_number_invalid", {}],
  [
    "DELETE /v1/psp/watches/{authorisation_number}",
    "its PSP",
    { segment: "x" },
    400,
    "authorisation_number_invalid",
    {},
  ],
  ["GET /v1/events", "its position", { query: "?after=x" }, 400, "after_invalid", {}],
  ["POST /v1/oauth2/authorization_codes", "its parameters", { body: {} }, 400, "account_id_missing", {}],
  ["POST /v1/oauth2/authorization_codes", "its body", { body: "{" }, 400, "body_malformed", {}],
  ["POST /v1/oauth2/tokens", "a code of nobody", {}, 403, "code_unknown", { psp: AMBER, ...YES }],
  [
    "POST /v1/oauth2/tokens",
    "the scope",
    {
      headers: kelp,
      body: { client_request_query_parameters: { grant_type: "client_credentials", scope: "payments" } },
    },
    403,
    "payment_service_invalid",
    NOT_PAYMENTS,
  ],
  ["GET /v1/oauth2/tokens/{token}", "a token of nobody", {}, 404, "token_not_found", {}],
  ["DELETE /v1/oauth2/tokens/{token}", "a token of nobody", {}, 404, "token_not_found", {}],
  [
    "GET /v1/oauth2/account/{account_id}/tokens",
    "its cursor",
    { query: "?cursor=x", segment: ACCOUNT },
    404,
    "cursor_invalid",
    {},
  ],
  ["POST /v1/obie/ccg_tokens", "its parameters", { body: {} }, 400, "certificate_missing", {}],
  [
    "POST /v1/obie/authorization_codes",
    "a redirect record for the consent",
    { body: obieCodeRequest("no-consent", { state: "a-secret-state" }) },
    403,
    "consent_denied",
    { psp: AMBER },
  ],
  [
    "POST /v1/obie/authorization_codes",
    "a redirect record for the account",
    () => ({ body: obieCodeRequest(own.consent, OTHER_ACCOUNT) }),
    403,
    "consent_of_another_account",
    { psp: AMBER },
  ],
  [
    "POST /v1/obie/authorization_codes",
    "a redirect record for the scope",
    () => ({ body: obieCodeRequest(own.consent, { scope: "payments" }) }),
    403,
    "payment_service_invalid",
    { psp: AMBER },
  ],
  ["POST /v1/obie/tokens", "a code of nobody", {}, 403, "code_unknown", { psp: AMBER }],
  ["GET /v1/obie/tokens/{token}", "a token of nobody", {}, 404, "token_not_found", { psp: AMBER }],
  [
    "POST /v1/obie/account_access_consents",
    "the scope",
    () => ({ headers: payments() }),
    403,
    "payment_service_invalid",
    { psp: AMBER },
  ],
  [
    "GET /v1/obie/account_access_consents/{consent_id}",
    "a consent of nobody",
    {},
    404,
    "consent_not_found",
    { psp: AMBER },
  ],
  [
    "GET /v1/obie/account_access_consents/{consent_id}",
    "the scope",
    () => ({ headers: payments() }),
    403,
    "payment_service_invalid",
    { psp: AMBER },
  ],
  [
    "DELETE /v1/obie/account_access_consents/{consent_id}",
    "a consent of nobody",
    {},
    404,
    "consent_not_found",
    { psp: AMBER },
  ],
  [
    "POST /v1/obie/payment_order_consents",
    "the scope",
    () => ({ headers: accounts() }),
    403,
    "payment_service_invalid",
    { psp: AMBER },
  ],
  [
    "GET /v1/obie/payment_order_consents",
    "the scope",
    () => ({ headers: accounts() }),
    403,
    "payment_service_invalid",
    { psp: AMBER },
  ],
  [
    "GET /v1/obie/payment_order_consents/{consent_id}",
    "a consent of nobody",
    {},
    404,
    "consent_not_found",
    { psp: AMBER },
  ],
  ["GET /v1/access", "its parameters", { query: "" }, 400, "scope_missing", {}],
  ["GET /v1/access", "no token", { headers: { access_token: undefined } }, 401, "access_token_missing", {}],
  [
    "GET /v1/access",
    "a scope that the token is not for",
    () => ({ query: "?scope=payments", headers: { access_token: own.obieToken } }),
    403,
    "insufficient_scope",
    { psp: AMBER, ...YES },
  ],
  ["POST /v1/introspect", "its parameters", { body: { token: "" } }, 400, "token_invalid", {}],
  ["POST /v1/introspect", "an empty certificate", { headers: { eidas: "" } }, 400, "certificate_missing", {}],
  [
    "POST /v1/introspect",
    "an unreadable certificate",
    { headers: { eidas: "!!!" } },
    400,
    "certificate_unreadable",
    {},
  ],
  ["GET /v1/psp/eidas", "no jurisdiction", { query: "" }, 404, "jurisdiction_missing", {}],
  [
    "GET /v1/psp/eidas",
    "a jurisdiction that no register is loaded of",
    { query: "?jurisdiction=qm" },
    404,
    "jurisdiction_invalid",
    { psp: AMBER, jurisdiction: "QM", verdicts: [], decision: { payments: false, accounts: false } },
  ],
  [
    "GET /v1/psp/eidas",
    "no certificate",
    { headers: { eidas: undefined } },
    404,
    "certificate_missing",
    { jurisdiction: "XX" },
  ],
  [
    "GET /v1/psp/eidas",
    "an unreadable certificate",
    { headers: { eidas: "!!!" } },
    404,
    "certificate_unreadable",
    { jurisdiction: "XX" },
  ],
];
test.each(HANDLER_REFUSALS)("%s that is refused: %s", async (endpoint, _, given, status, outcome, said) => {
  const change = typeof given === "function" ? await given() : given;
  const answer = await send(endpoint, { ...change, headers: { ...REFERENCE, ...change?.headers } });
  expect([answer.status, answer.body.errors[0].code]).toEqual([status, outcome]);
  expectLine(endpoint, answer, { outcome, ...said });
});
test("every endpoint refuses something of its own", () => {
  const lacking = ENDPOINT_NAMES.filter((name) => !HANDLER_REFUSALS.some(([endpoint]) => endpoint === name));
  expect(lacking).toEqual([]);
});

describe("a token that is not active is so by its line", () => {
  test.each<[string, () => Change, Said]>([
    ["a token of nobody", () => ({}), { outcome: "token_unknown" }],
    [
      "a token that another PSP shows",
      () => ({ headers: kelp, body: { token: own.token } }),
      { ...NOT_PAYMENTS, outcome: "token_of_another_psp" },
    ],
    [
      "a token that is shown with a revoked certificate",
      () => ({ headers: { eidas: eidasHeader("scenario-5") }, body: { token: own.token } }),
      { psp: ELM, ...REVOKED, outcome: "certificate_revoked" },
    ],
  ])("%s", async (_, change, said) => {
    const given = change();
    const answer = await send("POST /v1/introspect", { ...given, headers: { ...REFERENCE, ...given?.headers } });
    expect([answer.status, answer.body]).toEqual([200, { active: false }]);
    expectLine("POST /v1/introspect", answer, said);
  });
});

describe("a PSP check that is answered", () => {
  const NONE = { payments: false, accounts: false };
  const revoking = ["validQTSP", "validSignature", "notRevoked"];
  test.each<[string, () => string, Said]>([
    [
      "a revoked certificate",
      () => eidasHeader("scenario-5"),
      { psp: ELM, outcome: "certificate_revoked", ...REVOKED },
    ],
    [
      "a QTSP that is on no list",
      () => eidasHeader("unlisted-qtsp"),
      { psp: "PSDXX-TEST-000018", outcome: "qtsp_invalid", verdicts: revoking, decision: NONE },
    ],
    [
      "a certificate without a number",
      () => unnamed,
      { outcome: "certificate_authorisation_number_missing", verdicts: [], decision: NONE },
    ],
    ["a withdrawn PSP", () => eidasHeader("scenario-8"), { psp: "PSDXX-TEST-000008", verdicts: [], decision: NONE }],
    ["a PSP for accounts only", () => kelp.eidas, NOT_PAYMENTS],
  ])("%s", async (_, eidas, said) => {
    const answer = await send("GET /v1/psp/eidas", { headers: { ...REFERENCE, eidas: eidas() } });
    expect(answer.status).toBe(200);
    expectLine("GET /v1/psp/eidas", answer, { jurisdiction: "XX", ...said });
  });
});
