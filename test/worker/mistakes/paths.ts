/** Mistakes in the method and the path of a request. */
import { call } from "../bank.ts";
import { send } from "../samples.ts";
import type { Mistake } from "./mistake.ts";

export const PATH_MISTAKES: readonly Mistake[] = [
  {
    what: "a path of version 1.6",
    send: () => call("POST", "/v1/obie/ccg_token", { body: {} }),
    status: 404,
    errors: [["path_not_found", /^No such path\. Since version 1\.7 it is POST \/v1\/obie\/ccg_tokens$/]],
  },
  {
    what: "the PSP check's path of version 1.6",
    send: () => call("GET", "/v1/tpp/eidas"),
    status: 404,
    errors: [["path_not_found", /^No such path\. Since version 1\.7 it is GET \/v1\/psp\/eidas$/]],
  },
  {
    what: "a slash at the end",
    send: () => call("POST", "/v1/obie/account_access_consents/", { body: {} }),
    status: 404,
    errors: [
      ["path_not_found", /^No such path\. Without the extra slash it is POST \/v1\/obie\/account_access_consents; /],
    ],
  },
  {
    what: "capitals",
    send: () => call("GET", "/v1/PSP/eIDAS?jurisdiction=xx"),
    status: 404,
    errors: [["path_not_found", /^No such path\. In lower case it is GET \/v1\/psp\/eidas$/]],
  },
  {
    what: "a path without its version, as of a base address that should end in it",
    send: () => call("POST", "/oauth2/tokens", { body: {} }),
    status: 404,
    errors: [
      ["path_not_found", /^No such path\. With one \/v1, the only version in a path, it is POST \/v1\/oauth2\/tokens$/],
    ],
  },
  {
    what: "the version twice, as of a base address that ends in it",
    send: () => call("GET", "/v1/v1/psp/eidas?jurisdiction=xx"),
    status: 404,
    errors: [
      ["path_not_found", /^No such path\. With one \/v1, the only version in a path, it is GET \/v1\/psp\/eidas$/],
    ],
  },
  {
    what: "25: a path of another version",
    send: () => call("GET", "/v2/psp/eidas?jurisdiction=xx"),
    status: 404,
    errors: [
      ["path_not_found", /^No such path\. With one \/v1, the only version in a path, it is GET \/v1\/psp\/eidas$/],
    ],
  },
  {
    what: "25: an account's tokens in the plural",
    send: () => call("GET", "/v1/oauth2/accounts/account-4711/tokens"),
    status: 404,
    errors: [
      [
        "path_not_found",
        /^No such path\. With account in the singular it is GET \/v1\/oauth2\/account\/\{account_id\}\/tokens$/,
      ],
    ],
  },
  {
    what: "an empty account_id",
    send: () => send("GET /v1/oauth2/account/{account_id}/tokens", { segment: "" }),
    status: 404,
    errors: [["account_id_missing", /^account_id is empty in the path /]],
  },
  {
    what: "a path that is not percent-encoded",
    send: () => send("GET /v1/oauth2/account/{account_id}/tokens", { segment: "100%" }),
    status: 404,
    errors: [["path_malformed", /^account_id in the path is not percent-encoded UTF-8$/]],
  },
  {
    what: "no id of a permission",
    send: () => call("DELETE", "/v1/accounts/account-1/permissions/"),
    status: 404,
    errors: [
      ["path_not_found", /^No such path\. Without the extra slash it is GET, DELETE .*; with the permission_id /],
    ],
  },
  {
    what: "a method that the path does not have",
    send: () => call("PUT", "/v1/oauth2/tokens/x", { body: {} }),
    status: 405,
    errors: [["method_not_allowed", /^This path supports only GET, DELETE$/]],
  },
];
