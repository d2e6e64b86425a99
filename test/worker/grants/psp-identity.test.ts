/**
 * A PSP is its authorisation number's normal form: other spellings on its certificates make no other PSP, and another
 * NCA's number with the same letters is another PSP. The anchor is the test's own, since the sandbox's keys are forgotten.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { insertAccountAccessConsent } from "../../../src/grants/account-access-consents.ts";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { readTokenKeys } from "../../../src/grants/token-keys.ts";
import { openCcgToken, writeCcgToken } from "../../../src/grants/token-texts.ts";
import { importCrl } from "../../../src/revocation/crl-import.ts";
import type { Authority } from "../../../src/sandbox/pki/authority.ts";
import { issueCrl } from "../../../src/sandbox/pki/crl.ts";
import { parseCertificate } from "../../../src/x509/certificate.ts";
import {
  call,
  codeRequest,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obieCodeRequest,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";
import { eidasOf, issuePsp, listQtsp, makeQtsp, PERIOD } from "../trust/made-qtsp.ts";

/** As the register spells it, and as every other spelling is normalised. */
const PSP = "PSDXX-TEST-000001";
const SPELLINGS = [
  "psdxx-test-000001",
  "PSDXX-TEST-00-0001",
  "PSDXX\u2013TEST\u2013000001",
  " PSDXX-TEST-000001",
  "PSDXX_TEST_000 001",
];
const OTHER_NCAS = ["PSDXX-TES-T000001", "PSDXX-TEST0-00001", "PSDXX-T-EST000001", "PSDXX-TEST000001"];
/** Of one authority. */
const ABBREVIATIONS = ["PSDHR-CNB-1", "PSDHR-HNB-1"] as const;

const CRL_URL = "http://sandbox.invalid/crl/identity.crl";

let anchor: Authority;
/** The `eidas` header of a certificate for each number. */
const certificates = new Map<string, string>();

beforeAll(async () => {
  await loadSandbox();
  anchor = await makeQtsp({ organisation: "Identity Ltd", commonName: "Identity CA", crlUrl: CRL_URL });
  await listQtsp(anchor, "identity");
  const { notBefore, notAfter } = PERIOD;
  const crl = await issueCrl(
    { revoked: [], revokedAt: notBefore, thisUpdate: new Date(Date.now() - 60_000), nextUpdate: notAfter },
    anchor,
  );
  await importCrl(env.KV, {
    url: CRL_URL,
    der: new Uint8Array(crl.rawData),
    issuer: parseCertificate(new Uint8Array(anchor.certificate.rawData)),
    now: Date.now(),
  });
  for (const authNumber of [...SPELLINGS, ...OTHER_NCAS, ...ABBREVIATIONS]) {
    const names = { organisation: "Identity Ltd", commonName: "psp.example" };
    const certificate = await issuePsp(anchor, { ...names, authNumber, roles: ["PSP_PI", "PSP_AI"] });
    certificates.set(authNumber, eidasOf(certificate));
  }
});

const eidas = (authNumber: string): { eidas: string } => ({ eidas: certificates.get(authNumber) ?? "" });
const ccgOf = async (authNumber: string, scope = "accounts") =>
  (await call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: eidas(authNumber).eidas, scope } })).body;
const sandboxCcg = async (scope: string) =>
  (await call("POST", "/v1/obie/ccg_tokens", { body: { eIDAS: eidasHeader("scenario-1"), scope } })).body.access_token;

describe.each(SPELLINGS)("a certificate that spells the number %j", (spelling) => {
  test("is shown as it is by the check, and found in the registers", async () => {
    const { body } = await call("GET", "/v1/psp/eidas?jurisdiction=xy", { headers: eidas(spelling) });
    expect(body.eIDAS.data.authNumber).toBe(spelling);
    expect(body.homeRegister.categoryEntries).toHaveLength(2);
    expect(body.hostRegister.categoryEntries).toHaveLength(2);
  });

  test("is the same PSP in CCG tokens, consents, codes and token information", async () => {
    const own = await ccgOf(spelling);
    expect(own).toMatchObject({ psp_id: PSP, active: true });
    expect(own).not.toHaveProperty("warning");
    const registered = await sandboxCcg("accounts");

    const consent = await createAccountConsent(registered);
    const headers = { ccg_token: own.access_token };
    const read = await call("GET", `/v1/obie/account_access_consents/${consent}`, { headers });
    expect([read.status, read.body.data?.consent_id]).toEqual([200, consent]);

    const auth_code = await obtainObieCode(registered, consent);
    const body = { auth_code, redirect_uri: REDIRECT_URI };
    const { status, body: exchanged } = await call("POST", "/v1/obie/tokens", { headers, body });
    expect(status).toBe(201);
    const path = `/v1/obie/tokens/${exchanged.data.access_token}`;
    const information = await call("GET", path, { headers: { ccg_token: registered } });
    expect(information.body.data).toMatchObject({ active: true });

    const payments = { ccg_token: (await ccgOf(spelling, "payments")).access_token };
    const order = await createPaymentConsent(await sandboxCcg("payments"));
    const { data } = (await call("GET", "/v1/obie/payment_order_consents", { headers: payments })).body;
    expect(data.map(({ consent_id }: { consent_id: string }) => consent_id)).toContain(order);
  });

  test("is the same PSP in the core flow, whose token record bears the normal form", async () => {
    const account = crypto.randomUUID();
    const code = await obtainCode(account, eidas(spelling));
    const answer = await call("POST", "/v1/oauth2/tokens", {
      headers: { eidas: eidasHeader("scenario-1") },
      body: tokenRequest(code, account),
    });
    expect(answer.status).toBe(201);
    await obtainToken(account, eidas(spelling));
    const { data } = (await call("GET", `/v1/oauth2/account/${account}/tokens`)).body;
    expect(data.map((record: { psp_id: string }) => record.psp_id)).toEqual([PSP, PSP]);
  });
});

test("a CCG token that an earlier version sealed with the certificate's own spelling is the PSP's", async () => {
  const registered = await sandboxCcg("accounts");
  const consent = await createAccountConsent(registered);
  const fiId = openCcgToken(readTokenKeys(env), registered)?.fiId ?? 0;
  const grant = { fiId, scope: "accounts", services: [7, 8], exp: Date.now() / 1000 + 60 } as const;
  const read = (pspId: string) =>
    call("GET", `/v1/obie/account_access_consents/${consent}`, {
      headers: { ccg_token: writeCcgToken(readTokenKeys(env), { ...grant, pspId }) },
    });
  expect((await read("psdxx-test-00-0001")).status).toBe(200);
  expect((await read("PSDXX-TES-T000001")).status).toBe(404);
});

describe.each(OTHER_NCAS)("another NCA's PSP, whose number %s has the same letters", (number) => {
  test("gets nothing of the entitlement", async () => {
    const check = await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: eidas(number) });
    expect(check.body.eIDAS).toMatchObject({ validity: { validQTSP: true, notRevoked: true, validSignature: true } });
    expect(check.body.homeRegister).toMatchObject({
      categoryEntries: [],
      warning: [`could not find a register entry for PSP ${number}`],
    });
    const code = await call("POST", "/v1/oauth2/authorization_codes", { headers: eidas(number), body: codeRequest() });
    expect([code.status, codesOf(code)]).toEqual([403, ["payment_service_invalid"]]);
    const credentials = { client_request_query_parameters: { grant_type: "client_credentials" } };
    const token = await call("POST", "/v1/oauth2/tokens", { headers: eidas(number), body: credentials });
    expect([token.status, codesOf(token)]).toEqual([403, ["payment_service_invalid"]]);
    expect((await ccgOf(number)).warning).toContain("could not find a register entry");
  });

  test("gets nothing of the consents, codes and tokens", async () => {
    const registered = await sandboxCcg("accounts");
    const headers = { ccg_token: (await ccgOf(number)).access_token };
    const consent = await createAccountConsent(registered);
    const read = await call("GET", `/v1/obie/account_access_consents/${consent}`, { headers });
    expect([read.status, codesOf(read)]).toEqual([404, ["consent_not_found"]]);
    const code = await call("POST", "/v1/obie/authorization_codes", { headers, body: obieCodeRequest(consent) });
    expect(code.status).toBe(403);

    const token = await obtainObieToken(registered, consent);
    expect((await call("GET", `/v1/obie/tokens/${token}`, { headers })).status).toBe(404);
    const body = { auth_code: await obtainObieCode(registered, consent), redirect_uri: REDIRECT_URI };
    expect(codesOf(await call("POST", "/v1/obie/tokens", { headers, body }))).toEqual(["code_unknown"]);

    const account = crypto.randomUUID();
    const exchange = { headers: eidas(number), body: tokenRequest(await obtainCode(account), account) };
    expect(codesOf(await call("POST", "/v1/oauth2/tokens", exchange))).toEqual(["code_unknown"]);

    await createPaymentConsent(await sandboxCcg("payments"));
    const payments = { ccg_token: (await ccgOf(number, "payments")).access_token };
    const list = await call("GET", "/v1/obie/payment_order_consents", { headers: payments });
    expect([list.status, list.body.data]).toEqual([200, []]);
  });
});

test("with the other abbreviation of its NCA a PSP does not have its consents", async () => {
  const [before, after] = await Promise.all(ABBREVIATIONS.map((number) => ccgOf(number)));
  const open = { expirationDateTime: null, transactionFromDateTime: null, transactionToDateTime: null, endsAt: null };
  const access = { id: makeRecordId(Date.now()), permissions: ["ReadBalances"] as const, ...open };
  const grant = openCcgToken(readTokenKeys(env), before.access_token);
  await insertAccountAccessConsent(env.DB, grant as { fiId: number; pspId: string }, access, Date.now());
  const read = ({ access_token }: { access_token: string }) =>
    call("GET", `/v1/obie/account_access_consents/${access.id}`, { headers: { ccg_token: access_token } });
  expect((await read(before)).status).toBe(200);
  expect(codesOf(await read(after))).toEqual(["consent_not_found"]);
});
