/** A bank's backend over HTTP: single calls to the running service, and the steps of both flows. */
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { checked } from "../../contract/checked.ts";
import * as bank from "../../raw-bank.ts";
import { SANDBOX_CREDENTIALS } from "../../sandbox-fis.ts";
import { eidasHeader, OTHER_FI, ROOT, SANDBOX_FI } from "../service.ts";

export { eidasHeader, OTHER_FI, SANDBOX_FI };
export const BASE_URL = inject("serviceUrl");

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = any;

export interface Answer extends bank.Answer {
  readonly body: Json;
}

type HeaderValues = bank.HeaderValues;

/** One request by the sandbox FI, unless the headers say otherwise; an undefined header is left out. */
export const call: (...call: Parameters<bank.Bank>) => Promise<Answer> = bank.makeBank(
  checked(fetch),
  BASE_URL,
  SANDBOX_CREDENTIALS,
);

/** A GET by the sandbox FI, whose target and header lines are sent as they are: fetch would change or refuse them. */
export function sendRaw(
  path: string,
  lines: readonly (readonly [name: string, value: string])[] = [],
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(BASE_URL);
    const headers = ["Host", hostname, ...[...Object.entries(SANDBOX_FI), ...lines].flat()];
    request({ hostname, port, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more: string) => {
        text += more;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end();
  });
}

export const REDIRECT_URI = "https://psp.example/callback";

export const codesOf = (answer: Answer): string[] => answer.body.errors.map((error: { code: string }) => error.code);
/** The interface's error form, whole, for these codes. */
export const errorForm = (...codes: string[]) => ({
  errors: codes.map((code) => ({
    id: expect.any(String),
    code,
    title: expect.any(String),
    link: `${BASE_URL}/errors#${code}`,
  })),
});

export const eidas = async (certificate = "scenario-1") => ({ eidas: await eidasHeader(certificate) });

/** The answer that fixtures/README.md promises. */
export const fixtureAnswer = async (name: string): Promise<Json> =>
  JSON.parse(await readFile(join(ROOT, `fixtures/answers/${name}.json`), "utf8"));

export const newAccount = (): string => `account-${crypto.randomUUID()}`;

// The core flow

const codeRequest = (accountId: string, query: object = {}) => ({
  account_id: accountId,
  client_request_query_parameters: {
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: "accounts",
    ...query,
  },
});

const tokenRequest = (accountId: string, code: string, query: object = {}) => ({
  account_id: accountId,
  client_request_query_parameters: { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI, ...query },
});

export const askForCode = async (accountId: string, query: object = {}, headers?: HeaderValues): Promise<Answer> =>
  call("POST", "/v1/oauth2/authorization_codes", {
    headers: headers ?? (await eidas()),
    body: codeRequest(accountId, query),
  });

export const askForToken = async (accountId: string, code: string, query: object = {}, headers?: HeaderValues) =>
  call("POST", "/v1/oauth2/tokens", {
    headers: headers ?? (await eidas()),
    body: tokenRequest(accountId, code, query),
  });

export const codeOf = (answer: Answer): string => answer.body.data.redirect_uri.parameters.code;

export async function obtainToken(accountId: string, scope = "accounts"): Promise<string> {
  const code = codeOf(await askForCode(accountId, { scope }));
  return (await askForToken(accountId, code)).body.data.access_token;
}

// The open-banking flow

/** The header `ccg_token` of a new CCG token. */
export async function ccg(scope = "accounts", certificate = "scenario-1"): Promise<{ ccg_token: string }> {
  const body = { eIDAS: await eidasHeader(certificate), scope };
  return { ccg_token: (await call("POST", "/v1/obie/ccg_tokens", { body })).body.access_token };
}

const OPEN_ENDED = {
  permissions: ["ReadAccountsBasic"],
  expiration_date_time: null,
  transaction_from_date_time: null,
  transaction_to_date_time: null,
};

export const INITIATION = {
  instruction_identification: "ANSM021",
  end_to_end_identification: "FRESCO.21302.GFX.37",
  instructed_amount: { amount: "165.88", currency: "EUR" },
  creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Acme Ltd" },
};

export const createConsent = (headers: HeaderValues, data: object = {}): Promise<Answer> =>
  call("POST", "/v1/obie/account_access_consents", { headers, body: { data: { ...OPEN_ENDED, ...data } } });

const obieCodeRequest = (consentId: string, fields: object = {}) => ({
  consent_id: consentId,
  psu_account_id: "psu-account-1",
  redirect_uri: REDIRECT_URI,
  scope: "accounts",
  ...fields,
});

export const askForObieCode = (headers: HeaderValues, consentId: string, fields: object = {}): Promise<Answer> =>
  call("POST", "/v1/obie/authorization_codes", { headers, body: obieCodeRequest(consentId, fields) });

export const askForObieToken = (headers: HeaderValues, code: string, fields: object = {}): Promise<Answer> =>
  call("POST", "/v1/obie/tokens", { headers, body: { auth_code: code, redirect_uri: REDIRECT_URI, ...fields } });

/** Consent, code and token in one: the answer with the token. */
export async function obtainObieToken(headers: HeaderValues, fields: object = {}): Promise<Answer> {
  const consent = await createConsent(headers);
  const code = codeOf(await askForObieCode(headers, consent.body.data.consent_id, fields));
  return askForObieToken(headers, code);
}
