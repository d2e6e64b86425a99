/** Fields of the core flow, of redirect records and of errors. */
import {
  ACCOUNT_ID,
  at,
  DATA,
  ERRORS,
  EXPIRES_IN,
  type FieldTexts,
  PSP_ID,
  REDIRECT_URI,
  SCOPE,
  STATE,
  TOKEN_TYPE,
  WARNING_LOST,
} from "./shared.ts";

export const CORE_REQUESTS: Readonly<Record<string, FieldTexts>> = {
  CoreCodeRequest: {
    account_id: ACCOUNT_ID,
    client_request_query_parameters: "The parameters of the PSP's authorization request, percent-decoded.",
    "client_request_query_parameters.response_type": "Always `code`: other OAuth flows are not supported.",
    "client_request_query_parameters.redirect_uri": REDIRECT_URI,
    "client_request_query_parameters.scope": `${SCOPE} Any other text is refused by the redirect record (403).`,
    "client_request_query_parameters.state": STATE,
  },
  CoreTokenRequest: {
    account_id: `${ACCOUNT_ID} Required with \`authorization_code\`: that of the request for the code.`,
    client_request_query_parameters: "The parameters of the PSP's token request.",
    "client_request_query_parameters.grant_type":
      "`authorization_code` exchanges a code; `client_credentials` gives a fixed token without access, and needs no other field.",
    "client_request_query_parameters.code":
      "The code of the redirect, within 60 seconds and once: at most 512 characters.",
    "client_request_query_parameters.redirect_uri": "The same text as in the request for the code.",
    "client_request_query_parameters.scope":
      "`payments` or `accounts` chooses the scope of the answer. Any other value is ignored: the answer is of the first of the two that the PSP may use.",
  },
};

const REDIRECT = {
  data: DATA,
  "data.redirect_uri": "The address to which the bank sends the customer, and its parts.",
  "data.redirect_uri.parameters": "What is added to the query of the redirect URI.",
  "data.redirect_uri.parameters.state": "The state of the request. Absent if it had none.",
  "data.redirect_uri.full_uri": "The whole address, percent-encoded: send the customer there.",
};

const TOKEN_RECORD = {
  token: "The access token. If the key that it was made with was removed, a text that only identifies it.",
  active: "False if it is expired or revoked, or while its account is blocked for its scope.",
  psp_id: PSP_ID,
  account_id: "The account that it gives access to.",
  scope: "`payments` or `accounts`.",
  exp: "When it expires: seconds since 1970.",
  iat: "When it was issued: seconds since 1970.",
  revoked_at: "When it was revoked: seconds since 1970. Null if it was not.",
};

export const CORE_ANSWERS: Readonly<Record<string, FieldTexts>> = {
  Errors: ERRORS,
  RedirectRecord: {
    ...REDIRECT,
    "data.redirect_uri.base_uri": "The redirect URI of the request.",
    "data.redirect_uri.parameters.code": "The authorization code: for 60 seconds, for one exchange.",
  },
  RefusedRedirectRecord: {
    ...REDIRECT,
    "data.redirect_uri.base_url": "The redirect URI of the request; in this form the key ends in `url`.",
    "data.redirect_uri.parameters.error":
      "OAuth's error for the PSP (RFC 6749 section 4.1.2.1): `invalid_scope` if it may not use the scope, `access_denied` if the consent or the bank does not allow it.",
    "data.redirect_uri.parameters.error_description": "The reason for the PSP's developers, in ASCII.",
    ...ERRORS,
    errors: "The same refusal for the bank.",
  },
  AccessToken: {
    data: DATA,
    "data.access_token":
      "The token that the PSP shows to the bank. With `client_credentials` always `good-access-token`.",
    "data.expires_in": EXPIRES_IN,
    "data.token_type": TOKEN_TYPE,
    "data.scope": "What the token is for: `payments` or `accounts`.",
  },
  TokenRecord: { data: DATA, ...at("data", TOKEN_RECORD) },
  TokenRecordLatest: { "data.warning": WARNING_LOST },
  TokenList: {
    data: "One page: active tokens first, then those that have ended; of each the one with the latest `exp` first. One that only a block makes inactive stands among the active ones. Empty if there are none.",
    ...at("data[]", TOKEN_RECORD),
  },
  TokenListLatest: { "data[].warning": WARNING_LOST },
};
