/** Every endpoint is tried with what belongs to the other FI, or to another PSP: nothing leaks and nothing changes. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { makeRecordId } from "../../../src/grants/record-order.ts";
import { ENDPOINTS } from "../../../src/http/endpoints.ts";
import { insertFinancialInstitution } from "../../../src/institutions/financial-institutions.ts";
import { hashSecret } from "../../../src/platform/secrets.ts";
import {
  type Answer,
  call,
  codesOf,
  createAccountConsent,
  createPaymentConsent,
  obieCodeRequest,
  obtainCcgToken,
  obtainCode,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { prepareGranted } from "../granted.ts";
import { sampleOf, send } from "../samples.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../sandbox.ts";

const EIDAS = { eidas: eidasHeader("scenario-1") };
const ACCOUNT = "isolated-account";

/** What the sandbox FI has. */
let mine: { accounts: string; token: string; obieToken: string; consent: string; code: string; obieCode: string };
/** The other FI's CCG tokens, for the same PSP. */
let theirs: { accounts: string; payments: string };

beforeAll(async () => {
  await loadSandbox();
  const accounts = await obtainCcgToken("accounts");
  const consent = await createAccountConsent(accounts);
  mine = {
    accounts,
    consent,
    token: await obtainToken(ACCOUNT),
    obieToken: await obtainObieToken(accounts, consent, { psu_account_id: ACCOUNT }),
    code: await obtainCode(ACCOUNT),
    obieCode: await obtainObieCode(accounts, consent, { psu_account_id: ACCOUNT }),
  };
  theirs = {
    accounts: await obtainCcgToken("accounts", "scenario-1", OTHER_FI),
    payments: await obtainCcgToken("payments", "scenario-1", OTHER_FI),
  };
  await call("GET", "/v1/psp/eidas?jurisdiction=xx", { headers: { eidas: eidasHeader("scenario-9") } });
  await call("PUT", "/v1/psp/watches/PSDXX-TEST-000001", { body: {} });
});

/** They make something anew, or name nothing that anybody has: what can be told by them stands below. */
const NAMES_NOTHING =
  /^POST .*(eidas|authorization_codes$|ccg_tokens|consents|checks|signatures)|\/(watches|block|events|head|eidas|records$)/;
const NAMING = ENDPOINTS.map(({ method, path }) => `${method} ${path}`).filter(
  (name) => !NAMES_NOTHING.test(name) || name === "POST /v1/obie/authorization_codes",
);

/** The other FI's answer to what is ours, beside its answer to what nobody has: they must be the same. */
const PAIRS: [string, (own: boolean) => Promise<Answer>][] = [
  [
    "introspection of a token under a consent, with its PSP's certificate",
    (own) =>
      call("POST", "/v1/introspect", {
        headers: { ...OTHER_FI, ...EIDAS },
        body: { token: own ? mine.obieToken : "nothing" },
      }),
  ],
  [
    "access by a token under a consent",
    (own) =>
      call("GET", "/v1/access?scope=accounts&max_age=60", {
        headers: { ...OTHER_FI, ...EIDAS, access_token: own ? mine.obieToken : "nothing" },
      }),
  ],
  [
    "DELETE of an open-banking token",
    (own) => call("DELETE", `/v1/oauth2/tokens/${own ? mine.obieToken : "nothing"}`, { headers: OTHER_FI }),
  ],
  [
    "a code for a payment order consent",
    async (own) => {
      const order = own ? await createPaymentConsent(await obtainCcgToken("payments")) : "nothing";
      return call("POST", "/v1/obie/authorization_codes", {
        headers: { ...OTHER_FI, ccg_token: theirs.payments },
        body: obieCodeRequest(order, { scope: "payments" }),
      });
    },
  ],
  [
    "the list of payment order consents, filtered",
    async (own) => {
      const order = own ? await createPaymentConsent(await obtainCcgToken("payments")) : makeRecordId(0);
      const headers = { ...OTHER_FI, ccg_token: theirs.payments };
      return call("GET", `/v1/obie/payment_order_consents?consent_id=${order}`, { headers });
    },
  ],
  [
    "withdrawal of a permission of tokens without a consent",
    (own) =>
      call("DELETE", `/v1/accounts/${ACCOUNT}/permissions/${own ? idOf(mine.token) : makeRecordId(0)}`, {
        headers: OTHER_FI,
      }),
  ],
  ["the events of another institution", async (own) => (own ? await readOwn() : eventsOf(""))],
  ["the watches of another institution", () => call("GET", "/v1/psp/watches", { headers: OTHER_FI })],
  ["the end of a watch", () => call("DELETE", "/v1/psp/watches/PSDXX-TEST-000001", { headers: OTHER_FI })],
  [
    "a block of an account",
    async (own) => {
      const path = `/v1/accounts/${own ? ACCOUNT : "nothing"}/block`;
      const answer = await call("PUT", path, { headers: OTHER_FI, body: { scopes: ["accounts", "payments"] } });
      return { ...answer, body: answer.body.data.scopes };
    },
  ],
  [
    "the records about a PSP that only we have asked about",
    (own) => call("GET", `/v1/audit/records?psp_id=PSDXX-TEST-00000${own ? 9 : 8}`, { headers: OTHER_FI }),
  ],
];
const eventsOf = async (after: string): Promise<Answer> => {
  const answer = await call("GET", `/v1/events${after}`, { headers: OTHER_FI });
  return { ...answer, body: answer.body.data ?? answer.body };
};
/** Our own position in our own list is none of theirs. */
const readOwn = async (): Promise<Answer> => {
  const { next_after } = (await call("GET", "/v1/events")).body;
  expect(codesOf(await eventsOf(`?after=${next_after}`))).toEqual(["after_invalid"]);
  return eventsOf("");
};
const idOf = (token: string): string => token.split(".")[1] ?? "";

const withoutId = ({ status, body }: Answer) =>
  JSON.stringify([status, body], (key, value: unknown) => (key === "id" ? null : value));

describe("to another FI, what is ours is as what nobody has", () => {
  function expectSame(ours: Answer, nobodys: Answer): void {
    expect(withoutId(ours)).toBe(withoutId(nobodys));
    expect([...ours.headers.keys()]).toEqual([...nobodys.headers.keys()]);
  }
  test.each(NAMING)("%s", async (name) => {
    const { credential, scope = "accounts" } = sampleOf(name);
    const headers = { ...OTHER_FI, ...(credential === "ccg_token" && { ccg_token: theirs[scope] }) };
    const ask = await prepareGranted(name, { account: ACCOUNT });
    expectSame(await ask({ headers }), await send(name, { headers }));
  });
  test.each(PAIRS)("%s", async (_, ask) => expectSame(await ask(true), await ask(false)));

  test("our CCG token is worth nothing to another FI", async () => {
    const answer = await call("GET", `/v1/obie/tokens/${mine.obieToken}`, {
      headers: { ...OTHER_FI, ccg_token: mine.accounts },
    });
    expect([answer.status, codesOf(answer)]).toEqual([401, ["ccg_token_invalid"]]);
  });

  test("after all that, what is ours is as it was", async () => {
    const watches = (await call("GET", "/v1/psp/watches")).body.data;
    expect(watches.map((watch: { psp_id: string }) => watch.psp_id)).toEqual(["PSDXX-TEST-000001"]);
    const { data } = (await call("GET", `/v1/oauth2/account/${ACCOUNT}/tokens`)).body;
    expect(new Set(data.map((record: { active: boolean }) => record.active))).toEqual(new Set([true]));
    const headers = { ccg_token: mine.accounts };
    expect((await call("GET", `/v1/obie/account_access_consents/${mine.consent}`, { headers })).status).toBe(200);
    const core = await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(mine.code, ACCOUNT) });
    expect(core.status).toBe(201);
    const body = { auth_code: mine.obieCode, redirect_uri: REDIRECT_URI };
    expect((await call("POST", "/v1/obie/tokens", { headers, body })).status).toBe(201);
  });
});

test("no log line holds a token, code, secret or certificate", async () => {
  const lines: string[] = [];
  const spies = (["log", "error", "warn"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void lines.push(parts.join(" "))),
  );
  const code = await obtainCode(ACCOUNT);
  await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, ACCOUNT) });
  await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest(code, ACCOUNT) });
  await call("GET", `/v1/oauth2/tokens/${mine.token}`);
  await call("POST", "/v1/introspect", { body: { token: mine.token } });
  await call("GET", `/v1/obie/tokens/${mine.obieToken}`, { headers: { ccg_token: mine.accounts } });
  await call("GET", "/v1/oauth2/tokens/nothing", {
    headers: { Authorization: `Basic ${btoa("sandbox-fi:wrong-one")}` },
  });
  for (const spy of spies) spy.mockRestore();
  const log = lines.join("\n");
  expect(log).toContain("/v1/oauth2/tokens/{token}");
  for (const secret of [code, mine.token, mine.obieToken, mine.accounts, EIDAS.eidas, "sandbox-secret", "wrong-one"])
    expect(log).not.toContain(secret.slice(-20));
});

test("an aggregator's one credential speaks for two FIs, whose tokens stay apart", async () => {
  const secret = { clientId: "aggregator", secretHash: hashSecret("aggregator-secret"), now: 0 };
  await insertFinancialInstitution(env.DB, { name: "First", fiReferenceId: "PSDXX-TEST-AGG001", ...secret });
  const second = { name: "Second", fiReferenceId: "PSDXX-TEST-AGG002", ...secret, secretHash: null };
  await insertFinancialInstitution(env.DB, second);
  const headersOf = (fi_reference_id: string) => ({
    Authorization: `Basic ${btoa("aggregator:aggregator-secret")}`,
    fi_reference_id,
  });
  const token = await obtainToken("aggregated", headersOf("PSDXX-TEST-AGG001"));
  const statusOf = async (fiReferenceId: string) =>
    (await call("GET", `/v1/oauth2/tokens/${token}`, { headers: headersOf(fiReferenceId) })).status;
  expect(await statusOf("PSDXX-TEST-AGG001")).toBe(200);
  expect(await statusOf("PSDXX-TEST-AGG002")).toBe(404);
  expect(await statusOf("PSDXX-TEST-FI0001")).toBe(401);
});
