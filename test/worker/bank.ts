/** A bank's backend as the tests play it: single calls, and the steps of both flows. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { app } from "../../src/app.ts";
import { checked } from "../contract/checked.ts";
import * as bank from "../raw-bank.ts";
import { SANDBOX_CREDENTIALS } from "../sandbox-fis.ts";
import "./late-modules.ts";
import { eidasHeader } from "./sandbox.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = any;

export interface Answer extends bank.Answer {
  readonly body: Json;
}

export interface Call extends bank.Call {
  readonly env?: Cloudflare.Env;
}

/** One request by the sandbox FI, unless the headers say otherwise; an undefined header is left out. */
export function call(method: string, path: string, { env: bindings = env, ...given }: Call = {}): Promise<Answer> {
  const send = (request: Request) => {
    const context = createExecutionContext();
    contexts.push(context);
    return app.fetch(request, bindings, context);
  };
  return bank.makeBank(checked(send), "http://service.test", SANDBOX_CREDENTIALS)(method, path, given);
}

const contexts: ExecutionContext[] = [];
/** Until nothing goes on any more behind the answers so far. */
export async function endBackground(): Promise<void> {
  for (const context of contexts.splice(0)) await waitOnExecutionContext(context);
}

export const REDIRECT_URI = "https://psp.example/callback";

export const codeRequest = (query: Record<string, unknown> = {}, accountId: string = crypto.randomUUID()) => ({
  account_id: accountId,
  client_request_query_parameters: {
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: "accounts",
    state: "af0ifjsldkj",
    ...query,
  },
});

export const tokenRequest = (code: string, accountId: string, query: Record<string, unknown> = {}) => ({
  account_id: accountId,
  client_request_query_parameters: { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...query },
});

/** A code of the core flow for this account. */
export async function obtainCode(
  accountId: string,
  headers: Call["headers"] = {},
  scope = "accounts",
): Promise<string> {
  const answer = await call("POST", "/v1/oauth2/authorization_codes", {
    headers: { eidas: eidasHeader("scenario-1"), ...headers },
    body: codeRequest({ scope }, accountId),
  });
  return answer.body.data.redirect_uri.parameters.code;
}

/** A token of the core flow for this account. */
export async function obtainToken(
  accountId: string,
  headers: Call["headers"] = {},
  scope = "accounts",
): Promise<string> {
  const code = await obtainCode(accountId, headers, scope);
  const answer = await call("POST", "/v1/oauth2/tokens", {
    headers: { eidas: eidasHeader("scenario-1"), ...headers },
    body: tokenRequest(code, accountId),
  });
  return answer.body.data.access_token;
}

export async function obtainCcgToken(
  scope = "accounts",
  certificate = "scenario-1",
  headers: Call["headers"] = {},
): Promise<string> {
  const body = { eIDAS: eidasHeader(certificate), scope };
  return (await call("POST", "/v1/obie/ccg_tokens", { headers, body })).body.access_token;
}

export const OPEN_ENDED = {
  permissions: ["ReadAccountsBasic", "ReadBalances"],
  expiration_date_time: null,
  transaction_from_date_time: null,
  transaction_to_date_time: null,
};

export const INITIATION = {
  instruction_identification: "ANSM021",
  end_to_end_identification: "FRESCO.21302.GFX.37",
  instructed_amount: { amount: "165.88", currency: "EUR" },
  creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Acme Ltd" },
  remittance_information: { unstructured: "Invoice 37", reference: "FRESCO-037" },
};

export async function createAccountConsent(
  ccgToken: string,
  data: object = {},
  headers: Call["headers"] = {},
): Promise<string> {
  const body = { data: { ...OPEN_ENDED, ...data } };
  const answer = await call("POST", "/v1/obie/account_access_consents", {
    headers: { ccg_token: ccgToken, ...headers },
    body,
  });
  return answer.body.data.consent_id;
}

export async function createPaymentConsent(ccgToken: string, headers: Call["headers"] = {}): Promise<string> {
  const body = { data: { initiation: INITIATION } };
  const answer = await call("POST", "/v1/obie/payment_order_consents", {
    headers: { ccg_token: ccgToken, ...headers },
    body,
  });
  return answer.body.data.consent_id;
}

export const obieCodeRequest = (consentId: string, fields: Record<string, unknown> = {}) => ({
  consent_id: consentId,
  psu_account_id: "psu-account-1",
  redirect_uri: REDIRECT_URI,
  scope: "accounts",
  state: "af0ifjsldkj",
  ...fields,
});

/** A code of the open-banking flow. */
export async function obtainObieCode(
  ccgToken: string,
  consentId: string,
  fields: Record<string, unknown> = {},
  headers: Call["headers"] = {},
) {
  const body = obieCodeRequest(consentId, fields);
  const answer = await call("POST", "/v1/obie/authorization_codes", {
    headers: { ccg_token: ccgToken, ...headers },
    body,
  });
  return answer.body.data.redirect_uri.parameters.code as string;
}

/** A token of the open-banking flow. */
export async function obtainObieToken(
  ccgToken: string,
  consentId: string,
  fields: Record<string, unknown> = {},
  headers: Call["headers"] = {},
) {
  const auth_code = await obtainObieCode(ccgToken, consentId, fields, headers);
  const body = { auth_code, redirect_uri: REDIRECT_URI };
  const answer = await call("POST", "/v1/obie/tokens", { headers: { ccg_token: ccgToken, ...headers }, body });
  return answer.body.data.access_token as string;
}

export const codesOf = (answer: Answer): string[] => answer.body.errors.map((error: { code: string }) => error.code);
