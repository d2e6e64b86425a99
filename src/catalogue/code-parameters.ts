/** Errors of the parameters of code and token requests, in both flows. */
import type { Entries } from "./entry.ts";

export const CODE_PARAMETERS = {
  account_id_missing: { statuses: [400, 404], title: "account_id is missing" },
  account_id_invalid: { statuses: [400, 404], title: "account_id is not valid" },
  token_missing: { statuses: [400], title: "token is missing" },
  token_invalid: { statuses: [400], title: "token is not valid" },
  psu_account_id_missing: { statuses: [400], title: "psu_account_id is missing" },
  psu_account_id_invalid: { statuses: [400], title: "psu_account_id is not valid" },
  client_request_query_parameters_missing: { statuses: [400], title: "client_request_query_parameters is missing" },
  client_request_query_parameters_invalid: {
    statuses: [400],
    title: "client_request_query_parameters is not an object",
  },
  response_type_missing: { statuses: [400], title: "response_type is missing" },
  response_type_invalid: { statuses: [400], title: "response_type is not code" },
  redirect_uri_missing: { statuses: [400], title: "redirect_uri is missing" },
  redirect_uri_invalid: { statuses: [400], title: "redirect_uri is not valid" },
  scope_missing: { statuses: [400], title: "scope is missing" },
  scope_invalid: { statuses: [400], title: "scope is not valid" },
  state_invalid: { statuses: [400], title: "state is not valid" },
  grant_type_missing: { statuses: [400], title: "grant_type is missing" },
  grant_type_invalid: { statuses: [400], title: "grant_type is not authorization_code or client_credentials" },
  code_missing: { statuses: [400], title: "code is missing" },
  code_invalid: { statuses: [400], title: "code is not valid" },
  auth_code_missing: { statuses: [400], title: "auth_code is missing" },
  auth_code_invalid: { statuses: [400], title: "auth_code is not valid" },
  consent_id_missing: { statuses: [400], title: "consent_id is missing" },
  consent_id_invalid: { statuses: [400], title: "consent_id is not valid" },
} as const satisfies Entries;
