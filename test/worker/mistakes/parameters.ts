/** Mistakes in single parameters whose title must say more than that they are wrong. */
import { INITIATION, OPEN_ENDED } from "../bank.ts";
import { sampleOf, send } from "../samples.ts";
import { type Mistake, withMember } from "./mistake.ts";

const CONSENTS = "POST /v1/obie/account_access_consents";
const PAYMENT_ORDERS = "POST /v1/obie/payment_order_consents";
const withPermissions =
  (...permissions: unknown[]) =>
  () =>
    send(CONSENTS, { body: { data: { ...OPEN_ENDED, permissions } } });
const withBody = (endpoint: string, path: string, value: unknown) => () =>
  send(endpoint, { body: withMember(sampleOf(endpoint).body ?? {}, path.split("."), value) });

const CCG_TOKENS = "POST /v1/obie/ccg_tokens";
const ccgBody = (): Record<string, unknown> => ({ ...sampleOf(CCG_TOKENS).body });

const TOKENS = "POST /v1/oauth2/tokens";
const CODES = "POST /v1/oauth2/authorization_codes";
const REDIRECT = "client_request_query_parameters.redirect_uri";

const CALENDAR_DATE =
  /^data\.transaction_to_date_time is not a calendar date \(year, month, day\) with a time and an offset from UTC, such as 2030-01-01T00:00:00Z$/;

/** What is sent, and the codes and titles of the answer. */
const MISPLACED: readonly (readonly [
  what: string,
  endpoint: string,
  change: (body: Record<string, unknown>) => object,
  errors: Mistake["errors"],
])[] = [
  [
    "account_id in place of psu_account_id",
    "POST /v1/obie/authorization_codes",
    ({ psu_account_id, ...rest }) => ({ ...rest, account_id: psu_account_id }),
    [["psu_account_id_missing", /^psu_account_id is missing: account_id was sent in its place$/]],
  ],
  [
    "psu_account_id in place of account_id",
    CODES,
    ({ account_id, ...rest }) => ({ ...rest, psu_account_id: account_id }),
    [["account_id_missing", /^account_id is missing: psu_account_id was sent in its place$/]],
  ],
  [
    "code in place of auth_code",
    "POST /v1/obie/tokens",
    ({ auth_code, ...rest }) => ({ ...rest, code: auth_code }),
    [["auth_code_missing", /^auth_code is missing: code was sent in its place$/]],
  ],
  [
    "a name of the client's own",
    CCG_TOKENS,
    ({ scope, ...rest }) => ({ ...rest, s3cret_scope: scope }),
    [["scope_missing", /^scope is missing: its name is written scope$/]],
  ],
  [
    "no data",
    CONSENTS,
    ({ data }) => ({ ...(data as object), expiration_date_time: "2069-12-31T23:59:59Z" }),
    [["data_missing", /^data is missing: permissions, expiration_date_time belong in it$/]],
  ],
  [
    "no data around one initiation",
    PAYMENT_ORDERS,
    ({ data }) => data as object,
    [["data_missing", /^data is missing: initiation belongs in it$/]],
  ],
  [
    "no initiation",
    PAYMENT_ORDERS,
    () => ({ data: INITIATION }),
    [["initiation_missing", /^data\.initiation is missing: instruction_identification, .* belong in it$/]],
  ],
  [
    "no client_request_query_parameters",
    CODES,
    ({ account_id, client_request_query_parameters: inner }) => ({ account_id, ...(inner as object) }),
    [
      [
        "client_request_query_parameters_missing",
        /^client_request_query_parameters is missing: response_type, redirect_uri, scope, state belong in it$/,
      ],
    ],
  ],
  [
    "all inside client_request_query_parameters",
    TOKENS,
    ({ account_id, client_request_query_parameters: inner }) => ({
      client_request_query_parameters: { account_id, ...(inner as object) },
    }),
    [
      [
        "account_id_missing",
        /^account_id is missing: it is in client_request_query_parameters, and belongs directly in the body$/,
      ],
    ],
  ],
  [
    "all inside client_request_query_parameters in the other flow",
    "POST /v1/obie/tokens",
    (body) => ({ client_request_query_parameters: body }),
    [
      ["auth_code_missing", /^auth_code is missing: it is in client_request_query_parameters, and belongs directly/],
      ["redirect_uri_missing", /^redirect_uri is missing: it is in client_request_query_parameters, and belongs dir/],
    ],
  ],
  [
    "a consent's members in an object of another flow",
    CONSENTS,
    ({ data }) => ({ client_request_query_parameters: data }),
    [["data_missing", /^data is missing: permissions belongs in it$/]],
  ],
];
const WRONG_INSTANTS = [
  ["2041-02-29T00:00:00Z", /^data\.transaction_to_date_time has the day 29: February 2041 has the days 01 to 28$/],
  ["2030-01-01T25:00:00Z", /^data\.transaction_to_date_time has the hour 25: hours are 00 to 23$/],
  ["2030-01-01T00:00:00", /^data\.transaction_to_date_time has no offset from UTC: append Z, or for example \+02:00$/],
] as const;

export const PARAMETER_MISTAKES: readonly Mistake[] = [
  ...MISPLACED.map(
    ([what, endpoint, change, errors]): Mistake => ({
      what: `18: ${what} at ${endpoint}`,
      send: () => send(endpoint, { body: change({ ...sampleOf(endpoint).body }) }),
      status: 400,
      errors,
    }),
  ),
  ...WRONG_INSTANTS.map(
    ([sent, title]): Mistake => ({
      what: `18: a date-time of which one part is wrong: ${sent}`,
      send: withBody(CONSENTS, "data.transaction_to_date_time", sent),
      status: 400,
      errors: [["transaction_to_date_time_invalid", title]],
    }),
  ),
  // these are ISO 8601, too
  ...["2026-W47-6T03:07:23Z", "2026-325T03:07:23Z"].map(
    (sent): Mistake => ({
      what: `24: a date-time of another form: ${sent}`,
      send: withBody(CONSENTS, "data.transaction_to_date_time", sent),
      status: 400,
      errors: [["transaction_to_date_time_invalid", CALENDAR_DATE]],
    }),
  ),
  {
    what: "a redirect_uri with an umlaut",
    send: withBody(CODES, REDIRECT, "https://psp.example/für"),
    status: 400,
    errors: [
      ["redirect_uri_invalid", /^client_request_query_parameters\.redirect_uri has "ü" at character 22, .*%C3%BC/],
    ],
  },
  {
    what: "a redirect_uri with a blank",
    send: withBody(CODES, REDIRECT, "https://psp.example/c b"),
    status: 400,
    errors: [["redirect_uri_invalid", /^client_request_query_parameters\.redirect_uri has " " at character 22, .*%20/]],
  },
  {
    what: "identification missing in two places",
    send: () => {
      const { identification: _, ...account } = INITIATION.creditor_account;
      const initiation = { ...INITIATION, debtor_account: account, creditor_account: account };
      return send(PAYMENT_ORDERS, { body: { data: { initiation } } });
    },
    status: 400,
    errors: [
      ["identification_missing", /^data\.initiation\.debtor_account\.identification is missing$/],
      ["identification_missing", /^data\.initiation\.creditor_account\.identification is missing$/],
    ],
  },
  {
    what: "a misspelt permission",
    send: withPermissions("ReadBalances", "ReadAcountsBasic"),
    status: 400,
    errors: [
      [
        "permissions_invalid",
        /^data\.permissions\[1\] is "ReadAcountsBasic", which is not a permission; the nearest is ReadAccountsBasic\. Allowed: ReadAccountsBasic, ReadAccountsDetail, .*, ReadTransactionsDetail$/,
      ],
    ],
  },
  {
    what: "two misspelt permissions",
    send: withPermissions("readbalances", "ReadEverything"),
    status: 400,
    errors: [
      ["permissions_invalid", /^data\.permissions\[0\] is "readbalances", .*; the nearest is ReadBalances\. Allowed: /],
      [
        "permissions_invalid",
        /^data\.permissions\[1\] is "ReadEverything", which is not a permission\. Allowed: ReadAcc/,
      ],
    ],
  },
  {
    what: "a permission that is not safe to show",
    send: withPermissions(`\u202e"${"x".repeat(500)}`),
    status: 400,
    errors: [
      [
        "permissions_invalid",
        /^data\.permissions\[0\] is "\\u\{202e\}\\"x{38}…", which is not a permission\. Allowed: /,
      ],
    ],
  },
  {
    what: "a permission that is not a string",
    send: withPermissions(null),
    status: 400,
    errors: [["permissions_invalid", /^data\.permissions\[0\] is not a string$/]],
  },
  {
    what: "a permission twice",
    send: withPermissions("ReadPAN", "ReadBalances", "ReadPAN"),
    status: 400,
    errors: [["permissions_invalid", /^data\.permissions contains ReadPAN twice$/]],
  },
  {
    what: "more permissions than there are",
    send: withPermissions(...Array<string>(5_000).fill("x")),
    status: 400,
    errors: [["permissions_invalid", /^data\.permissions has 5000 elements, but there are only 21 permissions$/]],
  },
  {
    what: "another grant_type",
    send: withBody("POST /v1/oauth2/tokens", "client_request_query_parameters.grant_type", "password"),
    status: 400,
    errors: [
      [
        "grant_type_invalid",
        /^client_request_query_parameters\.grant_type is "password", not authorization_code or client_credentials$/,
      ],
    ],
  },
  {
    what: "an object in a string",
    send: withBody("POST /v1/oauth2/authorization_codes", "client_request_query_parameters", '{"scope":"accounts"}'),
    status: 400,
    errors: [
      ["client_request_query_parameters_invalid", /^client_request_query_parameters is a string, not an object$/],
    ],
  },
  {
    what: "another response_type",
    send: withBody("POST /v1/oauth2/authorization_codes", "client_request_query_parameters.response_type", "id_token"),
    status: 400,
    errors: [["response_type_invalid", /^client_request_query_parameters\.response_type is "id_token", not code$/]],
  },
  {
    what: "a CCG token for another scope",
    send: withBody("POST /v1/obie/ccg_tokens", "scope", "AIS"),
    status: 400,
    errors: [["scope_invalid", /^scope is "AIS", not payments or accounts$/]],
  },
  {
    what: "an account_id that no path can carry",
    send: withBody("POST /v1/oauth2/authorization_codes", "account_id", ".."),
    status: 400,
    errors: [["account_id_invalid", /^account_id is "\.\.", which cannot be part of a URL path$/]],
  },
  {
    what: "a block of a payment service",
    send: withBody("PUT /v1/accounts/{account_id}/block", "scopes", ["accounts", "AIS"]),
    status: 400,
    errors: [["scopes_invalid", /^scopes\[1\] is "AIS", not payments or accounts$/]],
  },
  {
    what: "a block of nothing",
    send: withBody("PUT /v1/accounts/{account_id}/block", "scopes", []),
    status: 400,
    errors: [["scopes_invalid", /^scopes is empty: DELETE lifts a block$/]],
  },
  {
    what: "a block of one scope twice",
    send: withBody("PUT /v1/accounts/{account_id}/block", "scopes", ["accounts", "accounts"]),
    status: 400,
    errors: [["scopes_invalid", /^scopes names a scope twice$/]],
  },
  {
    what: "no certificate in the body",
    send: withBody("POST /v1/obie/ccg_tokens", "eIDAS", undefined),
    status: 400,
    errors: [["certificate_missing", /^eIDAS is missing$/]],
  },
  {
    what: "a certificate under the header's name in the body",
    send: () => {
      const { eIDAS, ...rest } = ccgBody();
      return send(CCG_TOKENS, { body: { ...rest, eidas: eIDAS } });
    },
    status: 400,
    errors: [["certificate_missing", /^eIDAS is missing: its name is written eIDAS, capitals count$/]],
  },
  {
    what: "a certificate in the header instead of the body",
    send: () => {
      const { eIDAS, ...body } = ccgBody();
      return send(CCG_TOKENS, { body, headers: { eidas: `${eIDAS}` } });
    },
    status: 400,
    errors: [["certificate_missing", /^eIDAS is missing: here the certificate is in the body as eIDAS, not in the /]],
  },
  {
    what: "another name in other capitals",
    send: () => {
      const { scope, ...rest } = ccgBody();
      return send(CCG_TOKENS, { body: { ...rest, Scope: scope } });
    },
    status: 400,
    errors: [["scope_missing", /^scope is missing: its name is written scope, capitals count$/]],
  },
  {
    what: "25: accountId in place of account_id",
    send: () => {
      const { account_id: accountId, ...rest } = sampleOf(TOKENS).body as Record<string, unknown>;
      return send(TOKENS, { body: { ...rest, accountId } });
    },
    status: 400,
    errors: [["account_id_missing", /^account_id is missing: its name is written account_id, underscores count$/]],
  },
  {
    what: "25: a certificate of one character, in the body",
    send: withBody(CCG_TOKENS, "eIDAS", "M"),
    status: 400,
    errors: [
      ["certificate_unreadable", /^eIDAS is unreadable: 1 character, where a certificate in base64 has several/],
    ],
  },
  {
    what: "no certificate, but something else, in the body",
    send: withBody("POST /v1/obie/ccg_tokens", "eIDAS", "!!!"),
    status: 400,
    errors: [["certificate_unreadable", /^eIDAS is unreadable: /]],
  },
];
