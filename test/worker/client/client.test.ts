/** The client for banks in workerd: a bank's own Worker, which reaches the service by a binding or over the network. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { app } from "../../../src/app.ts";
import {
  type Fetch,
  NetworkError,
  PspGate,
  PspGateError,
  type SigningKeys,
  verifyAnswer,
} from "../../../src/client/index.ts";
import { checked } from "../../contract/checked.ts";
import { OTHER_CREDENTIALS, SANDBOX_CREDENTIALS } from "../../sandbox-fis.ts";
import { REDIRECT_URI } from "../bank.ts";
import { whileUnreachable } from "../evidence/ledger/unreachable-ledger.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

const { secret: clientSecret, ...identity } = SANDBOX_CREDENTIALS;
/** The Worker in the same process; its answers are compared with the contract. */
function serve(bindings: Cloudflare.Env = env): Fetch {
  const send = checked((request: Request) => app.fetch(request, bindings, createExecutionContext()));
  return (url, init) => send(new Request(url, init));
}
const gate = new PspGate({ ...identity, clientSecret, baseUrl: "https://gate.test", fetch: serve() });
const eidas = eidasHeader("scenario-1");

beforeAll(loadSandbox);

const authorize = (account_id: string, certificate = eidas, scope = "accounts") =>
  gate.oauth2.createAuthorizationCode({
    eidas: certificate,
    account_id,
    client_request_query_parameters: { response_type: "code", redirect_uri: REDIRECT_URI, scope, state: "s-1" },
  });

test("the core flow", async () => {
  const account_id = crypto.randomUUID();
  const authorization = await authorize(account_id);
  if (!authorization.granted) expect.fail();
  const { code, state } = authorization.redirect_uri.parameters;
  expect(state).toBe("s-1");
  const exchange = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI } as const;
  const parameters = { eidas, account_id, client_request_query_parameters: exchange };
  const { access_token: token } = await gate.oauth2.createToken(parameters);
  expect(await gate.introspect({ token, eidas })).toMatchObject({ active: true, account_id });
  const replay = await gate.oauth2.createToken(parameters).catch((error: unknown) => error);
  expect(replay).toMatchObject({ name: "PspGateError", code: "code_used", isRefusal: true, attempts: 1 });
  expect(await gate.introspect({ token })).toEqual({ active: false });
});

test("a gateway asks whether a request may pass; a refusal is a result with the challenge", async () => {
  const account_id = crypto.randomUUID();
  const authorization = await authorize(account_id);
  if (!authorization.granted) expect.fail();
  const { code } = authorization.redirect_uri.parameters;
  const exchange = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI } as const;
  const issued = await gate.oauth2.createToken({ eidas, account_id, client_request_query_parameters: exchange });
  const access_token = `Bearer ${issued.access_token}`;
  const passed = await gate.checkAccess({ eidas, access_token, scope: "accounts" });
  if (!passed.allowed) expect.fail();
  expect(passed.headers.get("account-id")).toBe(account_id);
  expect(await gate.checkAccess({ eidas, access_token, scope: "payments" })).toMatchObject({
    ...{ allowed: false, status: 403, challenge: 'Bearer error="insufficient_scope"' },
    errors: [{ code: "insufficient_scope" }],
  });
  const stolen = await gate.checkAccess({ eidas: eidasHeader("accounts-only"), access_token, scope: "accounts" });
  expect(stolen).toMatchObject({ allowed: false, status: 401, challenge: 'Bearer error="invalid_token"' });
  // the gateway's own credentials are no refusal of the PSP
  const unknown = new PspGate({ ...identity, clientSecret: "wrong", baseUrl: "https://gate.test", fetch: serve() });
  const error = await unknown.checkAccess({ eidas, access_token, scope: "accounts" }).catch((error: unknown) => error);
  expect(error).toMatchObject({ name: "PspGateError", code: "credentials_invalid", isRefusal: false });
});

test("a request that its PSP did not sign is a result", async () => {
  const request = { method: "GET", target: "/v1/accounts", headers: {}, jurisdiction: "XX" } as const;
  expect(await gate.psp.verifyRequest(request)).toMatchObject({ signature: { verified: false } });
});

test("a refused code is a result with the redirect", async () => {
  const refused = await authorize(crypto.randomUUID(), eidasHeader("accounts-only"), "payments");
  expect(refused).toMatchObject({ granted: false, redirect_uri: { parameters: { error: "invalid_scope" } } });
  expect(new URL(refused.redirect_uri.full_uri).searchParams.get("state")).toBe("s-1");
});

test("the open-banking flow, pages of its consents, and the customer's permissions", async () => {
  const { access_token: ccg_token } = await gate.obie.createCcgToken({ eIDAS: eidas, scope: "accounts" });
  const { consent_id } = await gate.obie.createAccountAccessConsent({
    ccg_token,
    data: { permissions: ["ReadBalances"], expiration_date_time: null },
  });
  const account_id = crypto.randomUUID();
  const asked = { ccg_token, consent_id, psu_account_id: account_id, redirect_uri: REDIRECT_URI, scope: "accounts" };
  const authorization = await gate.obie.createAuthorizationCode(asked);
  if (!authorization.granted) expect.fail();
  const auth_code = authorization.redirect_uri.parameters.code;
  const { access_token: token } = await gate.obie.createToken({ ccg_token, auth_code, redirect_uri: REDIRECT_URI });
  expect(await gate.obie.getToken({ ccg_token, token })).toMatchObject({ active: true });
  const ids: string[] = [];
  for await (const { id } of gate.accounts.listPermissions({ account_id })) ids.push(id);
  expect(ids).toEqual([consent_id]);
  await gate.obie.deleteAccountAccessConsent({ ccg_token, consent_id });
  expect(await gate.obie.getToken({ ccg_token, token })).toMatchObject({ active: false });
});

test("every page of a list is read", async () => {
  const { access_token: ccg_token } = await gate.obie.createCcgToken({ eIDAS: eidas, scope: "payments" });
  const initiation = {
    instruction_identification: "ANSM021",
    end_to_end_identification: "FRESCO.21302.GFX.37",
    instructed_amount: { amount: "165.88", currency: "EUR" },
    creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Acme Ltd" },
  };
  const made: string[] = [];
  for (const _ of [1, 2, 3])
    made.unshift((await gate.obie.createPaymentOrderConsent({ ccg_token, data: { initiation } })).consent_id);
  const listed: string[] = [];
  for await (const { consent_id } of gate.obie.listPaymentOrderConsents({ ccg_token, limit: 1 }))
    listed.push(consent_id);
  expect(listed.slice(0, 3)).toEqual(made);
});

test("many certificates at once, one of them unreadable", async () => {
  const checks = [
    { id: "good", eIDAS: eidas, jurisdictions: ["XX"] },
    { id: "bad", eIDAS: "MIIE", jurisdictions: ["XX"] },
  ];
  const [good, bad] = await gate.psp.checkMany({ checks });
  expect(good).toMatchObject({
    id: "good",
    results: [{ jurisdiction: "XX", result: { eIDAS: { validity: { notRevoked: true } } } }],
  });
  expect(bad).toMatchObject({ id: "bad", errors: [{ code: "certificate_unreadable" }] });
});

describe("a store that cannot be reached", () => {
  const failing = { ...env, DB: failingDatabase(env.DB, (sql) => sql.includes("account_blocks"), "before") };
  const faulty = new PspGate({
    ...identity,
    clientSecret,
    baseUrl: "https://gate.test",
    fetch: serve(failing),
    retry: { limit: 0 },
  });

  test("is a fault of the service, to be repeated later", async () => {
    const error = await faulty.accounts.getBlock({ account_id: "a" }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(PspGateError);
    expect(error).toMatchObject({
      status: 503,
      code: "temporarily_unavailable",
      retry: "after",
      retryAfter: 1,
      whose: "service",
    });
  });
});

describe("each answer is verified as it comes", () => {
  /** As the README has it. `spoil` stands for who is on the way. */
  const proving = (spoil = (content: string) => content): Fetch => {
    const send = serve();
    return async (url, init) => {
      const keys: SigningKeys = await (await send("https://gate.test/.well-known/jwks.json", {})).json();
      const nonce = crypto.randomUUID();
      const body = init.body as Uint8Array<ArrayBuffer> | undefined;
      const headers = new Headers(init.headers);
      headers.set("Accept-Signature", `bank=(${body ? '"content-digest";req' : ""});nonce="${nonce}"`);
      if (body) {
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
        headers.set("Content-Digest", `sha-256=:${btoa(String.fromCharCode(...digest))}:`);
      }
      const request = { method: init.method ?? "GET", url, headers, ...(body && { content: body }) };
      const answer = await send(url, { ...init, headers });
      const content = spoil(await answer.text());
      await verifyAnswer(request, { status: answer.status, headers: answer.headers, content }, keys, { nonce });
      return new Response(content || null, answer);
    };
  };
  const make = (fetch: Fetch) =>
    new PspGate({ ...identity, clientSecret, baseUrl: "https://gate.test", fetch, retry: { limit: 0 } });

  test("with and without a content of the request, errors too", async () => {
    const proven = make(proving());
    const { eIDAS } = await proven.psp.check({ eidas, jurisdiction: "XX" });
    expect(eIDAS.validity.notRevoked).toBe(true);
    expect(await proven.introspect({ token: "unknown", eidas })).toEqual({ active: false });
    await proven.accounts.deleteBlock({ account_id: crypto.randomUUID() }).catch(() => {});
    await expect(proven.oauth2.getToken({ token: "unknown" })).rejects.toMatchObject({ code: "token_not_found" });
  });

  test("an altered one is none", async () => {
    const spoilt = make(proving((content) => content.replace("false", "true")));
    const error = await spoilt.introspect({ token: "unknown", eidas }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(NetworkError);
    expect((error as Error).cause).toMatchObject({ name: "VerificationError" });
  });
});

test("an answer that is withheld is not asked for again: what was asked for may have been done", async () => {
  await env.DB.prepare("UPDATE financial_institutions SET ledger_required = 1 WHERE fi_reference_id = ?1")
    .bind(OTHER_CREDENTIALS.fiReferenceId)
    .run();
  const { secret, ...other } = OTHER_CREDENTIALS;
  const withheld = {
    status: 503,
    code: "answer_withheld",
    retry: "never",
    retryAfter: null,
    attempts: 1,
    whose: "service",
  };
  const { access_token: ccg_token } = await new PspGate({
    ...other,
    clientSecret: secret,
    baseUrl: "https://gate.test",
    fetch: serve(),
  }).obie.createCcgToken({ eIDAS: eidas, scope: "accounts" });
  const asked = { ccg_token, data: { permissions: ["ReadBalances" as const] } };
  await whileUnreachable(async (bindings) => {
    const fetch = serve(bindings);
    const unrecorded = new PspGate({ ...other, clientSecret: secret, baseUrl: "https://gate.test", fetch });
    await expect(unrecorded.obie.createAccountAccessConsent(asked)).rejects.toMatchObject(withheld);
  });
});

test("over the network, with workerd's own fetch", async () => {
  // no one listens there; a fetch called as a method would throw "Illegal invocation" instead
  const alone = new PspGate({
    ...identity,
    clientSecret,
    baseUrl: "http://127.0.0.1:1",
    retry: { limit: 1, random: () => 0 },
  });
  const error = await alone.status().catch((error: unknown) => error);
  expect(error).toMatchObject({ name: "NetworkError", attempts: 2, retry: "now" });
  expect(String((error as Error).cause)).not.toMatch(/illegal invocation/i);
});
