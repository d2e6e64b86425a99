/** The explanations of catalogue/grants.ts. */
import type { GRANTS } from "../grants.ts";
import type { Explanations } from "./explanation.ts";

export const GRANTS_EXPLAINED: Explanations<typeof GRANTS> = {
  code_unknown: {
    rule: "A code is valid only in the flow, for the institution and for the PSP that it was issued for.",
    cause:
      "The code was truncated or percent-encoded twice, belongs to another PSP or the other flow, or was deleted after its expiry.",
    cure: "Send the code of the redirect unchanged, with the certificate or CCG token of the PSP that requested it.",
    example: "A code of POST /v1/obie/authorization_codes goes to POST /v1/obie/tokens",
    retry: "never",
    whose: "psp",
  },
  code_used: {
    rule: "A code can be exchanged once. A second use revokes the token that was issued for it (RFC 6749 section 4.1.2).",
    cause: "The exchange was repeated by a retry or by a reload of the redirect's page, or the code was stolen.",
    cure: "Start a new authorization, and exchange each code only once.",
    example: "Mark the code as used before sending it",
    retry: "never",
    whose: "psp",
  },
  code_expired: {
    rule: "A code expires 60 seconds after it is issued.",
    cause: "The exchange was delayed, for example by a queue or a timeout.",
    cure: "Exchange a code as soon as the redirect arrives. Request a new code in place of this one.",
    example: "Issued at 12:00:00, exchanged before 12:01:00",
    retry: "never",
    whose: "psp",
  },
  redirect_uri_mismatch: {
    rule: "The redirect_uri of the exchange is identical to that of the request for the code. The code stays usable.",
    cause: "They differ in a trailing slash, a port, upper and lower case, or an encoding.",
    cure: "Send the same text in both requests.",
    example: "https://psp.example/callback is not https://psp.example/callback/",
    retry: "never",
    whose: "psp",
  },
  account_id_mismatch: {
    rule: "The account_id of the exchange is that of the request for the code. The code stays usable.",
    cause: "The PSU chose another account in the meantime, or two systems use different ids for the account.",
    cure: "Send the account_id of the first request, or request a code for this account.",
    example: '"account_id": "account-4711" at authorization_codes and at tokens',
    retry: "never",
    whose: "caller",
  },
  consent_denied: {
    rule: "A code needs a consent of this PSP that has not ended, of the kind for its scope: account access for accounts, payment order for payments.",
    cause:
      "The consent_id is wrong or belongs to another PSP, or the consent was deleted, has expired or is consumed; or it was withdrawn at the bank, or the account was blocked after the code was issued.",
    cure: "Read the consent before you ask the PSU, and create a new one if it has ended.",
    example: '"scope": "payments" with the consent_id of POST /v1/obie/payment_order_consents',
    retry: "never",
    whose: "psp",
  },
  consent_of_another_account: {
    rule: "The first authorization of an account access consent fixes its PSU account.",
    cause: "The PSU chose another account than at the first authorization, or the account's id has changed.",
    cure: "Send the psu_account_id of the first authorization, or create a separate consent for each account.",
    example: "Two accounts, two account_access_consents",
    retry: "never",
    whose: "caller",
  },
  consent_not_found: {
    rule: "A consent is visible to the PSP that created it, until it is deleted or its expiration_date_time has passed.",
    cause: "The PSP has no consent with this consent_id at this institution, or the consent has ended.",
    cure: "Send the CCG token of the PSP that created the consent. A consent that has ended is not shown any more.",
    example: "/v1/obie/account_access_consents/<consent_id of the 201>",
    retry: "never",
    whose: "psp",
  },
  account_blocked: {
    rule: "While an institution blocks an account for a scope, it gives no code, no token and no authorization of a consent.",
    cause: "The institution sent PUT /v1/accounts/{account_id}/block, for example since the customer asked for it.",
    cure: "The institution lifts its block. A PSP can only wait, or ask the customer.",
    example: "DELETE /v1/accounts/account-4711/block",
    retry: "never",
    whose: "bank",
  },
  permission_not_found: {
    rule: "A permission is found by the institution and the account that it was given for, until two years after its end.",
    cause: "The id is another account's or institution's, a token, or of a consent that nobody has authorised yet.",
    cure: "Send an id of GET /v1/accounts/{account_id}/permissions for the same account.",
    example: "DELETE /v1/accounts/account-4711/permissions/<id of the list>",
    retry: "never",
    whose: "caller",
  },
  token_not_found: {
    rule: "A token is visible to the institution that it was issued to; in the open-banking flow only with its PSP's CCG token.",
    cause:
      "The token was truncated, belongs to another institution, or was deleted after the retention time; or the value is a code or the literal good-access-token.",
    cure: "Put the access_token of the answer into the path unchanged.",
    example: "/v1/oauth2/tokens/<access_token of the 201>",
    retry: "never",
    whose: "caller",
  },
};
