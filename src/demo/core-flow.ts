/** The demo's first part: the core flow, where each request of the PSP carries its certificate. */
import { type Steps, textAt } from "./steps.ts";

export interface Story {
  readonly steps: Steps;
  /** Certificate, base64 of the DER. */
  readonly psp: string;
  /** Certificate, base64 of the DER. */
  readonly accountsOnlyPsp: string;
  readonly accountId: string;
}

export const REDIRECT_URI = "https://psp.example/callback";
const STATE = "af0ifjsldkj";

export async function runCoreFlow({ steps, psp, accountsOnlyPsp, accountId }: Story): Promise<void> {
  console.log("\n== Core flow: the PSP shows its certificate ==");
  const codeRequest = (scope: string) => ({
    account_id: accountId,
    client_request_query_parameters: { response_type: "code", redirect_uri: REDIRECT_URI, scope, state: STATE },
  });

  await steps.step(
    "Who is the PSP, and what may it do? The decision, with its reasons",
    {
      method: "GET",
      path: "/v1/psp/eidas?jurisdiction=XX",
      headers: { eidas: accountsOnlyPsp, version: "latest" },
    },
    {
      status: 200,
      body: {
        eIDAS: { validity: { validQTSP: true, validSignature: true, notRevoked: true, notExpired: true } },
        decision: {
          payments: { allowed: false, reasons: { 0: { code: "role_not_on_certificate", whose: "psp" } } },
          accounts: { allowed: true, reasons: { length: 0 } },
        },
      },
    },
  );
  const code = await steps.step(
    "The customer agreed: a code for the PSP, in the PSP's redirect URI",
    {
      method: "POST",
      path: "/v1/oauth2/authorization_codes",
      headers: { eidas: psp },
      body: codeRequest("accounts"),
    },
    {
      status: 201,
      body: { data: { redirect_uri: { base_uri: REDIRECT_URI, parameters: { code: /./, state: STATE } } } },
    },
  );
  const tokenRequest = {
    method: "POST",
    path: "/v1/oauth2/tokens",
    headers: { eidas: psp },
    body: {
      account_id: accountId,
      client_request_query_parameters: {
        grant_type: "authorization_code",
        code: textAt(code, "data", "redirect_uri", "parameters", "code"),
        redirect_uri: REDIRECT_URI,
      },
    },
  } as const;
  const token = await steps.step("The PSP exchanges the code for an access token", tokenRequest, {
    status: 201,
    body: { data: { access_token: /./, token_type: "bearer", scope: "accounts" } },
  });
  const accessToken = textAt(token, "data", "access_token");
  const path = `/v1/oauth2/tokens/${accessToken}`;

  const introspect = (eidas: string) =>
    ({ method: "POST", path: "/v1/introspect", headers: { eidas }, body: { token: accessToken } }) as const;
  await steps.step("The PSP uses the token: the bank's resource server introspects it", introspect(psp), {
    status: 200,
    body: {
      active: true,
      scope: "accounts",
      account_id: accountId,
      psp: { standing: "Authorised", decision: { allowed: true } },
    },
  });
  await steps.step("Another PSP shows the same token: it is worth nothing", introspect(accountsOnlyPsp), {
    status: 200,
    body: { active: false },
  });
  await steps.step(
    "The record of the token",
    { method: "GET", path },
    {
      status: 200,
      body: { data: { token: accessToken, active: true, account_id: accountId, revoked_at: null } },
    },
  );
  await steps.step(
    "All tokens of the account",
    { method: "GET", path: `/v1/oauth2/account/${accountId}/tokens` },
    {
      status: 200,
      body: { data: { 0: { token: accessToken, active: true }, length: 1 } },
    },
  );
  await steps.step("The customer withdraws: the token is deleted", { method: "DELETE", path }, { status: 204 });
  await steps.step(
    "The token is not active any more",
    { method: "GET", path },
    { status: 200, body: { data: { active: false } } },
  );
  await steps.step("A second use of the code is refused", tokenRequest, {
    status: 403,
    body: { errors: { 0: { code: "code_used" } } },
  });
  await steps.step(
    "A PSP with account information only requests payments: the redirect contains the error",
    {
      method: "POST",
      path: "/v1/oauth2/authorization_codes",
      headers: { eidas: accountsOnlyPsp },
      body: codeRequest("payments"),
    },
    {
      status: 403,
      body: {
        data: { redirect_uri: { base_url: REDIRECT_URI, parameters: { error: "invalid_scope", state: STATE } } },
        errors: { 0: { code: "payment_service_invalid" } },
      },
    },
  );
  await steps.step(
    "client_credentials is answered with a fixed token",
    {
      method: "POST",
      path: "/v1/oauth2/tokens",
      headers: { eidas: psp },
      body: { client_request_query_parameters: { grant_type: "client_credentials" } },
    },
    { status: 201, body: { data: { access_token: "good-access-token" } } },
  );
}
