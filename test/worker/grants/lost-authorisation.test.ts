/** A PSP that its home register gives a service no longer: no new code or token; what it has stays what it is. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  call,
  codeRequest,
  codesOf,
  createAccountConsent,
  OPEN_ENDED,
  obieCodeRequest,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { importStatus } from "../registers/changed-register.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

const PSP = "PSDXX-TEST-000010";
const EIDAS = { eidas: eidasHeader("scenario-10") };

/** How long isolates remember what they read of a register. */
const REMEMBERED_MS = 30_000;

const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

let before: { token: string; obieToken: string; code: string; obieCode: string; ccg_token: string; consent: string };
beforeAll(async () => {
  await loadSandbox();
  vi.useFakeTimers({ toFake: ["Date"] });
  const ccg_token = await obtainCcgToken("accounts", "scenario-10");
  const consent = await createAccountConsent(ccg_token);
  const [token, obieToken] = [await obtainToken("lost", EIDAS), await obtainObieToken(ccg_token, consent)];
  // the isolate has read the register by now; codes made later are still alive when it has read it twice more
  pass(5_000);
  before = {
    ccg_token,
    consent,
    token,
    obieToken,
    code: await obtainCode("lost", EIDAS),
    obieCode: await obtainObieCode(ccg_token, consent),
  };
  await importStatus(PSP, "Withdrawn");
  pass(REMEMBERED_MS - 5_000 + 1_000);
});
afterAll(() => vi.useRealTimers());

const WARNING = expect.stringMatching(/withdrawn/);

test("it gets no code and no token, by either flow", async () => {
  const headers = { ccg_token: before.ccg_token };
  const credentials = { client_request_query_parameters: { grant_type: "client_credentials" } };
  const answers = [
    await call("POST", "/v1/oauth2/authorization_codes", { headers: EIDAS, body: codeRequest() }),
    await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(before.code, "lost") }),
    await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: credentials }),
    await call("POST", "/v1/obie/authorization_codes", { headers, body: obieCodeRequest(before.consent) }),
    await call("POST", "/v1/obie/tokens", {
      headers,
      body: { auth_code: before.obieCode, redirect_uri: REDIRECT_URI },
    }),
    await call("POST", "/v1/obie/account_access_consents", { headers, body: { data: OPEN_ENDED } }),
  ];
  for (const answer of answers) {
    expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
    expect(answer.body.errors[0].title).toEqual(WARNING);
  }
});

test("its CCG token is given with a warning", async () => {
  const body = { eIDAS: EIDAS.eidas, scope: "accounts" };
  expect((await call("POST", "/v1/obie/ccg_tokens", { body })).body).toMatchObject({ active: true, warning: WARNING });
});

const readTokens = async (version: string) => [
  (await call("GET", `/v1/oauth2/tokens/${before.token}`, { headers: { version } })).body.data,
  (await call("GET", "/v1/oauth2/account/lost/tokens", { headers: { version } })).body.data[0],
  (await call("GET", `/v1/obie/tokens/${before.obieToken}`, { headers: { version, ccg_token: before.ccg_token } })).body
    .data,
];

test("its tokens stay active, and with version latest the FI is warned wherever it reads them", async () => {
  for (const token of await readTokens("latest")) expect(token).toMatchObject({ active: true, warning: WARNING });
});

test("with version 1 they have the interface's fields and no other", async () => {
  const record = ["account_id", "active", "exp", "iat", "psp_id", "revoked_at", "scope", "token"];
  const information = ["access_token", "active", "expires_in", "token_type"];
  const tokens = await readTokens("1");
  expect(tokens.map((token) => Object.keys(token).sort())).toEqual([record, record, information]);
  for (const token of tokens) expect(token.active).toBe(true);
});

test("it may look at its consent", async () => {
  const answer = await call("GET", `/v1/obie/account_access_consents/${before.consent}`, {
    headers: { ccg_token: before.ccg_token },
  });
  expect([answer.status, answer.body.data.status]).toEqual([200, "Authorised"]);
});

test("when it is authorised again, all is as before, and the refused codes were not consumed", async () => {
  await importStatus(PSP, "Authorised");
  pass(REMEMBERED_MS);
  for (const token of await readTokens("latest")) expect(token).not.toHaveProperty("warning");
  const answer = await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(before.code, "lost") });
  expect(answer.status).toBe(201);
});
