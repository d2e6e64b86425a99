/** The demo's first part: the core flow, where each request of the PSP carries its certificate. */
import type { PspGate, Scope } from "../../client/index.ts";
import { type Steps, WalkEnded } from "./steps.ts";

export interface Story {
  readonly steps: Steps;
  /** The bank's client. */
  readonly gate: PspGate;
  /** The same bank, asking for all that the service shows. */
  readonly latest: PspGate<"latest">;
  /** Certificate: PEM. */
  readonly psp: string;
  /** Certificate: PEM. */
  readonly accountsOnlyPsp: string;
  readonly accountId: string;
}

export const REDIRECT_URI = "https://psp.example/callback";
const STATE = "af0ifjsldkj";

export async function runCoreFlow({ steps, gate, latest, psp, accountsOnlyPsp, accountId }: Story): Promise<void> {
  console.log("\n== Core flow: the PSP shows its certificate ==");
  const account_id = accountId;
  const requestCode = (eidas: string, scope: Scope) => () =>
    gate.oauth2.createAuthorizationCode({
      eidas,
      account_id,
      client_request_query_parameters: { response_type: "code", redirect_uri: REDIRECT_URI, scope, state: STATE },
    });

  await steps.step(
    "Who is the PSP, and what may it do? The decision, with its reasons",
    () => latest.psp.check({ eidas: accountsOnlyPsp, jurisdiction: "XX" }),
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
  const authorization = await steps.step(
    "The customer agreed: a code for the PSP, in the PSP's redirect URI",
    requestCode(psp, "accounts"),
    {
      status: 201,
      body: { data: { redirect_uri: { base_uri: REDIRECT_URI, parameters: { code: /./, state: STATE } } } },
    },
  );
  if (!authorization.granted) throw new WalkEnded("no code");
  const { code } = authorization.redirect_uri.parameters;
  const exchangeCode = () =>
    gate.oauth2.createToken({
      eidas: psp,
      account_id,
      client_request_query_parameters: { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI },
    });
  const { access_token: token } = await steps.step("The PSP exchanges the code for an access token", exchangeCode, {
    status: 201,
    body: { data: { access_token: /./, token_type: "bearer", scope: "accounts" } },
  });

  await steps.step(
    "The PSP uses the token: the bank's resource server introspects it",
    () => gate.introspect({ eidas: psp, token }),
    {
      status: 200,
      body: {
        active: true,
        scope: "accounts",
        account_id,
        psp: { standing: "Authorised", decision: { allowed: true } },
      },
    },
  );
  await steps.step(
    "Another PSP shows the same token: it is worth nothing",
    () => gate.introspect({ eidas: accountsOnlyPsp, token }),
    { status: 200, body: { active: false } },
  );
  await steps.step("The record of the token", () => gate.oauth2.getToken({ token }), {
    status: 200,
    body: { data: { token, active: true, account_id, revoked_at: null } },
  });
  await steps.step("All tokens of the account", () => gate.oauth2.listTokens({ account_id }), {
    status: 200,
    body: { data: { 0: { token, active: true }, length: 1 } },
  });
  await steps.step("The customer withdraws: the token is deleted", () => gate.oauth2.deleteToken({ token }), {
    status: 204,
  });
  await steps.step("The token is not active any more", () => gate.oauth2.getToken({ token }), {
    status: 200,
    body: { data: { active: false } },
  });
  await steps.refusal("A second use of the code is refused", exchangeCode, {
    status: 403,
    body: { errors: { 0: { code: "code_used" } } },
  });
  await steps.step(
    "A PSP with account information only requests payments: the redirect contains the error",
    requestCode(accountsOnlyPsp, "payments"),
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
    () =>
      gate.oauth2.createToken({
        eidas: psp,
        client_request_query_parameters: { grant_type: "client_credentials" },
      }),
    { status: 201, body: { data: { access_token: "good-access-token" } } },
  );
}
