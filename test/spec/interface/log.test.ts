/** What the service writes of its requests: a line each, and no secret, wherever it was sent. */
import { describe, expect, inject, test } from "vitest";
import { VERSION } from "../../../src/platform/version.ts";
import { readOutput } from "../service.ts";
import { askForCode, askForToken, call, ccg, codeOf, eidas, newAccount, obtainObieToken, SANDBOX_FI } from "./bank.ts";

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
    await expect.poll(() => readOutput(inject("serviceState")), { timeout: 60_000 }).toContain(id);
    const line =
      readOutput(inject("serviceState"))
        .split("\n")
        .find((text) => text.includes(id)) ?? "";
    expect(JSON.parse(line)).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      request_id: id,
      evidence_id: headers.get("x-evidence-id"),
      version: VERSION,
      method: "POST",
      route: "/v1/oauth2/tokens",
      status: 400,
      ms: expect.any(Number),
      fi: "PSDXX-TEST-FI0001",
      client: "sandbox-fi",
      psp: null,
      jurisdiction: null,
      transaction_reference: null,
      outcome: "body_malformed",
    });
  });
});
