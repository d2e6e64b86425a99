/** Errors of GET /v1/access. */
import { table } from "../http/errors/entry.ts";

export const ACCESS = table("caller", {
  access_token_missing: {
    statuses: [401],
    title: "Header access_token is missing",
    rule: "A gateway sends the token that a PSP has shown in the header access_token, with or without Bearer.",
    cause: "The PSP sent no token, or the gateway does not forward it, or sends it as Authorization.",
    cure: "Forward the PSP's header Authorization as access_token. Authorization has the institution's own credentials.",
    example: "access_token: Bearer 20261121T041500Z.0mwqx...",
    whose: "psp",
  },
  access_token_invalid: {
    statuses: [401],
    title: "The access token is not active for the PSP that shows it",
    rule: "A token lets its PSP pass, by any of its certificates, while neither it nor its consent has ended and the account is not blocked.",
    cause: "It has expired, was revoked or withdrawn, is another institution's or another PSP's, or was altered.",
    cure: "The PSP asks its customer for a new one. The title says what has ended.",
    example: 'WWW-Authenticate: Bearer error="invalid_token"',
    whose: "psp",
  },
  insufficient_scope: {
    statuses: [403],
    title: "The access token does not give this access",
    rule: "The token is for the scope, and for the account and each permission that the gateway names. A permission in detail holds the basic one.",
    cause:
      "The customer did not agree to it; or the token of the core flow has no list of permissions, and one was asked for.",
    cure: "The PSP asks its customer for a consent that has the permission. For tokens of the core flow leave permission out.",
    example: "GET /v1/access?scope=accounts&permission=ReadBalances",
    whose: "psp",
  },
  permission_invalid: {
    title: "permission is no permission of account information",
    rule: "A request needs permissions of UK Open Banking's account information, of the scope accounts only. Several are separated by blanks.",
    cause: "It is misspelled, several were joined by commas, or it was sent with the scope payments.",
    cure: "Copy the name from the title. For payments leave the parameter out.",
    example: "permission=ReadTransactionsBasic+ReadTransactionsCredits",
  },
  standing_invalid: {
    title: "standing is not required",
    rule: "With standing=required a PSP passes only while its home register entitles it to the scope. Without it a token lives on.",
    cause: "A status such as Authorised was sent, or true, or the parameter was given twice.",
    cure: "Send required, or leave the parameter out.",
    example: "GET /v1/access?scope=accounts&standing=required",
  },
  max_age_invalid: {
    title: "max_age is not a number from 0 to 60",
    rule: "So many seconds an answer may be old: 0 to 60, and 0 if it is left out.",
    cause: "The value is larger, has a unit or a fraction, or was given twice.",
    cure: "Send whole seconds. A withdrawal is late by as many at most.",
    example: "GET /v1/access?scope=accounts&max_age=5",
  },
});
