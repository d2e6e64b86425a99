/** Codes of the open-banking flow. */
import { ANY_NATIVE } from "../../grants/redirect-uri.ts";
import { ACCOUNT_ID, REDIRECT_URI, SCOPE, STATE } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { body } from "./authorization_codes.ts";

export const OPEN_BANKING_CODES: Resource = {
  operations: {
    "POST /v1/obie/authorization_codes": {
      id: "createOpenBankingAuthorizationCode",
      tag: "Open-banking flow",
      summary: "Create an authorization code for a consent",
      description:
        "Sets a consent to Authorised and makes a code, as in the core flow, once the customer has authorised the consent at the bank for this account. The first authorization binds the consent to the account. A refusal (403) is an address, too.",
      psp: "ccg_token",
      body: "OpenBankingCodeRequest",
      answers: ["RedirectRecord"],
      refuses: {
        403: [
          "payment_service_invalid",
          "consent_denied",
          "consent_expired",
          "consent_of_another_account",
          "account_blocked",
        ],
      },
      refusedRedirect: true,
      success: "The code, and the address to which the bank sends the customer.",
    },
  },
  requests: {
    OpenBankingCodeRequest: body({ native: () => ANY_NATIVE }),
  },
  texts: {
    OpenBankingCodeRequest: {
      consent_id:
        "The consent that the customer authorised: of account access for `accounts`, of a payment order for `payments`. At most 128 characters.",
      psu_account_id: ACCOUNT_ID,
      redirect_uri: REDIRECT_URI,
      scope: `${SCOPE} Any other text is refused by the redirect record (403).`,
      state: STATE,
    },
  },
};
