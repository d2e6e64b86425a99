/** Interface, "Access token" and POST /v1/oauth2/tokens. */
import { describe, expect } from "vitest";
import { askForCode, askForToken, call, ccg, codeOf, eidas, errorForm, newAccount, obtainObieToken } from "./bank.ts";
import { says } from "./says.ts";

const TOKEN = expect.stringMatching(/^[A-Za-z0-9]+\.[\w-]+\.[\w-]{43}$/);
const clientCredentials = async (query: object = {}, certificate = "scenario-1") =>
  call("POST", "/v1/oauth2/tokens", {
    headers: await eidas(certificate),
    body: { client_request_query_parameters: { grant_type: "client_credentials", ...query } },
  });

describe("Access token", () => {
  says("Access token", "scope is that of the code, in the core flow only", async () => {
    for (const scope of ["payments", "accounts"]) {
      const account = newAccount();
      const code = codeOf(await askForCode(account, { scope }));
      expect((await askForToken(account, code)).body.data.scope).toBe(scope);
    }
    expect((await obtainObieToken(await ccg())).body.data).not.toHaveProperty("scope");
  });
  says("Access token", "state is in the open-banking answer only", async () => {
    const account = newAccount();
    const code = codeOf(await askForCode(account, { state: "s" }));
    expect((await askForToken(account, code)).body.data).not.toHaveProperty("state");
    expect((await obtainObieToken(await ccg(), { state: "ä b" })).body.data.state).toBe("ä b");
  });
});

describe("POST /v1/oauth2/tokens", () => {
  says("POST /v1/oauth2/tokens", "another grant_type is refused", async () => {
    const answer = await askForToken("x", "a-code", { grant_type: "refresh_token" });
    expect([answer.status, answer.body]).toEqual([400, errorForm("grant_type_invalid")]);
  });
  says("POST /v1/oauth2/tokens", "client_credentials needs neither account_id, code nor redirect_uri", async () => {
    const answer = await clientCredentials();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { access_token: "good-access-token", expires_in: 3600, token_type: "bearer", scope: "payments" },
    });
    expect((await clientCredentials({}, "accounts-only")).body.data.scope).toBe("accounts");
  });
  says("POST /v1/oauth2/tokens", "the whole body of a core token", async () => {
    const account = newAccount();
    const answer = await askForToken(account, codeOf(await askForCode(account)));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { access_token: TOKEN, expires_in: 3600, token_type: "bearer", scope: "accounts" },
    });
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });
});
