/** Errors of authorization codes, tokens and consents. */
import { table } from "./entry.ts";

export const GRANTS = table("psp", {
  code_unknown: {
    statuses: [403],
    title: "The authorization code is unknown",
    rule: "A code is valid only in the flow, for the institution and for the PSP that it was issued for.",
    cause:
      "The code was truncated or percent-encoded twice, belongs to another PSP or the other flow, or was deleted after its expiry.",
    cure: "Send the code of the redirect unchanged, with the certificate or CCG token of the PSP that requested it.",
    example: "A code of POST /v1/obie/authorization_codes goes to POST /v1/obie/tokens",
  },
  code_used: {
    statuses: [403],
    title: "The authorization code was used before",
    rule: "A code can be exchanged once. A second use revokes the token that was issued for it (RFC 6749 section 4.1.2).",
    cause: "The exchange was repeated by a retry or by a reload of the redirect's page, or the code was stolen.",
    cure: "Start a new authorization, and exchange each code only once.",
    example: "Mark the code as used before sending it",
  },
  code_expired: {
    statuses: [403],
    title: "The authorization code is expired",
    rule: "A code expires 60 seconds after it is issued.",
    cause: "The exchange was delayed, for example by a queue or a timeout.",
    cure: "Exchange a code as soon as the redirect arrives. Request a new code in place of this one.",
    example: "Issued at 12:00:00, exchanged before 12:01:00",
  },
  redirect_uri_mismatch: {
    statuses: [403],
    title:
      "The authorization code was issued for another redirect_uri: send that of the code's request. The code is still usable",
    rule: "The redirect_uri of the exchange is identical to that of the request for the code. The code stays usable.",
    cause: "They differ in a trailing slash, a port, upper and lower case, or an encoding.",
    cure: "Send the same text in both requests.",
    example: "https://psp.example/callback is not https://psp.example/callback/",
  },
  account_id_mismatch: {
    statuses: [403],
    title:
      "The authorization code was issued for another account_id: send that of the code's request. The code is still usable",
    rule: "The account_id of the exchange is that of the request for the code. The code stays usable.",
    cause: "The PSU chose another account in the meantime, or two systems use different ids for the account.",
    cure: "Send the account_id of the first request, or request a code for this account.",
    example: '"account_id": "account-4711" at authorization_codes and at tokens',
    whose: "caller",
  },
  consent_denied: {
    statuses: [403],
    title: "The consent does not allow this",
    rule: "A code needs a consent of this PSP that has not ended, of the kind for its scope: account access for accounts, payment order for payments.",
    cause:
      "The consent_id is wrong or belongs to another PSP, or the consent was deleted or is consumed; or it was withdrawn at the bank, or the account was blocked after the code was issued.",
    cure: "Read the consent before you ask the PSU, and create a new one if it has ended.",
    example: '"scope": "payments" with the consent_id of POST /v1/obie/payment_order_consents',
  },
  consent_expired: {
    statuses: [403, 404],
    title: "The consent has expired: create a new one, and let the PSU authorise it",
    rule: "An account access consent ends at its expiration_date_time. Only the PSP that created it learns that it has expired; to others it is unknown.",
    cause: "The PSP went on with a consent beyond the time that it asked for, or that the operator allows.",
    cure: "Create a new consent, and let the PSU authorise it.",
    example: '"expiration_date_time": "2030-01-01T00:00:00Z" ends the consent with the year 2029 in UTC',
  },
  consent_of_another_account: {
    statuses: [403],
    title: "The consent was authorised for another PSU account",
    rule: "The first authorization of an account access consent fixes its PSU account.",
    cause: "The PSU chose another account than at the first authorization, or the account's id has changed.",
    cure: "Send the psu_account_id of the first authorization, or create a separate consent for each account.",
    example: "Two accounts, two account_access_consents",
    whose: "caller",
  },
  consent_not_found: {
    statuses: [404],
    title: "No such consent",
    rule: "A consent is visible to the PSP that created it, until it is deleted or withdrawn. One that has expired is consent_expired.",
    cause: "The PSP has no consent with this consent_id at this institution, or the consent was deleted or withdrawn.",
    cure: "Send the CCG token of the PSP that created the consent. A consent that was ended is not shown any more.",
    example: "/v1/obie/account_access_consents/<consent_id of the 201>",
  },
  account_blocked: {
    statuses: [403],
    title: "The institution has blocked the account for this scope",
    rule: "While an institution blocks an account for a scope, it gives no code, no token and no authorization of a consent.",
    cause: "The institution sent PUT /v1/accounts/{account_id}/block, for example since the customer asked for it.",
    cure: "The institution lifts its block. A PSP can only wait, or ask the customer.",
    example: "DELETE /v1/accounts/account-4711/block",
    whose: "bank",
  },
  token_not_found: {
    statuses: [404],
    title: "No such token",
    rule: "A token is visible to the institution that it was issued to; in the open-banking flow only with its PSP's CCG token.",
    cause:
      "The token was truncated, belongs to another institution, or was deleted after the retention time; or the value is a code or the literal good-access-token.",
    cure: "Put the access_token of the answer into the path unchanged.",
    example: "/v1/oauth2/tokens/<access_token of the 201>",
    whose: "caller",
  },
});
