/** The open-banking flow: `/v1/obie/...`. The PSP of a request is known by its CCG token, the parameter `ccg_token`. */
import {
  type Authorization,
  authorize,
  type CallOptions,
  type Connection,
  callOperation,
  Listing,
  readData,
  readPage,
} from "./call.ts";
import type {
  AccountAccessConsent,
  CcgToken,
  CreatedAccountAccessConsent,
  OpenBankingAccessToken,
  ParametersOf,
  PaymentOrderConsent,
  TokenInformation,
} from "./records.ts";
import type { Operation } from "./request.ts";
import type { Version } from "./settings.ts";

const CCG_TOKENS = "/v1/obie/ccg_tokens";
const ACCESS_CONSENTS = "/v1/obie/account_access_consents";
const ACCESS_CONSENT = "/v1/obie/account_access_consents/{consent_id}";
const ORDER_CONSENTS = "/v1/obie/payment_order_consents";
const ORDER_CONSENT = "/v1/obie/payment_order_consents/{consent_id}";
const CODES = "/v1/obie/authorization_codes";
const TOKENS = "/v1/obie/tokens";
const TOKEN = "/v1/obie/tokens/{token}";

const OF_PSP = { header: "ccg_token", has: "data" } as const;
// no store is written: another one is as good as the one whose answer was lost
const CREATE_CCG_TOKEN: Operation = { method: "POST", path: CCG_TOKENS, repeat: "always", has: "access_token" };
const CREATE_ACCESS_CONSENT: Operation = { ...OF_PSP, method: "POST", path: ACCESS_CONSENTS, repeat: "unless_done" };
const GET_ACCESS_CONSENT: Operation = { ...OF_PSP, method: "GET", path: ACCESS_CONSENT, repeat: "always" };
const DELETE_ACCESS_CONSENT: Operation = {
  method: "DELETE",
  path: ACCESS_CONSENT,
  header: "ccg_token",
  repeat: "always",
};
const CREATE_ORDER_CONSENT: Operation = { ...OF_PSP, method: "POST", path: ORDER_CONSENTS, repeat: "unless_done" };
const LIST_ORDER_CONSENTS: Operation = {
  ...OF_PSP,
  method: "GET",
  path: ORDER_CONSENTS,
  query: ["limit", "cursor", "consent_id"],
  repeat: "always",
};
const GET_ORDER_CONSENT: Operation = { ...OF_PSP, method: "GET", path: ORDER_CONSENT, repeat: "always" };
const CREATE_CODE: Operation = { ...OF_PSP, method: "POST", path: CODES, repeat: "unless_done", accept: 403 };
const CREATE_TOKEN: Operation = { ...OF_PSP, method: "POST", path: TOKENS, repeat: "never" };
const GET_TOKEN: Operation = { ...OF_PSP, method: "GET", path: TOKEN, repeat: "always" };

export class Obie<V extends Version> {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `POST /v1/obie/ccg_tokens`: a token that replaces the PSP's certificate in all requests below, for `expires_in`
   * seconds. Its `warning` says that the PSP would get no code with this scope, and why.
   */
  async createCcgToken(parameters: ParametersOf<"createCcgToken">, options?: CallOptions): Promise<CcgToken> {
    const { body } = await callOperation(this.#connection, CREATE_CCG_TOKEN, parameters, options);
    return body as unknown as CcgToken;
  }

  /** `POST /v1/obie/account_access_consents`: a consent to look at an account, before the customer authorises it. */
  createAccountAccessConsent(
    parameters: ParametersOf<"createAccountAccessConsent">,
    options?: CallOptions,
  ): Promise<CreatedAccountAccessConsent<V>> {
    return readData(this.#connection, CREATE_ACCESS_CONSENT, parameters, options);
  }

  /** `GET /v1/obie/account_access_consents/{consent_id}`: one that was deleted or has expired is not found. */
  getAccountAccessConsent(
    parameters: ParametersOf<"getAccountAccessConsent">,
    options?: CallOptions,
  ): Promise<AccountAccessConsent> {
    return readData(this.#connection, GET_ACCESS_CONSENT, parameters, options);
  }

  /**
   * `DELETE /v1/obie/account_access_consents/{consent_id}`: ends the consent and its tokens at once. One that was deleted
   * or withdrawn already is no error; one that has expired is not found.
   */
  async deleteAccountAccessConsent(
    parameters: ParametersOf<"deleteAccountAccessConsent">,
    options?: CallOptions,
  ): Promise<void> {
    await callOperation(this.#connection, DELETE_ACCESS_CONSENT, parameters, options);
  }

  /** `POST /v1/obie/payment_order_consents`: a consent to one payment, before the customer authorises it. */
  createPaymentOrderConsent(
    parameters: ParametersOf<"createPaymentOrderConsent">,
    options?: CallOptions,
  ): Promise<PaymentOrderConsent> {
    return readData(this.#connection, CREATE_ORDER_CONSENT, parameters, options);
  }

  /** `GET /v1/obie/payment_order_consents/{consent_id}` */
  getPaymentOrderConsent(
    parameters: ParametersOf<"getPaymentOrderConsent">,
    options?: CallOptions,
  ): Promise<PaymentOrderConsent> {
    return readData(this.#connection, GET_ORDER_CONSENT, parameters, options);
  }

  /** `GET /v1/obie/payment_order_consents`: the PSP's, newest first: `await` gives a page, `for await` all. */
  listPaymentOrderConsents(
    parameters: ParametersOf<"listPaymentOrderConsents">,
    options?: CallOptions,
  ): Listing<PaymentOrderConsent> {
    const fetchPage = (cursor: string | undefined) =>
      readPage<PaymentOrderConsent>(
        callOperation(this.#connection, LIST_ORDER_CONSENTS, { ...parameters, cursor }, options),
      );
    return new Listing(fetchPage, parameters.cursor);
  }

  /**
   * `POST /v1/obie/authorization_codes`: the customer agreed to the consent, so the PSP gets a code, by the redirect. A
   * code lives 60 seconds and works once. A refusal is a result, too: see {@link Authorization}.
   */
  createAuthorizationCode(
    parameters: ParametersOf<"createOpenBankingAuthorizationCode">,
    options?: CallOptions,
  ): Promise<Authorization> {
    return authorize(this.#connection, CREATE_CODE, parameters, options);
  }

  /**
   * `POST /v1/obie/tokens`: exchanges a code for an access token. Never repeated: a second exchange is refused with
   * `code_used` and revokes the token of the first. After a `NetworkError` or `TimeoutError` a token may exist; start a
   * new authorization. After a `PspGateError` of status 503 nobody has one, and the title says what to do.
   */
  createToken(
    parameters: ParametersOf<"createOpenBankingToken">,
    options?: CallOptions,
  ): Promise<OpenBankingAccessToken> {
    return readData(this.#connection, CREATE_TOKEN, parameters, options);
  }

  /** `GET /v1/obie/tokens/{token}`: whether a token of this PSP is active. */
  getToken(parameters: ParametersOf<"getOpenBankingToken">, options?: CallOptions): Promise<TokenInformation<V>> {
    return readData(this.#connection, GET_TOKEN, parameters, options);
  }
}
