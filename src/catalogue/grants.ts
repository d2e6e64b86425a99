/** Errors of authorization codes, tokens and consents. */
import { CODE_LIFETIME_SECONDS } from "../grants/redemption.ts";
import type { Entries } from "./entry.ts";

export const GRANTS = {
  code_unknown: {
    statuses: [403],
    title: "The authorization code is unknown",
    rule: "A code is exchanged in its own flow, by the institution and the PSP that it was issued for.",
    cause: "It is cut off or encoded twice, another PSP's, of the other flow, or of long ago.",
    cure: "Send the code as it stood in the redirect, with the certificate or CCG token of the PSP that asked for it.",
    example: "A code of POST /v1/obie/authorization_codes goes to POST /v1/obie/tokens",
  },
  code_used: {
    statuses: [403],
    title: "The authorization code was used before",
    rule: "A code gives one token. At a second use that token is revoked (RFC 6749 section 4.1.2).",
    cause: "The exchange was repeated by a retry or a reload of the redirect's page, or someone else has the code.",
    cure: "Begin a new authorization, and exchange each code in one place.",
    example: "Store the code as used before sending it",
  },
  code_expired: {
    statuses: [403],
    title: "The authorization code is expired",
    rule: `A code lives ${CODE_LIFETIME_SECONDS} seconds.`,
    cause: "The exchange waited for the PSU, a queue or a timeout.",
    cure: "Exchange a code as soon as the redirect arrives. For this one it is too late: ask for another.",
    example: "Issued at 12:00:00, exchanged before 12:01:00",
  },
  redirect_uri_mismatch: {
    statuses: [403],
    title: "The authorization code was issued for another redirect_uri",
    rule: "The redirect_uri of the exchange is that of the code's own request, letter for letter. The code stays usable.",
    cause: "A slash at the end, a port, the case or an encoding differs.",
    cure: "Send one and the same text in both requests.",
    example: "https://psp.example/callback is not https://psp.example/callback/",
  },
  account_id_mismatch: {
    statuses: [403],
    title: "The authorization code was issued for another account_id",
    rule: "The account_id of the exchange is the one that the code was asked for. The code stays usable.",
    cause: "The PSU chose another account in between, or two systems have different ids for one account.",
    cure: "Send the account_id of the first request, or ask for a code for this account.",
    example: '"account_id": "account-4711" at authorization_codes and at tokens',
  },
  consent_denied: {
    statuses: [403],
    title: "The consent does not allow this",
    rule: "A code needs a living consent of this PSP, of the scope's kind: account access for accounts, payment order for payments.",
    cause: "The consent_id is mistyped or another PSP's, or the consent was deleted, has expired or is used up.",
    cure: "Read the consent before the PSU is asked, and create a new one when it has ended.",
    example: '"scope": "payments" with the consent_id of POST /v1/obie/payment_order_consents',
  },
  consent_of_another_account: {
    statuses: [403],
    title: "The consent was authorised for another PSU account",
    rule: "The first authorization of an account access consent fixes its PSU account.",
    cause: "The PSU chose a second account for a consent that has one, or the account's id changed.",
    cure: "Send the psu_account_id of the first authorization, or create a consent for each account.",
    example: "Two accounts, two account_access_consents",
  },
  consent_not_found: {
    statuses: [404],
    title: "No such consent",
    rule: "A consent is found by the PSP that created it, until it is deleted or its expiration_date_time has passed.",
    cause: "The consent_id is not one of this PSP at this institution, or the consent has ended.",
    cure: "Send the CCG token of the PSP that created the consent. What has ended is not shown again.",
    example: "/v1/obie/account_access_consents/<consent_id of the 201>",
  },
  token_not_found: {
    statuses: [404],
    title: "No such token",
    rule: "A token is found by the institution that it was issued to, in the open-banking flow only with its PSP's CCG token.",
    cause:
      "It is cut off, a code, the literal good-access-token, another institution's, or was removed long after its end.",
    cure: "Put the access_token into the path as it was answered.",
    example: "/v1/oauth2/tokens/<access_token of the 201>",
  },
} as const satisfies Entries;
