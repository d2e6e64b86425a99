/** GET /v1/access: which request passes a gateway, what the PSP is told of one that does not, and what may be late. */
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { memories, memoryKey } from "../../../src/platform/memory.ts";
import { ACCESS_HEADERS } from "../../../src/routes/access.ts";
import {
  type Answer,
  call,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obtainCcgToken,
  obtainObieToken,
  obtainToken,
} from "../bank.ts";
import { countRoundTrips } from "../bindings.ts";
import { failingDatabase } from "../faults/failing-database.ts";
import { issueUnnamedCertificate } from "../mistakes/unnamed-certificate.ts";
import { importStatus } from "../registers/changed-register.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../sandbox.ts";

const AMBER = "PSDXX-TEST-000001";
const ACCOUNTS = "?scope=accounts";
const INVALID = 'Bearer error="invalid_token"';
const INSUFFICIENT = 'Bearer error="insufficient_scope"';

let ccg: { accounts: string; payments: string };
let unnamed: string;
beforeAll(async () => {
  await loadSandbox();
  ccg = { accounts: await obtainCcgToken("accounts"), payments: await obtainCcgToken("payments") };
  unnamed = await issueUnnamedCertificate();
});

let log: MockInstance;
beforeEach(() => {
  log = vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Headers = Record<string, string | undefined>;
const ask = (token: string | undefined, query = ACCOUNTS, headers: Headers = {}, bindings = env) =>
  call("GET", `/v1/access${query}`, {
    headers: { access_token: token, eidas: eidasHeader("scenario-1"), ...headers },
    env: bindings,
  });

const said = ({ headers }: Answer) =>
  Object.fromEntries(ACCESS_HEADERS.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : [])));
const refusal = (answer: Answer) => [answer.status, codesOf(answer), answer.headers.get("WWW-Authenticate")];
/** The outcome in the line of an answer. */
function outcomeOf(answer: Answer): string {
  const id = answer.headers.get("x-request-id") ?? "no id";
  return JSON.parse(log.mock.calls.map(([text]) => String(text)).find((text) => text.includes(id)) ?? "{}").outcome;
}

describe("a request passes", () => {
  test("with a token of the core flow, with or without Bearer: its PSP, its account, its seconds", async () => {
    const token = await obtainToken("core account/1%");
    for (const text of [token, `Bearer ${token}`, `bearer  ${token}`]) {
      const answer = await ask(text, ACCOUNTS, { transaction_reference: "ref-1" });
      expect([answer.status, answer.body]).toEqual([200, undefined]);
      expect(said(answer)).toEqual({
        "psp-id": AMBER,
        "account-id": "core%20account%2F1%25",
        "expires-in": expect.stringMatching(/^\d+$/),
      });
      expect(answer.headers.get("transaction_reference")).toBe("ref-1");
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  test("under an account access consent: what was agreed to, and its bounds", async () => {
    const psu_account_id = crypto.randomUUID();
    const permissions = ["ReadAccountsDetail", "ReadTransactionsBasic", "ReadTransactionsCredits"];
    const consent = await createAccountConsent(ccg.accounts, {
      permissions,
      transaction_from_date_time: "2026-01-01T00:00:00Z",
      transaction_to_date_time: "2027-01-01T00:00:00Z",
    });
    const token = await obtainObieToken(ccg.accounts, consent, { psu_account_id });
    const all = {
      "psp-id": AMBER,
      "account-id": psu_account_id,
      "consent-id": consent,
      permissions: permissions.join(" "),
      "transaction-from": "2026-01-01T00:00:00Z",
      "transaction-to": "2027-01-01T00:00:00Z",
      "expires-in": expect.stringMatching(/^\d+$/),
    };
    for (const query of [
      "",
      `&account_id=${psu_account_id}`,
      "&permission=ReadAccountsDetail",
      "&permission=ReadAccountsBasic",
      "&permission=ReadTransactionsBasic+ReadTransactionsCredits",
      "&standing=required",
    ])
      expect(said(await ask(token, ACCOUNTS + query))).toEqual(all);
  });

  test("of a payment order; signed if it is asked for", async () => {
    const consent_id = await createPaymentConsent(ccg.payments);
    const token = await obtainObieToken(ccg.payments, consent_id, { scope: "payments" });
    const answer = await ask(token, "?scope=payments", { "Accept-Signature": "psp-gate=()" });
    expect([answer.status, said(answer)["consent-id"]]).toEqual([200, consent_id]);
    expect(answer.headers.get("Signature")).toMatch(/^psp-gate=/);
  });

  test("with a renewed certificate of the same PSP", async () => {
    const token = await obtainToken("renewed");
    expect((await ask(token, ACCOUNTS, { eidas: eidasHeader("scenario-1-renewed") })).status).toBe(200);
  });
});

describe("the PSP is told invalid_token", () => {
  test("revoked, of a deleted consent, withdrawn, of a blocked account: at once, and the line says why", async () => {
    const psu_account_id = crypto.randomUUID();
    const consent = await createAccountConsent(ccg.accounts);
    const token = await obtainObieToken(ccg.accounts, consent, { psu_account_id });
    expect((await ask(token)).status).toBe(200);
    await call("PUT", `/v1/accounts/${psu_account_id}/block`, { body: { scopes: ["accounts"] } });
    const blocked = await ask(token);
    expect(refusal(blocked)).toEqual([401, ["access_token_invalid"], INVALID]);
    expect(outcomeOf(blocked)).toBe("account_blocked");
    await call("DELETE", `/v1/accounts/${psu_account_id}/block`);
    expect((await ask(token)).status).toBe(200);
    await call("DELETE", `/v1/accounts/${psu_account_id}/permissions?by=customer`);
    const withdrawn = await ask(token);
    expect(refusal(withdrawn)).toEqual([401, ["access_token_invalid"], INVALID]);
    expect(outcomeOf(withdrawn)).toBe("token_revoked");
    expect(withdrawn.body.errors[0].title).toBe("The access token was revoked, or its consent was withdrawn");
  });

  test("expired, from its very exp on", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = await obtainToken("expiring");
    const { exp } = (await call("POST", "/v1/introspect", { body: { token } })).body;
    vi.setSystemTime(exp * 1000 - 1);
    expect(said(await ask(token))["expires-in"]).toBe("0");
    vi.setSystemTime(exp * 1000);
    const answer = await ask(token);
    expect([...refusal(answer), outcomeOf(answer)]).toEqual([401, ["access_token_invalid"], INVALID, "token_expired"]);
  });

  test.each([
    ["another PSP's", () => eidasHeader("scenario-9"), "access_token_invalid", "token_of_another_psp"],
    ["a revoked one", () => eidasHeader("scenario-5"), "certificate_revoked", "certificate_revoked"],
    ["an expired one", () => eidasHeader("scenario-4"), "certificate_expired", "certificate_expired"],
    ["one of a QTSP that is on no list", () => eidasHeader("unlisted-qtsp"), "qtsp_invalid", "qtsp_invalid"],
    ["one without a number", () => unnamed, ...both("certificate_authorisation_number_missing")],
    ["none", () => undefined, ...both("certificate_missing")],
    ["none, as HAProxy forwards it", () => "", ...both("certificate_missing")],
    ["none, as Apache forwards it", () => "(null)", ...both("certificate_missing")],
    ["none, as Caddy forwards it", () => "{tls_client_certificate_der_base64}", ...both("certificate_missing")],
  ])("with %s in place of its PSP's certificate", async (_, eidas, code, outcome) => {
    const answer = await ask(await obtainToken("bound"), ACCOUNTS, { eidas: eidas() });
    expect([...refusal(answer), outcomeOf(answer)]).toEqual([401, [code], INVALID, outcome]);
  });
  function both(code: string): [string, string] {
    return [code, code];
  }

  test("of a token of another institution, an altered one, a forged one, without a read", async () => {
    const token = await obtainToken("mine");
    await ask(token, ACCOUNTS, OTHER_FI);
    for (const [text, headers] of [
      [token, OTHER_FI],
      [`${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}`, {}],
      ["good-access-token", {}],
      [`Bearer Bearer ${token}`, {}],
    ] as const) {
      const { env: counted, trips } = countRoundTrips(env);
      const answer = await ask(text, ACCOUNTS, headers, counted);
      expect(refusal(answer)).toEqual([401, ["access_token_invalid"], INVALID]);
      expect(outcomeOf(answer)).toBe("token_unknown");
      expect(trips.calls).toEqual([]);
    }
  });

  test("nothing is said to be wrong with a token that was not shown", async () => {
    const challenge = 'Bearer realm="accounts and payments"';
    for (const token of [undefined, "", "Bearer"])
      expect(refusal(await ask(token))).toEqual([401, ["access_token_missing"], challenge]);
  });
});

describe("the PSP is told insufficient_scope", () => {
  test.each([
    ["?scope=payments", /^The token is for the scope accounts, not payments$/],
    ["?scope=accounts&account_id=another", /^The token is for another account$/],
    ["?scope=accounts&permission=ReadPAN", /^The customer has not agreed to ReadPAN$/],
    ["?scope=accounts&permission=ReadBalances+ReadPAN", /agreed to ReadPAN$/],
    ["?scope=accounts&permission=ReadAccountsDetail", /agreed to ReadAccountsDetail$/],
  ])("%s", async (query, title) => {
    const token = await obtainObieToken(ccg.accounts, await createAccountConsent(ccg.accounts));
    const answer = await ask(token, query);
    expect(refusal(answer)).toEqual([403, ["insufficient_scope"], INSUFFICIENT]);
    expect(answer.body.errors[0].title).toMatch(title);
    expect(said(answer)).toEqual({});
  });

  test("a token without a list of permissions has none", async () => {
    const answer = await ask(await obtainToken("core"), "?scope=accounts&permission=ReadBalances");
    expect(refusal(answer)).toEqual([403, ["insufficient_scope"], INSUFFICIENT]);
    expect(answer.body.errors[0].title).toMatch(/^The token has no list of permissions, so not ReadBalances/);
  });

  test("a PSP that has lost its authorisation, where its standing is required", async () => {
    const PSP = "PSDXX-TEST-000010";
    const own = { eidas: eidasHeader("scenario-10") };
    const token = await obtainToken("lost", own);
    const setStatus = async (status: string) => {
      await importStatus(PSP, status);
      memories.get("registers")?.delete(memoryKey(`XX ${PSP}`));
      vi.setSystemTime(Date.now() + 31_000);
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    expect((await ask(token, "?scope=accounts&standing=required", own)).status).toBe(200);
    await setStatus("Withdrawn");
    expect((await ask(token, ACCOUNTS, own)).status).toBe(200);
    const answer = await ask(token, "?scope=accounts&standing=required", own);
    expect(refusal(answer)).toEqual([403, ["payment_service_invalid"], INSUFFICIENT]);
    expect(answer.body.errors[0].title).toBe(`the authorisation of PSP ${PSP} has been withdrawn in its home register`);
    await setStatus("Authorised");
  });
});

describe("what is the gateway's mistake, or this service's, has no challenge for the PSP", () => {
  test("the institution's credentials are asked for by Basic, another header by psp-gate", async () => {
    const token = await obtainToken("credentials");
    const wrong = { Authorization: `Basic ${btoa("sandbox-fi:wrong")}` };
    expect(refusal(await ask(token, ACCOUNTS, wrong))[2]).toMatch(/^Basic /);
    expect(refusal(await ask(token, ACCOUNTS, { fi_reference_id: undefined }))[2]).toMatch(/^psp-gate /);
  });

  test("a certificate that was cut off, or sent as x-eidas: 400", async () => {
    for (const headers of [
      { eidas: eidasHeader("scenario-1").slice(0, 500) },
      { eidas: undefined, "x-eidas": eidasHeader("scenario-1") },
    ])
      for (const token of ["forged", await obtainToken("unreadable")])
        expect((await ask(token, ACCOUNTS, headers)).status).toBe(400);
  });

  test("without D1: 503, also where an answer may be old and none is remembered", async () => {
    const token = await obtainToken("no-database");
    const noDatabase = { ...env, DB: failingDatabase(env.DB, () => true, "before") };
    for (const query of [ACCOUNTS, `${ACCOUNTS}&max_age=60`])
      expect(refusal(await ask(token, query, {}, noDatabase))).toEqual([503, ["temporarily_unavailable"], null]);
  });

  test("without the registers and a check of the certificate: 503", async () => {
    const own = { eidas: eidasHeader("scenario-7") };
    const token = await obtainToken("no-kv");
    const KV = { get: () => Promise.reject(new Error("no KV")) };
    const answer = await ask(token, ACCOUNTS, own, { ...env, KV } as unknown as Cloudflare.Env);
    expect(answer.status).toBe(503);
  });
});

describe("an answer that may be some seconds old", () => {
  const OLD = `${ACCOUNTS}&max_age=10`;
  const tripsOf = async (token: string, query: string) => {
    const { env: counted, trips } = countRoundTrips(env);
    const { status } = await ask(token, query, {}, counted);
    return [status, trips.calls];
  };
  /** What another isolate would do: this one is not told. */
  const revokeElsewhere = (token: string) =>
    env.DB.prepare("UPDATE tokens SET revoked_at = issued_at WHERE id = ?1").bind(token.split(".")[1]).run();

  test("costs nothing until then, and a withdrawal is late by as much and no more", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = await obtainToken("old");
    expect(await tripsOf(token, OLD)).toEqual([200, ["DB"]]);
    expect(await tripsOf(token, OLD)).toEqual([200, []]);
    await revokeElsewhere(token);
    vi.setSystemTime(Date.now() + 9_999);
    expect((await ask(token, OLD)).status).toBe(200);
    // who does not allow it is not answered from it
    expect((await ask(token, `${ACCOUNTS}&max_age=9`)).status).toBe(401);
    expect((await ask(token)).status).toBe(401);
    vi.setSystemTime(Date.now() + 1);
    expect((await ask(token, OLD)).status).toBe(401);
  });

  test("only a yes is remembered, and nothing without max_age", async () => {
    const token = await obtainToken("yes");
    await ask(token);
    expect(await tripsOf(token, OLD)).toEqual([200, ["DB"]]);
    await revokeElsewhere(token);
    expect((await ask(token)).status).toBe(401);
    const revoked = await obtainToken("no");
    await revokeElsewhere(revoked);
    expect(await tripsOf(revoked, OLD)).toEqual([401, ["DB"]]);
    expect(await tripsOf(revoked, OLD)).toEqual([401, ["DB"]]);
  });

  test("is judged anew: the certificate, the scope, its expiry", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = await obtainToken("anew");
    const { exp } = (await call("POST", "/v1/introspect", { body: { token } })).body;
    vi.setSystemTime(exp * 1000 - 1);
    expect((await ask(token, OLD)).status).toBe(200);
    expect((await ask(token, OLD, { eidas: eidasHeader("scenario-9") })).status).toBe(401);
    expect((await ask(token, "?scope=payments&max_age=10")).status).toBe(403);
    expect((await ask(token, OLD, OTHER_FI)).status).toBe(401);
    vi.setSystemTime(exp * 1000);
    expect((await ask(token, OLD)).status).toBe(401);
  });

  test.each<[string, (account: string, token: string) => Promise<unknown>]>([
    ["a revocation", (_, token) => call("DELETE", `/v1/oauth2/tokens/${token}`)],
    ["a withdrawal", (account) => call("DELETE", `/v1/accounts/${account}/permissions?by=customer`)],
    ["a block", (account) => call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["accounts"] } })],
  ])("%s by the same isolate is in effect at once", async (_, end) => {
    const account = crypto.randomUUID();
    const token = await obtainToken(account);
    await ask(token, OLD);
    expect(await tripsOf(token, OLD)).toEqual([200, []]);
    await end(account, token);
    expect((await ask(token, OLD)).status).toBe(401);
  });

  test("a change of another institution leaves it", async () => {
    const token = await obtainToken("others");
    await ask(token, OLD);
    await call("DELETE", "/v1/accounts/others/permissions?by=bank", { headers: OTHER_FI });
    expect(await tripsOf(token, OLD)).toEqual([200, []]);
  });
});

test("introspection confirms the certificate that it was shown with the token (RFC 8705)", async () => {
  const token = await obtainToken("confirmed");
  for (const name of ["scenario-1", "scenario-1-renewed"]) {
    const { cnf } = (await call("POST", "/v1/introspect", { headers: { eidas: eidasHeader(name) }, body: { token } }))
      .body;
    const thumbprint = createHash("sha256")
      .update(Buffer.from(eidasHeader(name), "base64"))
      .digest("base64url");
    expect(cnf).toEqual({ "x5t#S256": thumbprint });
  }
  expect((await call("POST", "/v1/introspect", { body: { token } })).body).not.toHaveProperty("cnf");
});

test("no log line holds the token", async () => {
  const token = await obtainToken("silent");
  for (const headers of [{}, OTHER_FI, { eidas: undefined }, { eidas: eidasHeader("scenario-9") }])
    await ask(`Bearer ${token}`, ACCOUNTS, headers);
  const lines = log.mock.calls.flat().join("\n");
  expect(lines).toContain("/v1/access");
  expect(lines).not.toContain(token.slice(-20));
  expect(lines).not.toContain(token.split(".")[1]);
});
