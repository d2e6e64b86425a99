/** Codes of the core flow. */
import { ANY_NATIVE } from "../../grants/redirect-uri.ts";
import { ACCOUNT_ID, REDIRECT_URI, SCOPE, STATE } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { body } from "./authorization_codes.ts";

export const CORE_CODES: Resource = {
  operations: {
    "POST /v1/oauth2/authorization_codes": {
      id: "createCoreAuthorizationCode",
      tag: "Core flow",
      summary: "Create an authorization code",
      description:
        "Makes a code for the PSP of the certificate, once the customer has agreed at the bank. The answer has the address to which the bank sends the customer back. A code lives 60 seconds, works once, and only for this PSP, account and redirect URI. A refusal is an address, too (403): the bank sends the customer there all the same.",
      psp: "eidas",
      body: "CoreCodeRequest",
      answers: ["RedirectRecord"],
      refuses: { 403: ["payment_service_invalid", "account_blocked"] },
      refusedRedirect: true,
      success: "The code, and the address to which the bank sends the customer.",
    },
  },
  requests: {
    CoreCodeRequest: body({ native: () => ANY_NATIVE }),
  },
  texts: {
    CoreCodeRequest: {
      account_id: ACCOUNT_ID,
      client_request_query_parameters: "The parameters of the PSP's authorization request, percent-decoded.",
      "client_request_query_parameters.response_type": "Always `code`: other OAuth flows are not supported.",
      "client_request_query_parameters.redirect_uri": REDIRECT_URI,
      "client_request_query_parameters.scope": `${SCOPE} Any other text is refused by the redirect record (403).`,
      "client_request_query_parameters.state": STATE,
    },
  },
};
