/** What a route and a group of routes are, and the requests that they share. */
import type { TokenKeys } from "../../src/grants/token-keys.ts";
import type { TableName } from "./stores.ts";

export interface Call {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Route {
  readonly name: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly status: number;
  /** Where the Worker serves that is asked. */
  readonly url: string;
  /** Sent over and over; or made of what another route was answered in this round, and then each is sent once. */
  readonly calls: readonly Call[] | { readonly from: Route; readonly make: (captured: string) => Call };
  /** What of an answer another route needs: the first group of this pattern. Its turn is a little longer. */
  readonly captures?: string;
  /** Before each turn, outside the measured time. */
  readonly before?: () => Promise<void>;
}

export interface Group {
  readonly title: string;
  /** Where the usual ones are too short: of each turn, and of each route before the first round. */
  readonly secondsPerTurn?: number;
  readonly warmingSeconds?: number;
  /**
   * The steps of a round, one after another. The routes of a step are compared with each other: they run moments apart,
   * forwards and backwards in turn. A step may send what routes of an earlier one were answered.
   */
  readonly steps: readonly (readonly Route[])[];
  /** How many times the processor time of the second route the first may take at most; null where it is only printed. */
  readonly comparisons: readonly (readonly [of: Route, to: Route, atMost: number | null])[];
}

/** Who calls, with which certificates, and where the Workers are. */
export interface Setting {
  /** The service, as it is deployed; with LEDGER_RECORDS = "off"; in an account without R2. */
  readonly service: string;
  readonly unrecorded: string;
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

export const JSON_TYPE = { "Content-Type": "application/json" };
export const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
export const CHECK = "/v1/psp/eidas?jurisdiction=xx";
export const CONSENTS = "/v1/obie/account_access_consents";
export const CONSENT = {
  data: { permissions: ["ReadAccountsBasic", "ReadBalances"], transaction_from_date_time: "2026-01-01T00:00:00Z" },
};
export const REDIRECT_URI = "https://psp.example/callback";
export const ACCOUNT = "bench-account";

/** An authorization request of the core flow, and the exchange of its code. */
export const codeRequest = (account_id: string) => ({
  account_id,
  client_request_query_parameters: {
    ...{ response_type: "code", redirect_uri: REDIRECT_URI, scope: "accounts", state: "af0ifjsldkj" },
  },
});
export const tokenRequest = (account_id: string, code: string) => ({
  account_id,
  client_request_query_parameters: { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI },
});

/** POST of JSON; the answer's body. Throws when it is not 201. */
export async function post(url: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, ...JSON_TYPE },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The text of a new token of that account, by a code. */
export async function obtainToken({ service, identity, eidas }: Setting, account: string): Promise<string> {
  const headers = { ...identity, eidas };
  const issued = await post(`${service}/v1/oauth2/authorization_codes`, headers, codeRequest(account));
  const { code } = (issued as { data: { redirect_uri: { parameters: { code: string } } } }).data.redirect_uri
    .parameters;
  const redeemed = await post(`${service}/v1/oauth2/tokens`, headers, tokenRequest(account, code));
  return (redeemed as { data: { access_token: string } }).data.access_token;
}

/** Headers of an open-banking request by the PSP of scenario 1. */
export async function obtainCcgHeaders({ service, identity, eidas }: Setting): Promise<Record<string, string>> {
  const made = await post(`${service}/v1/obie/ccg_tokens`, identity, { eIDAS: eidas, scope: "accounts" });
  return { ...identity, ccg_token: (made as { access_token: string }).access_token };
}

export const get = (name: string, url: string, path: string, ...headers: Record<string, string>[]): Route => ({
  ...{ name, url, method: "GET", status: 200, calls: headers.map((own) => ({ path, headers: own })) },
});
export const send = (
  name: string,
  url: string,
  path: string,
  headers: Record<string, string>,
  body: object,
): Route => ({
  ...{ name, url, method: "POST", status: 201 },
  calls: [{ path, headers: { ...headers, ...JSON_TYPE }, body: JSON.stringify(body) }],
});
