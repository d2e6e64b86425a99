/** A call of each operation of the client, with the request that it is. */
import type { PspGate } from "../../../src/client/index.ts";

export interface Row {
  /** As in the table of endpoints. */
  readonly endpoint: string;
  readonly call: (gate: PspGate) => PromiseLike<unknown>;
  /** Path and query as sent. */
  readonly sent: string;
  /** What the service answers: JSON, or bytes; undefined is 204. */
  readonly answer?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of an answer that is its headers. */
  readonly answered?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** When it is repeated. */
  readonly repeat: "always" | "unless_done" | "never";
}

const data = { data: {} };
const query = { response_type: "code", redirect_uri: "https://psp.test/cb", scope: "accounts" } as const;
const exchange = { grant_type: "authorization_code", code: "c", redirect_uri: "https://psp.test/cb" } as const;
const initiation = {
  instruction_identification: "1",
  end_to_end_identification: "2",
  instructed_amount: { amount: "1.00", currency: "EUR" },
  creditor_account: { scheme_name: "IBAN", identification: "XX07", name: "Acme Ltd" },
};
const code = { consent_id: "c1", psu_account_id: "a", redirect_uri: "https://psp.test/cb", scope: "accounts" };
const redirect = { data: { redirect_uri: { full_uri: "https://psp.test/cb?code=c" } } };
const eidas = { eidas: "MIIE" };
const ccg = { ccg_token: "ccg-1" };

export const OPERATIONS: readonly Row[] = [
  {
    endpoint: "POST /v1/oauth2/authorization_codes",
    call: (gate) =>
      gate.oauth2.createAuthorizationCode({
        eidas: "MIIE",
        account_id: "a",
        client_request_query_parameters: query,
      }),
    sent: "/v1/oauth2/authorization_codes",
    answer: redirect,
    headers: eidas,
    body: { account_id: "a", client_request_query_parameters: query },
    repeat: "unless_done",
  },
  {
    endpoint: "POST /v1/oauth2/tokens",
    call: (gate) =>
      gate.oauth2.createToken({ eidas: "MIIE", account_id: "a", client_request_query_parameters: exchange }),
    sent: "/v1/oauth2/tokens",
    answer: data,
    headers: eidas,
    body: { account_id: "a", client_request_query_parameters: exchange },
    repeat: "never",
  },
  {
    endpoint: "GET /v1/oauth2/tokens/{token}",
    call: (gate) => gate.oauth2.getToken({ token: "t/1" }),
    sent: "/v1/oauth2/tokens/t%2F1",
    answer: data,
    repeat: "always",
  },
  {
    endpoint: "DELETE /v1/oauth2/tokens/{token}",
    call: (gate) => gate.oauth2.deleteToken({ token: "t1" }),
    sent: "/v1/oauth2/tokens/t1",
    repeat: "always",
  },
  {
    endpoint: "GET /v1/oauth2/account/{account_id}/tokens",
    call: (gate) => gate.oauth2.listTokens({ account_id: "100% ä", cursor: "c&d" }),
    sent: "/v1/oauth2/account/100%25%20%C3%A4/tokens?cursor=c%26d",
    answer: { data: [] },
    repeat: "always",
  },
  {
    endpoint: "POST /v1/obie/ccg_tokens",
    call: (gate) => gate.obie.createCcgToken({ eIDAS: Uint8Array.of(48, 130, 4), scope: "accounts" }),
    sent: "/v1/obie/ccg_tokens",
    answer: { access_token: "ccg-1" },
    body: { eIDAS: "MIIE", scope: "accounts" },
    repeat: "always",
  },
  {
    endpoint: "POST /v1/obie/authorization_codes",
    call: (gate) => gate.obie.createAuthorizationCode({ ccg_token: "ccg-1", ...code }),
    sent: "/v1/obie/authorization_codes",
    answer: redirect,
    headers: ccg,
    body: code,
    repeat: "unless_done",
  },
  {
    endpoint: "POST /v1/obie/tokens",
    call: (gate) => gate.obie.createToken({ ccg_token: "ccg-1", auth_code: "c", redirect_uri: "https://psp.test/cb" }),
    sent: "/v1/obie/tokens",
    answer: data,
    headers: ccg,
    body: { auth_code: "c", redirect_uri: "https://psp.test/cb" },
    repeat: "never",
  },
  {
    endpoint: "GET /v1/obie/tokens/{token}",
    call: (gate) => gate.obie.getToken({ ccg_token: "ccg-1", token: "t1" }),
    sent: "/v1/obie/tokens/t1",
    answer: data,
    headers: ccg,
    repeat: "always",
  },
  {
    endpoint: "POST /v1/obie/account_access_consents",
    call: (gate) =>
      gate.obie.createAccountAccessConsent({ ccg_token: "ccg-1", data: { permissions: ["ReadBalances"] } }),
    sent: "/v1/obie/account_access_consents",
    answer: data,
    headers: ccg,
    body: { data: { permissions: ["ReadBalances"] } },
    repeat: "unless_done",
  },
  {
    endpoint: "GET /v1/obie/account_access_consents/{consent_id}",
    call: (gate) => gate.obie.getAccountAccessConsent({ ccg_token: "ccg-1", consent_id: "c1" }),
    sent: "/v1/obie/account_access_consents/c1",
    answer: data,
    headers: ccg,
    repeat: "always",
  },
  {
    endpoint: "DELETE /v1/obie/account_access_consents/{consent_id}",
    call: (gate) => gate.obie.deleteAccountAccessConsent({ ccg_token: "ccg-1", consent_id: "c1" }),
    sent: "/v1/obie/account_access_consents/c1",
    headers: ccg,
    repeat: "always",
  },
  {
    endpoint: "POST /v1/obie/payment_order_consents",
    call: (gate) => gate.obie.createPaymentOrderConsent({ ccg_token: "ccg-1", data: { initiation } }),
    sent: "/v1/obie/payment_order_consents",
    answer: data,
    headers: ccg,
    body: { data: { initiation } },
    repeat: "unless_done",
  },
  {
    endpoint: "GET /v1/obie/payment_order_consents",
    call: (gate) => gate.obie.listPaymentOrderConsents({ ccg_token: "ccg-1", limit: 5, consent_id: "c1" }),
    sent: "/v1/obie/payment_order_consents?limit=5&consent_id=c1",
    answer: { data: [] },
    headers: ccg,
    repeat: "always",
  },
  {
    endpoint: "GET /v1/obie/payment_order_consents/{consent_id}",
    call: (gate) => gate.obie.getPaymentOrderConsent({ ccg_token: "ccg-1", consent_id: "c1" }),
    sent: "/v1/obie/payment_order_consents/c1",
    answer: data,
    headers: ccg,
    repeat: "always",
  },
  {
    endpoint: "GET /v1/psp/eidas",
    call: (gate) => gate.psp.check({ eidas: Buffer.from("MIIE", "base64"), jurisdiction: "FI" }),
    sent: "/v1/psp/eidas?jurisdiction=FI",
    answer: { eIDAS: {} },
    headers: eidas,
    repeat: "always",
  },
  {
    endpoint: "POST /v1/psp/checks",
    call: (gate) =>
      gate.psp.checkMany({ checks: [{ id: "1", eIDAS: Buffer.from("MIIE", "base64"), jurisdictions: ["FI", "SE"] }] }),
    sent: "/v1/psp/checks",
    answer: { data: [] },
    body: { checks: [{ id: "1", eIDAS: "MIIE", jurisdictions: ["FI", "SE"] }] },
    repeat: "always",
  },
  {
    endpoint: "POST /v1/psp/signatures",
    call: (gate) =>
      gate.psp.verifyRequest({ method: "GET", target: "/", headers: {}, jurisdiction: "FI", eidas: "MIIE" }),
    sent: "/v1/psp/signatures",
    answer: { signature: {} },
    headers: eidas,
    body: { method: "GET", target: "/", headers: {}, jurisdiction: "FI" },
    repeat: "unless_done",
  },
  {
    endpoint: "POST /v1/introspect",
    call: (gate) => gate.introspect({ token: "t1", eidas: "MIIE" }),
    sent: "/v1/introspect",
    answer: { active: false },
    headers: eidas,
    body: { token: "t1" },
    repeat: "always",
  },
  {
    endpoint: "GET /v1/access",
    call: (gate) =>
      gate.checkAccess({ access_token: "Bearer t1", eidas: "MIIE", scope: "accounts", permission: "ReadBalances" }),
    sent: "/v1/access?scope=accounts&permission=ReadBalances",
    answered: { "psp-id": "PSDXX-TEST-1" },
    headers: { eidas: "MIIE", access_token: "Bearer t1" },
    repeat: "always",
  },
  {
    endpoint: "GET /v1/accounts/{account_id}/permissions",
    call: (gate) => gate.accounts.listPermissions({ account_id: "a", status: "active" }),
    sent: "/v1/accounts/a/permissions?status=active",
    answer: { data: [] },
    repeat: "always",
  },
  {
    endpoint: "DELETE /v1/accounts/{account_id}/permissions",
    call: (gate) => gate.accounts.withdrawAllPermissions({ account_id: "a" }),
    sent: "/v1/accounts/a/permissions",
    repeat: "always",
  },
  {
    endpoint: "DELETE /v1/accounts/{account_id}/permissions/{permission_id}",
    call: (gate) => gate.accounts.withdrawPermission({ account_id: "a", permission_id: "p", by: "customer" }),
    sent: "/v1/accounts/a/permissions/p?by=customer",
    repeat: "always",
  },
  {
    endpoint: "GET /v1/accounts/{account_id}/block",
    call: (gate) => gate.accounts.getBlock({ account_id: "a" }),
    sent: "/v1/accounts/a/block",
    answer: data,
    repeat: "always",
  },
  {
    endpoint: "PUT /v1/accounts/{account_id}/block",
    call: (gate) => gate.accounts.putBlock({ account_id: "a", scopes: ["accounts"] }),
    sent: "/v1/accounts/a/block",
    answer: data,
    body: { scopes: ["accounts"] },
    repeat: "always",
  },
  {
    endpoint: "DELETE /v1/accounts/{account_id}/block",
    call: (gate) => gate.accounts.deleteBlock({ account_id: "a" }),
    sent: "/v1/accounts/a/block",
    repeat: "always",
  },
  {
    endpoint: "GET /v1/audit/head",
    call: (gate) => gate.audit.getHead(),
    sent: "/v1/audit/head",
    answer: data,
    repeat: "always",
  },
  {
    endpoint: "GET /v1/audit/head/comparison",
    call: (gate) => gate.audit.compareHead({ head: "a.b.c" }),
    sent: "/v1/audit/head/comparison?head=a.b.c",
    answer: data,
    repeat: "always",
  },
  {
    endpoint: "GET /v1/psp/watches",
    call: (gate) => gate.psp.listWatches({ cursor: "c" }),
    sent: "/v1/psp/watches?cursor=c",
    answer: { data: [] },
    repeat: "always",
  },
  {
    endpoint: "PUT /v1/psp/watches/{authorisation_number}",
    call: (gate) => gate.psp.watch({ authorisation_number: "PSDXX-TEST-1/2" }),
    sent: "/v1/psp/watches/PSDXX-TEST-1%2F2",
    answer: data,
    body: {},
    repeat: "always",
  },
  {
    endpoint: "DELETE /v1/psp/watches/{authorisation_number}",
    call: (gate) => gate.psp.unwatch({ authorisation_number: "PSDXX-TEST-1" }),
    sent: "/v1/psp/watches/PSDXX-TEST-1",
    repeat: "always",
  },
  {
    endpoint: "GET /v1/events",
    call: (gate) => gate.listEvents({ after: "a", limit: 10 }),
    sent: "/v1/events?after=a&limit=10",
    answer: { data: [], next_after: "a" },
    repeat: "always",
  },
  {
    endpoint: "GET /v1/audit/records",
    call: (gate) => gate.audit.listRecords({ psp_id: "PSDFI-X-1", endpoint: "GET /v1/psp/eidas", limit: 5 }),
    sent: "/v1/audit/records?psp_id=PSDFI-X-1&endpoint=GET+%2Fv1%2Fpsp%2Feidas&limit=5",
    answer: { data: [], heads: [] },
    repeat: "always",
  },
  {
    endpoint: "GET /v1/audit/records/{evidence_id}",
    call: (gate) => gate.audit.getRecord({ evidence_id: "e1" }),
    sent: "/v1/audit/records/e1",
    answer: data,
    repeat: "always",
  },
  {
    endpoint: "GET /v1/audit/records/{evidence_id}/documents/{sha256}",
    call: (gate) => gate.audit.getDocument({ evidence_id: "e1", sha256: "ab" }),
    sent: "/v1/audit/records/e1/documents/ab",
    answer: Uint8Array.of(48, 130, 255),
    repeat: "always",
  },
  {
    endpoint: "GET /status",
    call: (gate) => gate.status(),
    sent: "/status",
    answer: { status: "up" },
    repeat: "always",
  },
  {
    endpoint: "GET /health",
    call: (gate) => gate.health(),
    sent: "/health",
    answer: { status: "up" },
    repeat: "never",
  },
];
