/**
 * One story of a bank, its customer and a PSP, told in requests to the sandbox: the document's examples. The answers that
 * the sandbox gave are in story-answers.json; a test tells the story again and compares (test/worker/reference/story.test.ts).
 */

export interface ExampleDetails {
  /** Of the path, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Beside the bank's own. `{{name}}` stands for a certificate of the sandbox, base64 of its DER. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface ExampleRequest extends ExampleDetails {
  readonly method: string;
  /** With its parameters in braces, as in endpoints.ts. */
  readonly path: string;
}

/** What the bank has learnt from earlier answers. */
export type Known = Readonly<Record<string, string>>;

export interface Step {
  /** Of the example in the document, and unique for its operation. */
  readonly name: string;
  readonly summary: string;
  /** As in operations.ts. */
  readonly operation: string;
  readonly request: (known: Known) => ExampleDetails;
  readonly status: number;
  /** What is remembered of the answer: a name, and the path to the value. */
  readonly learns?: Readonly<Record<string, readonly string[]>>;
}

/** The request of a step, once what it needs is known. */
export function tellStep({ operation, request }: Step, known: Known): ExampleRequest {
  const [method = "", path = ""] = operation.split(" ");
  return { method, path, ...request(known) };
}

const PSP = "{{scenario-1}}";
const ACCOUNTS_ONLY_PSP = "{{accounts-only}}";
const ACCOUNT = "account-4711";
const REDIRECT_URI = "https://psp.example/callback";
const STATE = "af0ifjsldkj";
const CODE = ["data", "redirect_uri", "parameters", "code"] as const;

/** What an earlier answer gave. */
const of = (known: Known, name: string): string => {
  const value = known[name];
  if (value === undefined) throw new Error(`the story has not told ${name} yet`);
  return value;
};

const codeRequest = (scope: string) => ({
  account_id: ACCOUNT,
  client_request_query_parameters: { response_type: "code", redirect_uri: REDIRECT_URI, scope, state: STATE },
});
const exchange = (known: Known): ExampleDetails => ({
  headers: { eidas: PSP },
  body: {
    account_id: ACCOUNT,
    client_request_query_parameters: {
      grant_type: "authorization_code",
      code: of(known, "code"),
      redirect_uri: REDIRECT_URI,
    },
  },
});
const introspect = (known: Known): ExampleDetails => ({
  headers: { eidas: PSP },
  body: { token: of(known, "token") },
});

const PSP_CHECKS: readonly Step[] = [
  {
    name: "home",
    summary: "At home, version 1",
    operation: "GET /v1/psp/eidas",
    request: () => ({ query: { jurisdiction: "XX" }, headers: { eidas: PSP } }),
    status: 200,
  },
  {
    name: "abroad",
    summary: "In another country, version latest",
    operation: "GET /v1/psp/eidas",
    request: () => ({
      query: { jurisdiction: "XY" },
      headers: { eidas: "{{scenario-9}}", version: "latest" },
    }),
    status: 200,
  },
  {
    name: "unknown_country",
    summary: "A jurisdiction that is not a country",
    operation: "GET /v1/psp/eidas",
    request: () => ({ query: { jurisdiction: "EU" }, headers: { eidas: PSP } }),
    status: 404,
  },
  {
    name: "two",
    summary: "A PSP in two countries, and a certificate that cannot be read",
    operation: "POST /v1/psp/checks",
    request: () => ({
      body: {
        checks: [
          { id: "customer-17", eIDAS: "{{scenario-9}}", jurisdictions: ["XX", "XY"] },
          { id: "customer-18", eIDAS: "MIIE8TCCA9mgAwIBAgIU", jurisdictions: ["XX"] },
        ],
      },
    }),
    status: 200,
  },
];

const CORE_FLOW: readonly Step[] = [
  {
    name: "malformed",
    summary: "Two parameters are wrong",
    operation: "POST /v1/oauth2/authorization_codes",
    request: () => ({
      headers: { eidas: PSP },
      body: {
        client_request_query_parameters: { response_type: "token", redirect_uri: REDIRECT_URI, scope: "accounts" },
      },
    }),
    status: 400,
  },
  {
    name: "expired",
    summary: "The PSP's certificate has expired",
    operation: "POST /v1/oauth2/authorization_codes",
    request: () => ({
      headers: { eidas: "{{scenario-4}}" },
      body: codeRequest("accounts"),
    }),
    status: 401,
  },
  {
    name: "accounts",
    summary: "A code for account information",
    operation: "POST /v1/oauth2/authorization_codes",
    request: () => ({
      headers: { eidas: PSP },
      body: codeRequest("accounts"),
    }),
    status: 201,
    learns: { code: CODE },
  },
  {
    name: "refused",
    summary: "A PSP for account information asks for payments",
    operation: "POST /v1/oauth2/authorization_codes",
    request: () => ({
      headers: { eidas: ACCOUNTS_ONLY_PSP },
      body: codeRequest("payments"),
    }),
    status: 403,
  },
  {
    name: "exchange",
    summary: "The code is exchanged",
    operation: "POST /v1/oauth2/tokens",
    request: exchange,
    status: 201,
    learns: { token: ["data", "access_token"] },
  },
  {
    name: "record",
    summary: "The record of the token",
    operation: "GET /v1/oauth2/tokens/{token}",
    request: (known) => ({
      parameters: { token: of(known, "token") },
    }),
    status: 200,
  },
  {
    name: "tokens",
    summary: "The account has one token",
    operation: "GET /v1/oauth2/account/{account_id}/tokens",
    request: () => ({
      parameters: { account_id: ACCOUNT },
    }),
    status: 200,
  },
  {
    name: "active",
    summary: "The PSP shows its token",
    operation: "POST /v1/introspect",
    request: introspect,
    status: 200,
  },
  {
    name: "revoked",
    summary: "The token is revoked",
    operation: "DELETE /v1/oauth2/tokens/{token}",
    request: (known) => ({
      parameters: { token: of(known, "token") },
    }),
    status: 204,
  },
  {
    name: "unknown",
    summary: "No such token",
    operation: "GET /v1/oauth2/tokens/{token}",
    request: () => ({
      parameters: { token: "not-a-token" },
    }),
    status: 404,
  },
  {
    name: "inactive",
    summary: "The token was revoked",
    operation: "POST /v1/introspect",
    request: introspect,
    status: 200,
  },
  {
    name: "used",
    summary: "The code is sent a second time",
    operation: "POST /v1/oauth2/tokens",
    request: exchange,
    status: 403,
  },
];

const OPEN_BANKING_FLOW: readonly Step[] = [
  {
    name: "accounts",
    summary: "A CCG token for account information",
    operation: "POST /v1/obie/ccg_tokens",
    request: () => ({ body: { eIDAS: PSP, scope: "accounts" } }),
    status: 201,
    learns: { ccgToken: ["access_token"] },
  },
  {
    name: "created",
    summary: "Balances and transactions of a year",
    operation: "POST /v1/obie/account_access_consents",
    request: (known) => ({
      headers: { ccg_token: of(known, "ccgToken") },
      body: {
        data: {
          permissions: ["ReadAccountsBasic", "ReadBalances", "ReadTransactionsDetail"],
          expiration_date_time: "2099-12-31T23:59:59Z",
          transaction_from_date_time: "2026-01-01T00:00:00Z",
          transaction_to_date_time: null,
        },
      },
    }),
    status: 201,
    learns: { consentId: ["data", "consent_id"] },
  },
  {
    name: "code",
    summary: "The customer has authorised the consent",
    operation: "POST /v1/obie/authorization_codes",
    request: (known) => ({
      headers: { ccg_token: of(known, "ccgToken") },
      body: {
        consent_id: of(known, "consentId"),
        psu_account_id: ACCOUNT,
        redirect_uri: REDIRECT_URI,
        scope: "accounts",
        state: STATE,
      },
    }),
    status: 201,
    learns: { openBankingCode: CODE },
  },
  {
    name: "another_account",
    summary: "The consent belongs to another account",
    operation: "POST /v1/obie/authorization_codes",
    request: (known) => ({
      headers: { ccg_token: of(known, "ccgToken") },
      body: {
        consent_id: of(known, "consentId"),
        psu_account_id: "account-4712",
        redirect_uri: REDIRECT_URI,
        scope: "accounts",
        state: STATE,
      },
    }),
    status: 403,
  },
  {
    name: "exchange",
    summary: "The code is exchanged",
    operation: "POST /v1/obie/tokens",
    request: (known) => ({
      headers: { ccg_token: of(known, "ccgToken") },
      body: { auth_code: of(known, "openBankingCode"), redirect_uri: REDIRECT_URI },
    }),
    status: 201,
    learns: { openBankingToken: ["data", "access_token"] },
  },
  {
    name: "information",
    summary: "The token is active",
    operation: "GET /v1/obie/tokens/{token}",
    request: (known) => ({
      parameters: { token: of(known, "openBankingToken") },
      headers: { ccg_token: of(known, "ccgToken") },
    }),
    status: 200,
  },
  {
    name: "authorised",
    summary: "The consent is authorised",
    operation: "GET /v1/obie/account_access_consents/{consent_id}",
    request: (known) => ({
      parameters: { consent_id: of(known, "consentId") },
      headers: { ccg_token: of(known, "ccgToken") },
    }),
    status: 200,
  },
];

const CUSTOMER: readonly Step[] = [
  {
    name: "active",
    summary: "What the customer agreed to",
    operation: "GET /v1/accounts/{account_id}/permissions",
    request: () => ({
      parameters: { account_id: ACCOUNT },
      query: { status: "active" },
    }),
    status: 200,
    learns: { permissionId: ["data", "0", "id"] },
  },
  {
    name: "blocked",
    summary: "The bank blocks account information",
    operation: "PUT /v1/accounts/{account_id}/block",
    request: () => ({
      parameters: { account_id: ACCOUNT },
      body: { scopes: ["accounts"] },
    }),
    status: 200,
  },
  {
    name: "block",
    summary: "The account is blocked for account information",
    operation: "GET /v1/accounts/{account_id}/block",
    request: () => ({
      parameters: { account_id: ACCOUNT },
    }),
    status: 200,
  },
  {
    name: "lifted",
    summary: "The bank lifts the block",
    operation: "DELETE /v1/accounts/{account_id}/block",
    request: () => ({
      parameters: { account_id: ACCOUNT },
    }),
    status: 204,
  },
  {
    name: "withdrawn",
    summary: "The customer withdraws the permission",
    operation: "DELETE /v1/accounts/{account_id}/permissions/{permission_id}",
    request: (known) => ({
      parameters: { account_id: ACCOUNT, permission_id: of(known, "permissionId") },
      query: { by: "customer" },
    }),
    status: 204,
  },
  {
    name: "withdrawn",
    summary: "The bank withdraws the rest",
    operation: "DELETE /v1/accounts/{account_id}/permissions",
    request: () => ({
      parameters: { account_id: ACCOUNT },
      query: { by: "bank" },
    }),
    status: 204,
  },
  {
    name: "another",
    summary: "A consent without an end",
    operation: "POST /v1/obie/account_access_consents",
    request: (known) => ({
      headers: { ccg_token: of(known, "ccgToken") },
      body: {
        data: {
          permissions: ["ReadBalances"],
          expiration_date_time: null,
          transaction_from_date_time: null,
          transaction_to_date_time: null,
        },
      },
    }),
    status: 201,
    learns: { secondConsentId: ["data", "consent_id"] },
  },
  {
    name: "deleted",
    summary: "The PSP gives the consent up",
    operation: "DELETE /v1/obie/account_access_consents/{consent_id}",
    request: (known) => ({
      parameters: { consent_id: of(known, "secondConsentId") },
      headers: { ccg_token: of(known, "ccgToken") },
    }),
    status: 204,
  },
];

const PAYMENT: readonly Step[] = [
  {
    name: "payments",
    summary: "A CCG token for payments",
    operation: "POST /v1/obie/ccg_tokens",
    request: () => ({ body: { eIDAS: PSP, scope: "payments" } }),
    status: 201,
    learns: { paymentsToken: ["access_token"] },
  },
  {
    name: "created",
    summary: "A payment of 165.88 EUR",
    operation: "POST /v1/obie/payment_order_consents",
    request: (known) => ({
      headers: { ccg_token: of(known, "paymentsToken") },
      body: {
        data: {
          initiation: {
            instruction_identification: "ANSM021",
            end_to_end_identification: "FRESCO.21302.GFX.37",
            instructed_amount: { amount: "165.88", currency: "EUR" },
            debtor_account: { scheme_name: "IBAN", identification: "XX1200000000004711", name: "Kim Doe" },
            creditor_account: { scheme_name: "IBAN", identification: "XX0700000000000001", name: "Acme Ltd" },
            remittance_information: { unstructured: "Invoice 37", reference: "FRESCO-037" },
          },
        },
      },
    }),
    status: 201,
    learns: { paymentConsentId: ["data", "consent_id"] },
  },
  {
    name: "list",
    summary: "The PSP has one",
    operation: "GET /v1/obie/payment_order_consents",
    request: (known) => ({
      query: { limit: "25" },
      headers: { ccg_token: of(known, "paymentsToken") },
    }),
    status: 200,
  },
  {
    name: "awaiting",
    summary: "The consent awaits the customer",
    operation: "GET /v1/obie/payment_order_consents/{consent_id}",
    request: (known) => ({
      parameters: { consent_id: of(known, "paymentConsentId") },
      headers: { ccg_token: of(known, "paymentsToken") },
    }),
    status: 200,
  },
];

const AUDIT: readonly Step[] = [
  {
    name: "head",
    summary: "What the bank was answered so far, signed",
    operation: "GET /v1/audit/head",
    request: () => ({}),
    status: 200,
    learns: { keptHead: ["data", "jws"] },
  },
  {
    name: "compared",
    summary: "Whether the ledger contains a head that was kept",
    operation: "GET /v1/audit/head/comparison",
    request: (known) => ({ query: { head: of(known, "keptHead") } }),
    status: 200,
  },
  {
    name: "checked",
    summary: "The last check of a PSP",
    operation: "GET /v1/audit/records",
    request: () => ({ query: { psp_id: "PSDXX-TEST-000009", endpoint: "GET /v1/psp/eidas", limit: "1" } }),
    status: 200,
    learns: { evidenceId: ["data", "0", "record", "id"] },
  },
  {
    name: "record",
    summary: "What the check was based on",
    operation: "GET /v1/audit/records/{evidence_id}",
    request: (known) => ({ parameters: { evidence_id: of(known, "evidenceId") } }),
    status: 200,
    learns: { sha256: ["data", "evidence", "0", "sha256"] },
  },
  {
    name: "answer",
    summary: "The answer that was given",
    operation: "GET /v1/audit/records/{evidence_id}/documents/{sha256}",
    request: (known) => ({ parameters: { evidence_id: of(known, "evidenceId"), sha256: of(known, "sha256") } }),
    status: 200,
  },
];
const WATCHED = "PSDXX-TEST-000001";
const EVENTS: readonly Step[] = [
  {
    name: "watched",
    summary: "The bank watches a PSP",
    operation: "PUT /v1/psp/watches/{authorisation_number}",
    request: () => ({ parameters: { authorisation_number: WATCHED }, body: {} }),
    status: 200,
  },
  { name: "watches", summary: "It watches one", operation: "GET /v1/psp/watches", request: () => ({}), status: 200 },
  {
    name: "events",
    summary: "Nothing has changed yet",
    operation: "GET /v1/events",
    request: () => ({ query: { limit: "100" } }),
    status: 200,
    learns: { position: ["next_after"] },
  },
  {
    name: "unwatched",
    summary: "The bank watches it no longer",
    operation: "DELETE /v1/psp/watches/{authorisation_number}",
    request: () => ({ parameters: { authorisation_number: WATCHED } }),
    status: 204,
  },
];

const OPERATION: readonly Step[] = [
  {
    name: "signingKeys",
    summary: "Of a service that signs",
    operation: "GET /.well-known/jwks.json",
    request: () => ({}),
    status: 200,
  },
  { name: "health", summary: "Of the sandbox", operation: "GET /health", request: () => ({}), status: 200 },
  { name: "status", summary: "Of the sandbox", operation: "GET /status", request: () => ({}), status: 200 },
];

/** In the order in which they are told. */
export const STORY: readonly Step[] = [
  ...PSP_CHECKS,
  ...CORE_FLOW,
  ...OPEN_BANKING_FLOW,
  ...CUSTOMER,
  ...PAYMENT,
  ...AUDIT,
  ...EVENTS,
  ...OPERATION,
];
