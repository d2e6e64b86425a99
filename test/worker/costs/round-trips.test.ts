/** The round trips that are promised, counted: what a request waits for, one after another. The table is round-trip-table.test.ts. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { memories, memoryKey } from "../../../src/platform/memory.ts";
import {
  type Answer,
  call,
  createAccountConsent,
  createPaymentConsent,
  obtainCcgToken,
  obtainObieCode,
  obtainObieToken,
  obtainToken,
  REDIRECT_URI,
  tokenRequest,
} from "../bank.ts";
import { countRoundTrips } from "../bindings.ts";
import { issueUnnamedCertificate } from "../mistakes/unnamed-certificate.ts";
import { eidasHeader, loadSandbox, SANDBOX_FI } from "../sandbox.ts";

let ccg_token: string;
beforeAll(async () => {
  await loadSandbox();
  ccg_token = await obtainCcgToken();
});

const EIDAS = { eidas: eidasHeader("scenario-1") };
/** The same credentials in another spelling, new to the isolate's memory each time. */
let spelling = 0;
const newToTheIsolate = () => ({
  Authorization: SANDBOX_FI.Authorization.replace("Basic ", `Basic${" ".repeat(++spelling + 1)}`),
});

interface Step {
  headers: Record<string, string>;
  env: Cloudflare.Env;
}
async function count(request: (step: Step) => Promise<Answer>, headers: Record<string, string>) {
  const { env: counted, trips } = countRoundTrips(env);
  const { status } = await request({ headers, env: counted });
  return { status, rounds: trips.rounds, calls: [...trips.calls].sort() };
}

const CODE = "AUTHORIZATION_CODE";

describe("a warm isolate", () => {
  test("POST /v1/oauth2/tokens for client_credentials: none", async () => {
    const body = { client_request_query_parameters: { grant_type: "client_credentials" } };
    const ask = (step: Step) => call("POST", "/v1/oauth2/tokens", { ...step, body });
    expect(await count(ask, EIDAS)).toEqual({ status: 201, rounds: 0, calls: [] });
  });

  test("POST /v1/obie/tokens for a payment order, which it consumes: the same", async () => {
    const headers = { ccg_token: await obtainCcgToken("payments") };
    const consent = await createPaymentConsent(headers.ccg_token);
    const auth_code = await obtainObieCode(headers.ccg_token, consent, { scope: "payments" });
    const ask = (step: Step) =>
      call("POST", "/v1/obie/tokens", { ...step, body: { auth_code, redirect_uri: REDIRECT_URI } });
    expect(await count(ask, headers)).toEqual({ status: 201, rounds: 2, calls: [CODE, "DB"] });
  });

  test("GET /v1/oauth2/tokens/{token}: one read of D1", async () => {
    const token = await obtainToken("warm-list");
    const ask = (step: Step) => call("GET", `/v1/oauth2/tokens/${token}`, step);
    expect(await count(ask, {})).toEqual({ status: 200, rounds: 1, calls: ["DB"] });
  });

  test("an account's permissions: one batch", async () => {
    await obtainToken("warm-permissions");
    const ask = (step: Step) => call("GET", "/v1/accounts/warm-permissions/permissions", step);
    expect(await count(ask, {})).toEqual({ status: 200, rounds: 1, calls: ["DB"] });
  });

  test("withdrawals: a ticket, then one batch; and so for blocks", async () => {
    const two = { status: 204, rounds: 2, calls: ["DB", "DB"] };
    const id = await createAccountConsent(ccg_token);
    await obtainObieToken(ccg_token, id, { psu_account_id: "warm-account" });
    const withdraw = (path: string) => (step: Step) => call("DELETE", `/v1/accounts/warm-account/${path}`, step);
    expect(await count(withdraw(`permissions/${id}`), {})).toEqual(two);
    expect(await count(withdraw("permissions"), {})).toEqual(two);
    const block =
      (...scopes: string[]) =>
      (step: Step) =>
        call("PUT", "/v1/accounts/warm-account/block", { ...step, body: { scopes } });
    expect(await count(block("accounts", "payments"), {})).toEqual({ ...two, status: 200 });
    expect(await count(block("accounts"), {})).toEqual({ ...two, status: 200 });
    expect(await count(withdraw("block"), {})).toEqual(two);
  });

  test("events and watches: one of D1; a watch takes a ticket before", async () => {
    const one = { status: 200, rounds: 1, calls: ["DB"] };
    const ask = (method: string, path: string, body?: object) => (step: Step) =>
      call(method, path, { ...step, ...(body && { body }) });
    expect(await count(ask("GET", "/v1/events"), {})).toEqual(one);
    expect(await count(ask("GET", "/v1/psp/watches"), {})).toEqual(one);
    const path = "/v1/psp/watches/PSDXX-TEST-000099";
    expect(await count(ask("PUT", path, {}), {})).toMatchObject({ status: 200, rounds: 3 });
    expect(await count(ask("DELETE", path), {})).toEqual({ status: 204, rounds: 2, calls: ["DB", "DB"] });
  });

  test("POST /v1/psp/checks of seen certificates: none; of another jurisdiction and new ones: two of KV", async () => {
    const names = ["scenario-1", "scenario-3"];
    const checks = names.map((name) => ({ eIDAS: eidasHeader(name), jurisdictions: ["XX"] }));
    await call("POST", "/v1/psp/checks", { body: { checks } });
    const ask = (step: Step) => call("POST", "/v1/psp/checks", { ...step, body: { checks } });
    expect(await count(ask, {})).toEqual({ status: 200, rounds: 0, calls: [] });
    const more = [...checks, { eIDAS: eidasHeader("scenario-8"), jurisdictions: ["SE"] }];
    const askMore = (step: Step) => call("POST", "/v1/psp/checks", { ...step, body: { checks: more } });
    expect(await count(askMore, {})).toMatchObject({ status: 200, rounds: 2 });
  });

  test("POST /v1/introspect, of any kind of token: one read of D1", async () => {
    const payments = await obtainCcgToken("payments");
    const fields = { scope: "payments" };
    const one = { status: 200, rounds: 1, calls: ["DB"] };
    for (const token of [
      await obtainToken("warm-introspection"),
      await obtainObieToken(ccg_token, await createAccountConsent(ccg_token)),
      await obtainObieToken(payments, await createPaymentConsent(payments), fields),
    ]) {
      const ask = (step: Step) => call("POST", "/v1/introspect", { ...step, body: { token } });
      expect(await count(ask, {})).toEqual(one);
      expect(await count(ask, EIDAS)).toEqual(one);
    }
  });

  test("GET /v1/access, of any kind of token: one read of D1; none where the answer may be old", async () => {
    const payments = await obtainCcgToken("payments");
    for (const [token, query] of [
      [await obtainToken("warm-access"), "?scope=accounts"],
      [
        await obtainObieToken(ccg_token, await createAccountConsent(ccg_token)),
        "?scope=accounts&permission=ReadBalances&standing=required",
      ],
      [await obtainObieToken(payments, await createPaymentConsent(payments), { scope: "payments" }), "?scope=payments"],
    ]) {
      const ask = (more: string) => (step: Step) =>
        call("GET", `/v1/access${query}${more}`, { ...step, headers: { ...step.headers, access_token: token } });
      for (const more of ["", "", "&max_age=5"])
        expect(await count(ask(more), EIDAS)).toEqual({ status: 200, rounds: 1, calls: ["DB"] });
      expect(await count(ask("&max_age=5"), EIDAS)).toEqual({ status: 200, rounds: 0, calls: [] });
    }
  });

  test("POST /v1/introspect with a certificate that is new to the isolate: one round, D1 beside KV", async () => {
    const token = await obtainToken("new-certificate");
    const ask = (step: Step) => call("POST", "/v1/introspect", { ...step, body: { token } });
    const counted = await count(ask, { eidas: await issueUnnamedCertificate() });
    expect(counted).toMatchObject({ status: 200, rounds: 1 });
    expect(new Set(counted.calls)).toEqual(new Set(["DB", "KV"]));
  });

  test("DELETE of a consent with its tokens: one batch", async () => {
    const id = await createAccountConsent(ccg_token);
    await obtainObieToken(ccg_token, id);
    const ask = (step: Step) => call("DELETE", `/v1/obie/account_access_consents/${id}`, step);
    expect(await count(ask, { ccg_token })).toEqual({ status: 204, rounds: 1, calls: ["DB"] });
  });
});

describe("what is forged is refused without a read", () => {
  const forgedCode = `${"0".repeat(64)}.${"A".repeat(43)}`;
  test.each<[string, (step: Step) => Promise<Answer>, () => Record<string, string>, number]>([
    [
      "a token in GET",
      (step) => call("GET", `/v1/oauth2/tokens/20990101T000000Z.a.${"A".repeat(43)}`, step),
      () => ({}),
      404,
    ],
    ["a token in DELETE", (step) => call("DELETE", "/v1/oauth2/tokens/good-access-token", step), () => ({}), 404],
    [
      "a code of the core flow",
      (step) => call("POST", "/v1/oauth2/tokens", { ...step, body: tokenRequest(forgedCode, "a") }),
      () => EIDAS,
      403,
    ],
    [
      "a code of the open-banking flow",
      (step) =>
        call("POST", "/v1/obie/tokens", { ...step, body: { auth_code: forgedCode, redirect_uri: REDIRECT_URI } }),
      () => ({ ccg_token }),
      403,
    ],
    [
      "a CCG token",
      (step) => call("GET", "/v1/obie/payment_order_consents", step),
      () => ({ ccg_token: `${ccg_token}x` }),
      401,
    ],
    [
      "a token in an introspection, with a certificate that is new to the isolate",
      (step) => call("POST", "/v1/introspect", { ...step, body: { token: "good-access-token" } }),
      () => ({ eidas: eidasHeader("scenario-6") }),
      200,
    ],
  ])("%s", async (_, ask, headers, status) => {
    expect(await count(ask, headers())).toEqual({ status, rounds: 0, calls: [] });
  });
});

describe("a cold isolate waits for one round more, in which everything is read that can be", () => {
  // each certificate is used in one test only: the isolate remembers those that it has seen
  test("GET /v1/oauth2/account/{account_id}/tokens reads each PSP's register once", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await obtainToken("cold-list");
    await obtainToken("cold-list");
    await obtainToken("cold-list", { eidas: eidasHeader("accounts-only") });
    vi.setSystemTime(Date.now() + 31_000);
    const ask = (step: Step) => call("GET", "/v1/oauth2/account/cold-list/tokens", step);
    // version 1 shows nothing of it
    expect(await count(ask, {})).toEqual({ status: 200, rounds: 1, calls: ["DB"] });
    const latest = { version: "latest" };
    expect(await count(ask, latest)).toEqual({ status: 200, rounds: 2, calls: ["DB", "KV", "KV"] });
    vi.useRealTimers();
  });

  test("GET /v1/accounts/{account_id}/permissions reads each PSP's register once", async () => {
    await obtainToken("cold-permissions");
    await obtainToken("cold-permissions", {}, "payments");
    await obtainToken("cold-permissions", { eidas: eidasHeader("accounts-only") });
    // past the registers that the test above has read, and so past the credentials too
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 200_000 });
    const ask = (step: Step) => call("GET", "/v1/accounts/cold-permissions/permissions", step);
    expect(await count(ask, {})).toEqual({ status: 200, rounds: 3, calls: ["DB", "DB", "KV", "KV"] });
    vi.useRealTimers();
  });

  test("POST /v1/introspect, with a certificate, and without it when the register is to be read again", async () => {
    const token = await obtainToken("cold-introspection");
    const ask = (step: Step) => call("POST", "/v1/introspect", { ...step, body: { token } });
    const shown = { ...newToTheIsolate(), eidas: eidasHeader("scenario-7") };
    expect(await count(ask, shown)).toMatchObject({ status: 200, rounds: 2 });
    // other tests of this isolate may have read it at a later time
    memories.get("registers")?.delete(memoryKey("XX PSDXX-TEST-000001"));
    expect(await count(ask, {})).toEqual({ status: 200, rounds: 2, calls: ["DB", "KV"] });
    expect(await count(ask, {})).toEqual({ status: 200, rounds: 1, calls: ["DB"] });
  });
});
