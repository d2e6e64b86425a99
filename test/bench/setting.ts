/** What the groups share: who calls, with which certificates, and where the Workers are. */
import type { TokenKeys } from "../../src/grants/token-keys.ts";
import type { TableName } from "./seed-tokens.ts";

export interface Setting {
  /** The service, as it is deployed. */
  readonly service: string;
  /** The same with LEDGER_RECORDS = "off". */
  readonly unrecorded: string;
  /** The same in an account without R2. */
  readonly withoutR2: string;
  readonly bare: string;
  /** The service over tables of their own. */
  readonly tables: Readonly<Record<TableName, string>>;
  /** @cloudflare/workers-oauth-provider. */
  readonly provider: string;
  /** Headers of the sandbox FI. */
  readonly identity: Readonly<Record<string, string>>;
  /** Scenario 1 of the sandbox, as the header has it. */
  readonly eidas: string;
  /** Certificates that are new to the service, more than an isolate remembers. */
  readonly leaves: readonly string[];
  readonly fiId: number;
  readonly keys: TokenKeys;
}

/** POST of JSON; the answer's body. Throws when it is not 201. */
export async function post(url: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

const REDIRECT_URI = "https://psp.example/callback";
export const ACCOUNT = "bench-account";

/** An authorization request of the core flow. */
export const codeRequest = (accountId: string) => ({
  account_id: accountId,
  client_request_query_parameters: {
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    scope: "accounts",
    state: "af0ifjsldkj",
  },
});
export const tokenRequest = (accountId: string, code: string) => ({
  account_id: accountId,
  client_request_query_parameters: { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI },
});

type Issued = { data: { redirect_uri: { parameters: { code: string } } } };
type Redeemed = { data: { access_token: string } };

/** The text of a new token of that account, by a code. */
export async function obtainToken({ service, identity, eidas }: Setting, accountId: string): Promise<string> {
  const headers = { ...identity, eidas };
  const issued = (await post(`${service}/v1/oauth2/authorization_codes`, headers, codeRequest(accountId))) as Issued;
  const { code } = issued.data.redirect_uri.parameters;
  const redeemed = (await post(`${service}/v1/oauth2/tokens`, headers, tokenRequest(accountId, code))) as Redeemed;
  return redeemed.data.access_token;
}

/** Headers of an open-banking request by the PSP of scenario 1. */
export async function obtainCcgHeaders({ service, identity, eidas }: Setting): Promise<Record<string, string>> {
  const request = { eIDAS: eidas, scope: "accounts" };
  const { access_token } = (await post(`${service}/v1/obie/ccg_tokens`, identity, request)) as { access_token: string };
  return { ...identity, ccg_token: access_token };
}
