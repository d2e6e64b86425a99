import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { call, codesOf, obtainCode, obtainToken, REDIRECT_URI, tokenRequest } from "../../bank.ts";
import { eidasHeader, loadSandbox, OTHER_FI } from "../../sandbox.ts";

beforeAll(loadSandbox);
afterEach(() => vi.useRealTimers());

const PATH = "/v1/oauth2/tokens";
const PSP = { eidas: eidasHeader("scenario-1") };

const exchange = (body: unknown, headers: Record<string, string> = {}) =>
  call("POST", PATH, { headers: { ...PSP, ...headers }, body });
const list = async (accountId: string) => (await call("GET", `/v1/oauth2/account/${accountId}/tokens`)).body.data;

describe("POST with an authorization code", () => {
  test("answers a bearer token with the code's scope", async () => {
    const code = await obtainCode("a-1", {}, "payments");
    const answer = await exchange(tokenRequest(code, "a-1"));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { access_token: expect.any(String), expires_in: 3600, token_type: "bearer", scope: "payments" },
    });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test("a second use is denied, and revokes the token of the first", async () => {
    const code = await obtainCode("a-2");
    const token = (await exchange(tokenRequest(code, "a-2"))).body.data.access_token;
    const again = await exchange(tokenRequest(code, "a-2"));
    expect([again.status, codesOf(again)]).toEqual([403, ["code_used"]]);
    expect(again.body.errors[0].title).toBe(
      "the code was used before; the token issued for it, if any, is now revoked",
    );
    const { body } = await call("GET", `${PATH}/${token}`);
    expect(body.data).toMatchObject({ active: false, revoked_at: expect.any(Number) });
  });

  test("of 200 uses at the same instant one is answered with a token", async () => {
    const code = await obtainCode("a-3");
    const answers = await Promise.all(Array.from({ length: 200 }, () => exchange(tokenRequest(code, "a-3"))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(199);
    expect(await list("a-3")).toHaveLength(1);
  });

  test("at 59.999 seconds a code lives, at 60.000 it is dead", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const issued = Date.now();
    const [early, late] = [await obtainCode("a-4"), await obtainCode("a-4")];
    vi.setSystemTime(issued + 59_999);
    expect((await exchange(tokenRequest(early, "a-4"))).status).toBe(201);
    vi.setSystemTime(issued + 60_000);
    const answer = await exchange(tokenRequest(late, "a-4"));
    expect([answer.status, codesOf(answer)]).toEqual([403, ["code_expired"]]);
  });

  test.each([
    ["another PSP's", { eidas: eidasHeader("scenario-10") }, {}, "code_unknown"],
    ["another FI's", OTHER_FI, {}, "code_unknown"],
    ["of another redirect URI", {}, { redirect_uri: `${REDIRECT_URI}/` }, "redirect_uri_mismatch"],
  ])("a code %s is denied, and not consumed", async (_, headers, query, reason) => {
    const code = await obtainCode("a-5");
    const answer = await exchange(tokenRequest(code, "a-5", query), headers);
    expect([answer.status, codesOf(answer)]).toEqual([403, [reason]]);
    expect((await exchange(tokenRequest(code, "a-5"))).status).toBe(201);
  });

  test("a code of another account is denied, and not consumed", async () => {
    const code = await obtainCode("a-6");
    expect(codesOf(await exchange(tokenRequest(code, "a-7")))).toEqual(["account_id_mismatch"]);
    expect((await exchange(tokenRequest(code, "a-6"))).status).toBe(201);
  });

  test("a PSP's renewed certificate goes on with its codes", async () => {
    const code = await obtainCode("a-8");
    const answer = await exchange(tokenRequest(code, "a-8"), { eidas: eidasHeader("scenario-1-renewed") });
    expect(answer.status).toBe(201);
  });

  test("an access token where a code belongs is unknown", async () => {
    const token = await obtainToken("a-9");
    expect(codesOf(await exchange(tokenRequest(token, "a-9")))).toEqual(["code_unknown"]);
  });
});

describe("POST with client_credentials", () => {
  const clientCredentials = (fields: object = {}, certificate = "scenario-1") =>
    exchange(
      { client_request_query_parameters: { grant_type: "client_credentials", ...fields } },
      { eidas: eidasHeader(certificate) },
    );

  test.each([
    ["scenario-1", {}, "payments"],
    ["scenario-1", { scope: "accounts" }, "accounts"],
    ["accounts-only", {}, "accounts"],
  ])("%s with %j gets the literal token for %s", async (certificate, fields, scope) => {
    const answer = await clientCredentials(fields, certificate);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { access_token: "good-access-token", expires_in: 3600, token_type: "bearer", scope },
    });
  });

  test.each(["AIS", "payments accounts", "PAYMENTS", "", null, 7, ["accounts"]])(
    "8: a scope that is no word of the interface is ignored: %j",
    async (scope) => {
      const answer = await clientCredentials({ scope });
      expect([answer.status, answer.body.data?.scope]).toEqual([201, "payments"]);
    },
  );

  test("the literal token opens nothing, and a header says so; of a real one there is none", async () => {
    const { body, headers } = await clientCredentials();
    expect(headers.get("token-warning")).toMatch(/^good-access-token opens nothing: /);
    const token = body.data.access_token;
    expect((await call("POST", "/v1/introspect", { body: { token } })).body).toEqual({ active: false });
    const shown = { access_token: token, eidas: eidasHeader("scenario-1") };
    expect((await call("GET", "/v1/access?scope=accounts", { headers: shown })).status).toBe(401);
    const real = await exchange(tokenRequest(await obtainCode("c-2"), "c-2"));
    expect([real.status, real.headers.get("token-warning")]).toEqual([201, null]);
  });

  test("the literal token is stored nowhere", async () => {
    const body = {
      account_id: "c-1",
      client_request_query_parameters: { grant_type: "client_credentials" },
    };
    expect((await exchange(body)).status).toBe(201);
    expect(await list("c-1")).toEqual([]);
    expect((await call("GET", `${PATH}/good-access-token`)).status).toBe(404);
  });

  test.each([
    ["scenario-2", {}, "PSP PSDXX-TEST-000002 is unauthorised in its home register"],
    ["scenario-2", { scope: "accounts" }, "PSP PSDXX-TEST-000002 is unauthorised in its home register"],
    ["scenario-8", {}, "the authorisation of PSP PSDXX-TEST-000008 has been withdrawn in its home register"],
    [
      "scenario-3",
      {},
      "the home register does not give PSP PSDXX-TEST-000003 payment service 7, which scope payments needs; the home register does not give PSP PSDXX-TEST-000003 payment service 8, which scope accounts needs",
    ],
    [
      "accounts-only",
      { scope: "payments" },
      "the certificate of PSP PSDXX-TEST-000011 has no role for payment service 7, which scope payments needs",
    ],
  ])("%s with %j is refused, with the reason", async (certificate, fields, title) => {
    const answer = await clientCredentials(fields, certificate);
    expect([answer.status, codesOf(answer)]).toEqual([403, ["payment_service_invalid"]]);
    expect(answer.body.errors[0].title).toBe(title);
  });
});

describe("GET and DELETE of a token", () => {
  test("the record is the one of the account's list", async () => {
    const before = Math.floor(Date.now() / 1000);
    const token = await obtainToken("d-1");
    const { status, body } = await call("GET", `${PATH}/${token}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        token,
        active: true,
        psp_id: "PSDXX-TEST-000001",
        account_id: "d-1",
        scope: "accounts",
        exp: body.data.iat + 3600,
        iat: expect.any(Number),
        revoked_at: null,
      },
    });
    expect(body.data.iat).toBeGreaterThanOrEqual(before);
    expect(await list("d-1")).toEqual([body.data]);
  });

  test("a deleted token is inactive; a second deletion changes nothing", async () => {
    const token = await obtainToken("d-2");
    const first = await call("DELETE", `${PATH}/${token}`);
    expect([first.status, first.body]).toEqual([204, undefined]);
    const { data } = (await call("GET", `${PATH}/${token}`)).body;
    expect(data).toMatchObject({ active: false, revoked_at: expect.any(Number) });
    expect((await call("DELETE", `${PATH}/${token}`)).status).toBe(204);
    expect((await call("GET", `${PATH}/${token}`)).body.data).toEqual(data);
  });

  test("a token is inactive from the second of its exp on, and has no revocation", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = await obtainToken("d-3");
    const { exp } = (await call("GET", `${PATH}/${token}`)).body.data;
    vi.setSystemTime(exp * 1000 - 1);
    expect((await call("GET", `${PATH}/${token}`)).body.data.active).toBe(true);
    vi.setSystemTime(exp * 1000);
    expect((await call("GET", `${PATH}/${token}`)).body.data).toMatchObject({ active: false, revoked_at: null });
  });

  test("an expired token is deleted without a revocation: 204, and revoked_at stays null", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const token = await obtainToken("d-5");
    const { data } = (await call("GET", `${PATH}/${token}`)).body;
    vi.setSystemTime(data.exp * 1000);
    for (let time = 0; time < 2; time++) expect((await call("DELETE", `${PATH}/${token}`)).status).toBe(204);
    expect((await call("GET", `${PATH}/${token}`)).body.data).toEqual({ ...data, active: false });
    expect((await call("DELETE", `${PATH}/${token}`, { headers: OTHER_FI })).status).toBe(404);
  });

  test("a replay of the code of an expired token leaves revoked_at null", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const code = await obtainCode("d-6");
    const token = (await exchange(tokenRequest(code, "d-6"))).body.data.access_token;
    const { data } = (await call("GET", `${PATH}/${token}`)).body;
    vi.setSystemTime(data.exp * 1000);
    expect(codesOf(await exchange(tokenRequest(code, "d-6")))).toEqual(["code_used"]);
    expect((await call("GET", `${PATH}/${token}`)).body.data).toEqual({ ...data, active: false });
  });

  test.each(["nothing", "20990101T000000Z.abc.def", "..%2F..%2Fetc", "'%20OR%201=1--", "%00", "%F0%9F%98%80", "%25zz"])(
    "%s is no token: 404 by GET and DELETE",
    async (text) => {
      for (const method of ["GET", "DELETE"]) {
        const answer = await call(method, `${PATH}/${text}`);
        expect([answer.status, codesOf(answer)]).toEqual([404, ["token_not_found"]]);
      }
    },
  );

  test("no table holds the token's text, nor anything that it could be made of without the key", async () => {
    const token = await obtainToken("d-4");
    const [, id = "", mac = ""] = token.split(".");
    const dump = JSON.stringify((await env.DB.prepare("SELECT * FROM tokens").all()).results);
    expect(dump).toContain(id);
    expect(dump).not.toContain(mac);
  });
});
