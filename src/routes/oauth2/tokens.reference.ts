/** Tokens of the core flow. */
import {
  ACCOUNT_ID,
  at,
  CODE_REFUSALS,
  DATA,
  EXPIRES_IN,
  PSP_ID,
  TOKEN_TYPE,
  WARNING_LOST,
} from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { accessToken, tokenList, tokenListLatest, tokenRecord, tokenRecordLatest } from "./tokens.answer.ts";
import { body, CLIENT_CREDENTIALS_WARNING, path, query } from "./tokens.ts";

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

export const CORE_TOKENS: Resource = {
  operations: {
    "POST /v1/oauth2/tokens": {
      id: "createCoreToken",
      tag: "Core flow",
      summary: "Exchange a code for an access token",
      description:
        "Exchanges the code that the PSP got by the redirect for an access token. A second use is refused and revokes the token of the first. With `client_credentials` the answer is always `good-access-token`, which opens nothing: it is stored nowhere, and no introspection calls it active. For what a PSP may do without a customer, `POST /v1/obie/ccg_tokens` gives a token that counts. Do not repeat this request by itself: a 503 says whether the code is still usable.",
      psp: "eidas",
      body: "CoreTokenRequest",
      answers: ["AccessToken"],
      refuses: {
        // not with client_credentials
        400: ["account_id_missing"],
        403: [...CODE_REFUSALS, "account_id_mismatch", "consent_denied", "payment_service_invalid"],
      },
      success: "The access token.",
      headers: ["token-warning"],
    },
    "GET /v1/oauth2/tokens/{token}": {
      id: "getCoreToken",
      tag: "Core flow",
      summary: "Get a token's record",
      description:
        "Gives the record of a token that this bank was given, in either flow. The token may be expired or revoked.",
      answers: ["TokenRecord", "TokenRecordLatest"],
      refuses: { 404: ["token_not_found"] },
      success: "The record of the token.",
    },
    "DELETE /v1/oauth2/tokens/{token}": {
      id: "deleteCoreToken",
      tag: "Core flow",
      summary: "Revoke a token",
      description:
        "Revokes a token, which is inactive from now on. Its record stays. Revoking it again changes nothing.",
      answers: [],
      refuses: { 404: ["token_not_found"] },
      success: "The token is revoked.",
    },
    "GET /v1/oauth2/account/{account_id}/tokens": {
      id: "listAccountTokens",
      tag: "Core flow",
      summary: "List an account's tokens",
      description:
        "Lists the tokens of an account. Active tokens come first, then those that have ended; of each the one that expires last comes first. The order of the first page holds for all pages. A page has up to 1,000; the header Link leads to the next.",
      path: path(),
      query: query(),
      answers: ["TokenList", "TokenListLatest"],
      links: true,
      success: "A page of tokens; an empty list if the account has none.",
      parameters: {
        cursor: "From the address in the header Link of the page before; nothing for the first page.",
      },
    },
  },
  headers: {
    "token-warning": {
      description: "Only with `client_credentials`: that the token of the answer opens nothing.",
      schema: { type: "string", enum: [CLIENT_CREDENTIALS_WARNING] },
      example: CLIENT_CREDENTIALS_WARNING,
    },
  },
  requests: {
    CoreTokenRequest: body(),
  },
  answers: {
    AccessToken: accessToken,
    TokenRecord: tokenRecord,
    TokenRecordLatest: tokenRecordLatest,
    TokenList: tokenList,
    TokenListLatest: tokenListLatest,
  },
  texts: {
    CoreTokenRequest: {
      account_id: `${ACCOUNT_ID} Required with \`authorization_code\`: that of the request for the code.`,
      client_request_query_parameters: "The parameters of the PSP's token request.",
      "client_request_query_parameters.grant_type":
        "`authorization_code` exchanges a code; `client_credentials` gives a fixed token that opens nothing, and needs no other field.",
      "client_request_query_parameters.code":
        "The code of the redirect, within 60 seconds and once: at most 512 characters.",
      "client_request_query_parameters.redirect_uri": "The same text as in the request for the code.",
      "client_request_query_parameters.scope":
        "`payments` or `accounts` chooses the scope of the answer. Any other value is ignored: the answer is of the first of the two that the PSP may use.",
    },
    AccessToken: {
      data: DATA,
      "data.access_token":
        "The token that the PSP shows to the bank. With `client_credentials` always `good-access-token`, which opens nothing.",
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
  },
};
