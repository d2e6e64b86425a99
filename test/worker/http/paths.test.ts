/** Paths: what an account id in one may hold, and what is said of a path that no endpoint has. */
import { beforeAll, describe, expect, test } from "vitest";
import {
  call,
  codeRequest,
  codesOf,
  createAccountConsent,
  obieCodeRequest,
  obtainCcgToken,
  obtainToken,
  tokenRequest,
} from "../bank.ts";
import { eidasHeader, loadSandbox } from "../sandbox.ts";

const EIDAS = { eidas: eidasHeader("scenario-1") };
let ccg_token: string;
beforeAll(async () => {
  await loadSandbox();
  ccg_token = await obtainCcgToken();
});

const list = (segment: string) => call("GET", `/v1/oauth2/account/${segment}/tokens`);

describe("an account id that no URL path can carry", () => {
  test.each([".", ".."])("%j is refused wherever it would be created", async (id) => {
    const answers = [
      await call("POST", "/v1/oauth2/authorization_codes", { headers: EIDAS, body: codeRequest({}, id) }),
      await call("POST", "/v1/oauth2/tokens", { headers: EIDAS, body: tokenRequest("a-code", id) }),
    ];
    for (const answer of answers) expect([answer.status, codesOf(answer)]).toEqual([400, ["account_id_invalid"]]);
    const body = obieCodeRequest(await createAccountConsent(ccg_token), { psu_account_id: id });
    const answer = await call("POST", "/v1/obie/authorization_codes", { headers: { ccg_token }, body });
    expect([answer.status, codesOf(answer)]).toEqual([400, ["psu_account_id_invalid"]]);
    expect(answer.body.errors[0].title).toBe(`psu_account_id is "${id}", which cannot be part of a URL path`);
  });

  // a URL parser removes them, encoded or not (RFC 3986 section 5.2.4): another path arrives
  test.each([".", "%2e", "..", "%2E%2E"])("%s withdraws and blocks nothing", async (segment) => {
    const token = await obtainToken("permissions");
    for (const [method, path] of [
      ["DELETE", `/v1/accounts/${segment}/permissions`],
      ["DELETE", `/v1/accounts/${segment}/permissions/x`],
      // an id that was left out must not withdraw everything
      ["DELETE", `/v1/accounts/permissions/permissions/${segment}`],
      ["DELETE", "/v1/accounts/permissions/permissions/"],
      ["PUT", `/v1/accounts/${segment}/block`],
    ] as const) {
      const body = method === "PUT" ? { scopes: ["accounts"] } : undefined;
      expect([path, (await call(method, path, { body })).status]).toEqual([path, 404]);
    }
    expect((await call("GET", `/v1/oauth2/tokens/${token}`)).body.data.active).toBe(true);
  });

  test.each([".", "%2e", "%2E", "..", "%2E%2E", "%2e%2e", ".%2e"])("%s is 404 where it is read", async (segment) => {
    const answer = await list(segment);
    expect([answer.status, codesOf(answer)]).toEqual([404, ["path_not_found"]]);
    expect(answer.body.errors[0].title).toContain("/v1/oauth2/account/{account_id}/tokens");
  });
});

test.each([
  ...["...", "%", "%2e", "%2E%2E", "%ff", "%zz", "%25", "a/b", "/", "../..", "./.", "..%2f", "?", "#", "\\", "..\\.."],
  ...[" ", ";", ":", "@", "&=+$,", "*", "~", "'", "é", "e\u0301", "😀", "\ufeff", "\u2028", "tokens", "{account_id}"],
])("the account id %j is found by its percent-encoding, and by no other's", async (id) => {
  const token = await obtainToken(id);
  const { data } = (await list(encodeURIComponent(id))).body;
  expect(data).toMatchObject([{ token, account_id: id }]);
});

describe("a path segment that is not percent-encoded UTF-8", () => {
  test.each(["%", "%zz", "%2", "a%", "%ff", "%E9", "%C3%28", "%ED%A0%80", "%c0%af", "%F0%9F%98"])(
    "%s is 404 for every parameter of a path, and says so",
    async (segment) => {
      // the account whose id is spelled as the segment is another one
      await obtainToken(segment);
      const headers = { ccg_token };
      for (const [method, path, name] of [
        ["GET", `/v1/oauth2/account/${segment}/tokens`, "account_id"],
        ["GET", `/v1/oauth2/tokens/${segment}`, "token"],
        ["DELETE", `/v1/oauth2/tokens/${segment}`, "token"],
        ["GET", `/v1/obie/tokens/${segment}`, "token"],
        ["GET", `/v1/obie/account_access_consents/${segment}`, "consent_id"],
        ["DELETE", `/v1/obie/account_access_consents/${segment}`, "consent_id"],
        ["GET", `/v1/obie/payment_order_consents/${segment}`, "consent_id"],
      ] as const) {
        const answer = await call(method, path, { headers });
        expect([path, answer.status, codesOf(answer)]).toEqual([path, 404, ["path_malformed"]]);
        expect(answer.body.errors[0].title).toBe(`${name} in the path is not percent-encoded UTF-8`);
      }
    },
  );
});

describe("a path that no endpoint has", () => {
  test("says that account_id is empty", async () => {
    const answer = await list("");
    expect([answer.status, codesOf(answer)]).toEqual([404, ["account_id_missing"]]);
    expect(answer.body.errors[0].title).toBe("account_id is empty in the path /v1/oauth2/account/{account_id}/tokens");
  });

  test.each([
    ["POST", "/v1/obie/ccg_token", "Since version 1.7 it is POST /v1/obie/ccg_tokens"],
    ["POST", "/v1/obie/authorization_code", "Since version 1.7 it is POST /v1/obie/authorization_codes"],
    ["POST", "/v1/obie/token", "Since version 1.7 it is POST /v1/obie/tokens"],
    ["GET", "/v1/obie/token/s3cret", "Since version 1.7 it is GET /v1/obie/tokens/{token}"],
    ["GET", "/v1/tpp/eidas?jurisdiction=xx", "Since version 1.7 it is GET /v1/psp/eidas"],
    ["POST", "/v1/obie/ccg_token/", "Since version 1.7, and without the extra slash, it is POST /v1/obie/ccg_tokens"],
    ["POST", "/v1/obie/ccg_tokens/", "Without the extra slash it is POST /v1/obie/ccg_tokens"],
    ["POST", "//v1/obie/ccg_tokens", "Without the extra slash it is POST /v1/obie/ccg_tokens"],
    ["GET", "/v1/psp//eidas", "Without the extra slash it is GET /v1/psp/eidas"],
    ["GET", "/v1/oauth2/tokens/s3cret/", "Without the extra slash it is GET, DELETE /v1/oauth2/tokens/{token}"],
    [
      "GET",
      "/v1/obie/payment_order_consents/",
      "Without the extra slash it is POST, GET /v1/obie/payment_order_consents; " +
        "with the consent_id appended, it is GET /v1/obie/payment_order_consents/{consent_id}",
    ],
    [
      "GET",
      "/v1/obie/tokens/",
      "Without the extra slash it is POST /v1/obie/tokens; " +
        "with the token appended, it is GET /v1/obie/tokens/{token}",
    ],
    ["GET", "/status/", "Without the extra slash it is GET /status"],
    ["GET", "/Errors", "In lower case it is GET /errors"],
    ["GET", "/v2/psp/eidas", "With one /v1, the only version in a path, it is GET /v1/psp/eidas"],
    ["GET", "/v1.7/psp/eidas", "With one /v1, the only version in a path, it is GET /v1/psp/eidas"],
    [
      "POST",
      "/v2/OBIE/ccg_token/",
      "Since version 1.7, and with one /v1, the only version in a path, and in lower case, and without the extra slash, " +
        "it is POST /v1/obie/ccg_tokens",
    ],
    // "token" is not renamed where it is a value
    [
      "GET",
      "/v2/oauth2/tokens/token",
      "With one /v1, the only version in a path, it is GET, DELETE /v1/oauth2/tokens/{token}",
    ],
    [
      "GET",
      "/v1/oauth2/accounts/s3cret/tokens",
      "With account in the singular it is GET /v1/oauth2/account/{account_id}/tokens",
    ],
    [
      "GET",
      "/v1/account/s3cret/block",
      "With accounts in the plural it is GET, PUT, DELETE /v1/accounts/{account_id}/block",
    ],
  ])("%s %s: where it is", async (method, path, title) => {
    const answer = await call(method, path, { body: method === "POST" ? {} : undefined });
    expect([answer.status, codesOf(answer)]).toEqual([404, ["path_not_found"]]);
    expect(answer.body.errors[0].title).toBe(`No such path. ${title}`);
    expect(JSON.stringify(answer.body)).not.toContain("s3cret");
  });

  test.each([
    "/v1/nothing",
    "/v1/obie/tpp",
    "/v1",
    "/v2",
    "/v2/nothing",
    "/v1/oauth2/tokens/a/b",
    "/assets/nothing.js",
  ])("%s: no more than that", async (path) => {
    const answer = await call("GET", path);
    expect([answer.status, answer.body.errors[0].title]).toEqual([404, "No such path"]);
  });
});
