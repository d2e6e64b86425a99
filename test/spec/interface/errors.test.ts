/** Interface, "Errors", "Limits" and "Versioning", and that no secret reaches the service's log. */
import { describe, expect, inject, test } from "vitest";
import { readOutput } from "../service.ts";
import {
  askForCcgToken,
  askForCode,
  askForToken,
  call,
  ccg,
  codeOf,
  eidas,
  errorForm,
  newAccount,
  obtainObieToken,
  SANDBOX_FI,
} from "./bank.ts";
import { says } from "./says.ts";

describe("Errors", () => {
  says(
    "Error bodies have the form `{errors:[{id, code, title, link}]}`",
    "id is the request's, link opens",
    async () => {
      const answer = await call("GET", "/v1/oauth2/tokens/x");
      expect(answer.body).toEqual(errorForm("token_not_found"));
      const [error] = answer.body.errors;
      expect(Object.keys(error)).toEqual(["id", "code", "title", "link"]);
      expect(error.id).toBe(answer.headers.get("x-request-id"));
      const page = await fetch(error.link);
      expect(page.headers.get("Content-Type")).toContain("text/html");
      expect(await page.text()).toContain('id="token_not_found"');
    },
  );
  says("`errors` is an array of objects", "each of several faults is one element", async () => {
    const answer = await call("POST", "/v1/obie/tokens", { headers: await ccg(), body: {} });
    expect([answer.status, answer.body]).toEqual([400, errorForm("auth_code_missing", "redirect_uri_missing")]);
  });
  says("404 not found", "an unknown path and a wrong method have the same form", async () => {
    const path = await call("GET", "/v1/nothing");
    expect([path.status, path.body]).toEqual([404, errorForm("path_not_found")]);
    const method = await call("PUT", "/v1/oauth2/tokens", { body: {} });
    expect([method.status, method.body]).toEqual([405, errorForm("method_not_allowed")]);
    expect(method.headers.get("Allow")).toBe("POST");
  });
  says("All request and response bodies are JSON.", "answers and errors say so", async () => {
    for (const answer of [await askForCode(newAccount()), await call("GET", "/v1/nothing")])
      expect(answer.headers.get("Content-Type")).toMatch(/^application\/json/);
  });
});

describe("Limits", () => {
  // 60 seconds: test/worker/grants; 15,000 requests per five minutes: test/worker/middleware/rate-limit.test.ts
  says("Authorization code lifetime: 60 seconds; single use.", "single use", async () => {
    const account = newAccount();
    const code = codeOf(await askForCode(account));
    const statuses = [(await askForToken(account, code)).status, (await askForToken(account, code)).status];
    expect(statuses).toEqual([201, 403]);
  });
});

describe("Versioning", () => {
  const withVersion = (version: string) => call("GET", "/v1/oauth2/account/x/tokens", { headers: { version } });
  says("Allowed values: `latest` ... and `1`", "both, and no other", async () => {
    for (const version of ["latest", "1"]) expect((await withVersion(version)).status).toBe(200);
    for (const version of ["2", "1.7", "LATEST", "1, 1", "v1"]) {
      const answer = await withVersion(version);
      expect([version, answer.status, answer.body]).toEqual([version, 404, errorForm("version_invalid")]);
    }
  });
  says(
    "The `x-` prefix is removed from custom headers (`x-ccg-token` became `ccg_token`, `x-eidas` became `eidas`).",
    "the old headers are not read",
    async () => {
      const headers = { "x-ccg-token": (await ccg()).ccg_token };
      const answer = await call("GET", "/v1/obie/tokens/x", { headers });
      expect([answer.status, answer.body]).toEqual([401, errorForm("ccg_token_missing")]);
    },
  );
  for (const [method, path] of [
    ["POST", "/v1/obie/ccg_token"],
    ["POST", "/v1/obie/authorization_code"],
    ["POST", "/v1/obie/token"],
    ["GET", "/v1/obie/token/x"],
    ["GET", "/v1/tpp/eidas"],
  ] as const)
    says(
      "All path nouns are plural (tokens, authorization_codes, ccg_tokens).",
      `${method} ${path} is gone`,
      async () => {
        const answer = await call(method, path, { body: method === "POST" ? {} : undefined });
        expect([answer.status, answer.body]).toEqual([404, errorForm("path_not_found")]);
      },
    );
  says("`psd2_role` is removed from responses; `scope` is used instead", "a CCG token has a scope", async () => {
    const { body } = await askForCcgToken();
    expect(body).toMatchObject({ scope: "accounts" });
    expect(body).not.toHaveProperty("psd2_role");
    expect(body).not.toHaveProperty("tpp_id");
  });
});

describe("the service's log", () => {
  test("no secret, token, code or certificate is in it, wherever it was sent", async () => {
    const { eidas: certificate } = await eidas();
    const account = newAccount();
    const code = codeOf(await askForCode(account, { state: "a-secret-state" }));
    const token = (await askForToken(account, code)).body.data.access_token;
    const headers = await ccg();
    const obie = (await obtainObieToken(headers)).body.data.access_token;
    const secrets = [
      code,
      token,
      headers.ccg_token,
      obie,
      certificate.slice(200, 300),
      "a-secret-state",
      SANDBOX_FI.Authorization,
    ];
    for (const secret of [code, token, headers.ccg_token]) {
      await call("GET", `/v1/oauth2/tokens/${secret}`);
      await call("GET", `/v1/obie/tokens/${secret}`, { headers });
      await call("GET", `/v1/${secret}?code=${secret}`);
      await call("GET", `/v1/psp/eidas?jurisdiction=${secret}`, { headers: { eidas: secret, version: secret } });
    }
    await call("POST", "/v1/oauth2/tokens", { headers: { eidas: certificate }, body: `{"code":"${code}"` });
    const output = readOutput(inject("serviceState"));
    for (const secret of secrets) expect(output).not.toContain(secret);
  });
  test("a line per request, with these fields; a body that is not JSON is called so", async () => {
    const { headers } = await call("POST", "/v1/oauth2/tokens", { headers: await eidas(), body: "{" });
    const id = headers.get("x-request-id") ?? "";
    await expect.poll(() => readOutput(inject("serviceState"))).toContain(id);
    const line =
      readOutput(inject("serviceState"))
        .split("\n")
        .find((text) => text.includes(id)) ?? "";
    expect(JSON.parse(line)).toEqual({
      request_id: id,
      method: "POST",
      route: "/v1/oauth2/tokens",
      status: 400,
      ms: expect.any(Number),
      fi: "PSDXX-TEST-FI0001",
      psp: null,
      outcome: "body_malformed",
    });
  });
});
