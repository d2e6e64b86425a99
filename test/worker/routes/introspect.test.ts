/** POST /v1/introspect: what a resource server is told of a token, and that it is told nothing of any other. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { memories, memoryKey } from "../../../src/platform/memory.ts";
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
const INACTIVE = { active: false };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

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

const introspect = (token: string, headers: Record<string, string | undefined> = {}, bindings = env) =>
  call("POST", "/v1/introspect", { headers, body: { token }, env: bindings });
const asForm = (body: string) => call("POST", "/v1/introspect", { headers: FORM, body });

/** `[body, outcome, psp]` of an answer and its line. */
function tell(answer: Answer): [body: unknown, outcome: string, psp: string | null] {
  const id = answer.headers.get("x-request-id") ?? "no id";
  const line = JSON.parse(log.mock.calls.map(([text]) => String(text)).find((text) => text.includes(id)) ?? "null");
  expect(answer.status).toBe(200);
  return [answer.body, line.outcome, line.psp];
}

const seconds = expect.any(Number);
const recordOf = (scope: string, account_id: string, more: object = {}) => ({
  active: true,
  scope,
  client_id: AMBER,
  psp_id: AMBER,
  account_id,
  ...more,
  iat: seconds,
  exp: seconds,
  token_type: "bearer",
  psp: { legal_name: "Amber Payments Ltd", standing: "Authorised", decision: { allowed: true, reasons: [] } },
});

describe("an active token", () => {
  test.each(["accounts", "payments"])("of the core flow, scope %s: no consent", async (scope) => {
    const account = crypto.randomUUID();
    const answer = await introspect(await obtainToken(account, {}, scope));
    expect([answer.status, answer.body]).toEqual([200, recordOf(scope, account)]);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test("under an account access consent: its permissions, and the bounds that it has", async () => {
    const psu_account_id = crypto.randomUUID();
    const permissions = ["ReadAccountsBasic", "ReadTransactionsBasic", "ReadTransactionsCredits"];
    const open = await createAccountConsent(ccg.accounts);
    const bounded = await createAccountConsent(ccg.accounts, {
      permissions,
      transaction_from_date_time: "2026-01-01T00:00:00+01:00",
      transaction_to_date_time: "2027-01-01T00:00:00Z",
    });
    const [first, second] = [
      await introspect(await obtainObieToken(ccg.accounts, open, { psu_account_id })),
      await introspect(await obtainObieToken(ccg.accounts, bounded, { psu_account_id })),
    ];
    const openEnded = { consent_id: open, permissions: ["ReadAccountsBasic", "ReadBalances"] };
    expect(first.body).toEqual(recordOf("accounts", psu_account_id, openEnded));
    expect(second.body).toEqual(
      recordOf("accounts", psu_account_id, {
        consent_id: bounded,
        permissions,
        transaction_from_date_time: "2025-12-31T23:00:00Z",
        transaction_to_date_time: "2027-01-01T00:00:00Z",
      }),
    );
  });

  test("under a payment order consent: the consent's id, and no permissions", async () => {
    const consent_id = await createPaymentConsent(ccg.payments);
    const fields = { psu_account_id: crypto.randomUUID(), scope: "payments" };
    const answer = await introspect(await obtainObieToken(ccg.payments, consent_id, fields));
    expect(answer.body).toEqual(recordOf("payments", fields.psu_account_id, { consent_id }));
  });

  test("iat and exp are those of the token's record, in whole seconds", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Math.ceil(Date.now() / 1000) * 1000 + 750 });
    const token = await obtainToken("seconds");
    const record = (await call("GET", `/v1/oauth2/tokens/${token}`)).body.data;
    const { iat, exp } = (await introspect(token)).body;
    expect([iat, exp]).toEqual([record.iat, record.exp]);
    expect(exp - iat).toBe(env.ACCESS_TOKEN_SECONDS);
  });

  test("asked by a form, percent-encoded or not, with or without a hint", async () => {
    const token = await obtainToken("form");
    const encoded = [...token].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
    for (const body of [
      `token=${token}`,
      `token=${encoded}`,
      `token_type_hint=refresh_token&token=${token}`,
      `token=${token}&token_type_hint=anything&unknown=`,
    ])
      expect((await asForm(body)).body).toMatchObject({ active: true, account_id: "form" });
    const charset = { "Content-Type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8" };
    const answer = await call("POST", "/v1/introspect", { headers: charset, body: `token=${token}` });
    expect(answer.body.active).toBe(true);
  });
});

describe("a token that is not active is told nothing of, and the log line says why", () => {
  test.each([
    ["no token at all", "good-access-token"],
    ["a forged one", `20990101T000000Z.${"a".repeat(31)}.${"A".repeat(43)}`],
    ["a JWT of somebody else", `eyJ${"a".repeat(3_000)}.e30.${"b".repeat(86)}`],
    ["SQL", "' OR 1=1--"],
    ["letters of another script", "ключ-😀"],
  ])("%s, without a read", async (_, token) => {
    await introspect("x");
    const { env: counted, trips } = countRoundTrips(env);
    expect(tell(await introspect(token, { eidas: eidasHeader("scenario-3") }, counted))).toEqual([
      INACTIVE,
      "token_unknown",
      null,
    ]);
    expect(trips.calls).toEqual([]);
  });

  test("of another institution; altered; that is no longer stored", async () => {
    const token = await obtainToken("mine");
    expect(tell(await introspect(token, OTHER_FI))).toEqual([INACTIVE, "token_unknown", null]);
    const altered = `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}`;
    expect(tell(await introspect(altered))).toEqual([INACTIVE, "token_unknown", null]);
    expect(tell(await introspect(token))).toEqual([expect.objectContaining({ active: true }), "ok", AMBER]);
    await env.DB.prepare("DELETE FROM tokens WHERE id = ?1").bind(token.split(".")[1]).run();
    expect(tell(await introspect(token))).toEqual([INACTIVE, "token_unknown", null]);
  });

  test("expired, from its very exp on", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = await obtainToken("expiring");
    const { exp } = (await introspect(token)).body;
    vi.setSystemTime(exp * 1000 - 1);
    expect((await introspect(token)).body.active).toBe(true);
    vi.setSystemTime(exp * 1000);
    expect(tell(await introspect(token))).toEqual([INACTIVE, "token_expired", AMBER]);
  });

  test("revoked", async () => {
    const token = await obtainToken("revoked");
    await call("DELETE", `/v1/oauth2/tokens/${token}`);
    expect(tell(await introspect(token))).toEqual([INACTIVE, "token_revoked", AMBER]);
  });

  test("whose consent the PSP has deleted", async () => {
    const consent = await createAccountConsent(ccg.accounts);
    const token = await obtainObieToken(ccg.accounts, consent);
    await call("DELETE", `/v1/obie/account_access_consents/${consent}`, { headers: { ccg_token: ccg.accounts } });
    expect(tell(await introspect(token))).toEqual([INACTIVE, "token_revoked", AMBER]);
  });

  test("that the customer has withdrawn", async () => {
    const psu_account_id = crypto.randomUUID();
    const tokens = [
      await obtainToken(psu_account_id),
      await obtainObieToken(ccg.accounts, await createAccountConsent(ccg.accounts), { psu_account_id }),
    ];
    await call("DELETE", `/v1/accounts/${psu_account_id}/permissions?by=customer`);
    for (const token of tokens) expect(tell(await introspect(token))).toEqual([INACTIVE, "token_revoked", AMBER]);
  });

  test("that has outlived its consent, should it ever", async () => {
    const consent = await createAccountConsent(ccg.accounts);
    const token = await obtainObieToken(ccg.accounts, consent);
    const change = (set: string) =>
      env.DB.prepare(`UPDATE account_access_consents SET ${set} WHERE id = ?1`).bind(consent);
    await change(`ends_at = ${Date.now() - 1}`).run();
    expect(tell(await introspect(token))).toEqual([INACTIVE, "consent_ended", AMBER]);
    await change("ends_at = NULL, status = 'Revoked'").run();
    expect(tell(await introspect(token))).toEqual([INACTIVE, "consent_ended", AMBER]);
    await env.DB.prepare("DELETE FROM account_access_consents WHERE id = ?1").bind(consent).run();
    expect(tell(await introspect(token))).toEqual([INACTIVE, "consent_ended", AMBER]);
  });

  test("whose account is blocked for its scope, while the block lasts", async () => {
    const account = crypto.randomUUID();
    const [accounts, payments] = [await obtainToken(account), await obtainToken(account, {}, "payments")];
    await call("PUT", `/v1/accounts/${account}/block`, { body: { scopes: ["accounts"] } });
    expect(tell(await introspect(accounts))).toEqual([INACTIVE, "account_blocked", AMBER]);
    expect((await introspect(payments)).body.active).toBe(true);
    await call("DELETE", `/v1/accounts/${account}/block`);
    expect((await introspect(accounts)).body.active).toBe(true);
  });
});

describe("with the certificate of the PSP that shows the token", () => {
  let token: string;
  beforeAll(async () => {
    token = await obtainToken("shown");
  });

  test.each(["scenario-1", "scenario-1-renewed"])("its own (%s): active", async (name) => {
    expect((await introspect(token, { eidas: eidasHeader(name) })).body).toEqual(
      recordOf("accounts", "shown", { cnf: { "x5t#S256": expect.stringMatching(/^[\w-]{43}$/) } }),
    );
  });

  test.each<[string, () => string, string, string]>([
    ["another PSP's", () => eidasHeader("scenario-9"), "token_of_another_psp", "PSDXX-TEST-000009"],
    ["a revoked one", () => eidasHeader("scenario-5"), "certificate_revoked", "PSDXX-TEST-000005"],
    ["an expired one", () => eidasHeader("scenario-4"), "certificate_expired", "PSDXX-TEST-000004"],
    ["one of a QTSP that is on no list", () => eidasHeader("unlisted-qtsp"), "qtsp_invalid", "PSDXX-TEST-000018"],
    ["one without a number", () => unnamed, "certificate_authorisation_number_missing", AMBER],
  ])("%s: not active", async (_, eidas, outcome, psp) => {
    expect(tell(await introspect(token, { eidas: eidas() }))).toEqual([INACTIVE, outcome, psp]);
    expect((await introspect(token)).body.active).toBe(true);
  });

  test("a stolen token that has ended is logged as ended", async () => {
    const revoked = await obtainToken("revoked");
    await call("DELETE", `/v1/oauth2/tokens/${revoked}`);
    const answer = await introspect(revoked, { eidas: eidasHeader("scenario-9") });
    expect(tell(answer)).toEqual([INACTIVE, "token_revoked", "PSDXX-TEST-000009"]);
  });

  test("a role that it does not have any more is a reason in the decision", async () => {
    const own = { eidas: eidasHeader("payments-only") };
    const payments = await obtainToken("roles", own, "payments");
    const { decision } = (await introspect(payments, own)).body.psp;
    expect(decision).toEqual({ allowed: true, reasons: [] });
    // a certificate of the same PSP for accounts only is not among the fixtures: its token is changed instead
    await env.DB.prepare("UPDATE tokens SET scope = 'accounts' WHERE id = ?1").bind(payments.split(".")[1]).run();
    const changed = (await introspect(payments, own)).body;
    expect([changed.active, changed.psp.decision.allowed]).toEqual([true, false]);
    expect(changed.psp.decision.reasons[0]).toMatchObject({ code: "role_not_on_certificate", whose: "psp" });
  });

  test.each([
    ["unreadable", { eidas: "!!!" }, "certificate_unreadable", /^Header eidas is unreadable: /],
    ["cut off", { eidas: eidasHeader("scenario-1").slice(0, 500) }, "certificate_unreadable", /truncated/],
    ["empty", { eidas: "" }, "certificate_missing", /^Header eidas is empty: leave it out if the PSP shows no cert/],
    [
      "sent as x-eidas",
      { "x-eidas": eidasHeader("scenario-1") },
      "certificate_missing",
      /x-eidas was renamed to eidas/,
    ],
  ])("%s: 400, whatever the token", async (_, headers, code, title) => {
    for (const text of [token, "unknown"]) {
      const answer = await introspect(text, headers);
      expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
      expect(answer.body.errors[0].title).toMatch(title);
    }
  });
});

describe("what the register says of the PSP now", () => {
  const PSP = "PSDXX-TEST-000010";

  /** Other tests of this isolate may have read them at a later time. */
  const forgetRegisters = () => {
    for (const number of [AMBER, PSP]) memories.get("registers")?.delete(memoryKey(`XX ${number}`));
  };

  async function setStatus(status: string): Promise<void> {
    await importStatus(PSP, status);
    forgetRegisters();
  }

  test("a PSP that has lost its authorisation: active, withdrawn, not allowed", async () => {
    const token = await obtainToken("lost", { eidas: eidasHeader("scenario-10") });
    expect((await introspect(token)).body.psp).toMatchObject({ standing: "Authorised", decision: { allowed: true } });
    await setStatus("Withdrawn");
    const { active, psp } = (await introspect(token)).body;
    expect(active).toBe(true);
    expect(psp).toEqual({
      legal_name: expect.any(String),
      standing: "Withdrawn",
      decision: {
        allowed: false,
        reasons: [
          {
            code: "authorisation_withdrawn",
            message: `the authorisation of PSP ${PSP} has been withdrawn in its home register`,
            whose: "nca",
          },
        ],
      },
    });
    await setStatus("Authorised");
  });

  test("a register that cannot be read: active, standing unknown, not allowed, and the source is the reason", async () => {
    const token = await obtainToken("unreadable");
    forgetRegisters();
    const noKeyValueStore = {
      ...env,
      KV: { get: () => Promise.reject(new Error("no KV")) },
    } as unknown as Cloudflare.Env;
    const { active, psp } = (await introspect(token, {}, noKeyValueStore)).body;
    expect(active).toBe(true);
    expect(psp).toEqual({
      legal_name: null,
      standing: null,
      decision: {
        allowed: false,
        reasons: [
          {
            code: "register_unreadable",
            message: `the home register of PSP ${AMBER} could not be read`,
            whose: "source",
          },
        ],
      },
    });
  });
});

test("without D1: 503, not a yes and not a no", async () => {
  const token = await obtainToken("no-database");
  const noDatabase = { ...env, DB: failingDatabase(env.DB, () => true, "before") };
  const answer = await introspect(token, {}, noDatabase);
  expect([answer.status, codesOf(answer)]).toEqual([503, ["temporarily_unavailable"]]);
});

describe("a form that is malformed", () => {
  test.each([
    ["empty", "", "token_missing", /^token is missing$/],
    ["without token", "token_type_hint=access_token", "token_missing", /^token is missing$/],
    ["with an empty token", "token=", "token_invalid", /^token is empty$/],
    [
      "with the token twice",
      "token=s3cret&token=s3cret",
      "body_malformed",
      /^The body has the parameter "token" twice$/,
    ],
    ["with a line break", "token=abc%0A", "token_invalid", /^token contains a control character$/],
    ["with a token that is too long", `token=${"a".repeat(8_193)}`, "token_invalid", /^token is longer than 8192 char/],
    ["not percent-encoded", "token=%zz", "body_malformed", /^Parameter 1 of the body is not percent-encoded UTF-8$/],
    ["JSON", '{"token":"s3cret"}', "body_malformed", /^The body is JSON, but Content-Type is that of a form: send app/],
    ["too large", `token=a&x=${"x".repeat(65_536)}`, "body_too_large", /^The body is larger than 64 KiB/],
  ])("%s", async (_, body, code, title) => {
    const answer = await asForm(body);
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
    expect(answer.body.errors[0].title).toMatch(title);
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
  });

  test.each(["text/plain", "multipart/form-data; boundary=x", "application/jwt"])("of the type %s", async (type) => {
    const answer = await call("POST", "/v1/introspect", { headers: { "Content-Type": type }, body: "token=a" });
    expect([answer.status, codesOf(answer)]).toEqual([400, ["content_type_invalid"]]);
    expect(answer.body.errors[0].title).toMatch(
      /must be application\/json or application\/x-www-form-urlencoded, not "/,
    );
  });
});

test("no log line holds the token, whatever was asked", async () => {
  const token = await obtainToken("silent");
  for (const ask of [
    () => introspect(token),
    () => asForm(`token=${token}`),
    () => introspect(token, OTHER_FI),
    () => introspect(token, { eidas: eidasHeader("scenario-9") }),
    () => asForm(`${token}&${token}`),
  ])
    await ask();
  const lines = log.mock.calls.flat().join("\n");
  expect(lines).toContain("/v1/introspect");
  expect(lines).not.toContain(token.slice(-20));
  expect(lines).not.toContain(token.split(".")[1]);
});
