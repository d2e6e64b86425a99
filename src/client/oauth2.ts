/** The core flow: `/v1/oauth2/...`. The PSP of a request is known by its certificate, the parameter `eidas`. */
import {
  type Authorization,
  authorize,
  type CallOptions,
  type Connection,
  callOperation,
  Listing,
  readData,
} from "./call.ts";
import type { AccessToken, ParametersOf, TokenRecord } from "./records.ts";
import type { Operation } from "./request.ts";
import type { Version } from "./settings.ts";

const CODES = "/v1/oauth2/authorization_codes";
const TOKENS = "/v1/oauth2/tokens";
const TOKEN = "/v1/oauth2/tokens/{token}";
const ACCOUNT_TOKENS = "/v1/oauth2/account/{account_id}/tokens";

const CREATE_CODE: Operation = {
  method: "POST",
  path: CODES,
  header: "eidas",
  repeat: "unless_done",
  has: "data",
  accept: 403,
};
const CREATE_TOKEN: Operation = { method: "POST", path: TOKENS, header: "eidas", repeat: "never", has: "data" };
const GET_TOKEN: Operation = { method: "GET", path: TOKEN, repeat: "always", has: "data" };
const DELETE_TOKEN: Operation = { method: "DELETE", path: TOKEN, repeat: "always" };
const LIST_TOKENS: Operation = {
  method: "GET",
  path: ACCOUNT_TOKENS,
  query: ["cursor"],
  repeat: "always",
  has: "data",
};

export class OAuth2<V extends Version> {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `POST /v1/oauth2/authorization_codes`: the customer agreed, so the PSP gets a code, by the redirect. A code lives 60
   * seconds and works once. A refusal is a result, too: see {@link Authorization}.
   */
  createAuthorizationCode(
    parameters: ParametersOf<"createCoreAuthorizationCode">,
    options?: CallOptions,
  ): Promise<Authorization> {
    return authorize(this.#connection, CREATE_CODE, parameters, options);
  }

  /**
   * `POST /v1/oauth2/tokens`: exchanges a code for an access token. Never repeated: a second exchange is refused with
   * `code_used` and revokes the token of the first. After a `NetworkError` or `TimeoutError` a token may exist; start a
   * new authorization. After a `PspGateError` of status 503 nobody has one, and the title says what to do.
   */
  createToken(parameters: ParametersOf<"createCoreToken">, options?: CallOptions): Promise<AccessToken> {
    return readData(this.#connection, CREATE_TOKEN, parameters, options);
  }

  /** `GET /v1/oauth2/tokens/{token}`: the record of a token. */
  getToken(parameters: ParametersOf<"getCoreToken">, options?: CallOptions): Promise<TokenRecord<V>> {
    return readData(this.#connection, GET_TOKEN, parameters, options);
  }

  /** `DELETE /v1/oauth2/tokens/{token}`: revokes a token at once. One that has ended already is no error. */
  async deleteToken(parameters: ParametersOf<"deleteCoreToken">, options?: CallOptions): Promise<void> {
    await callOperation(this.#connection, DELETE_TOKEN, parameters, options);
  }

  /**
   * `GET /v1/oauth2/account/{account_id}/tokens`: the tokens of a PSU account, active ones first, up to 1,000 a page:
   * `await` gives a page, `for await` all.
   */
  listTokens(parameters: ParametersOf<"listAccountTokens">, options?: CallOptions): Listing<TokenRecord<V>> {
    return new Listing(async (cursor) => {
      const { body, headers } = await callOperation(this.#connection, LIST_TOKENS, { ...parameters, cursor }, options);
      // RFC 8288: <?cursor=...>; rel="next"
      const next = /<\?cursor=([^>&]+)>;\s*rel="?next/.exec(headers.get("Link") ?? "")?.[1];
      return {
        data: body["data"] as TokenRecord<V>[],
        next_cursor: next === undefined ? null : decodeURIComponent(next),
      };
    }, parameters.cursor);
  }
}
