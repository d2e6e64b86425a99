/** Errors of the permissions of an account. */
import { table } from "../../http/errors/entry.ts";

export const PERMISSIONS = table("caller", {
  permission_not_found: {
    statuses: [404],
    title: "No such permission",
    rule: "A permission is found by the institution and the account that it was given for, until two years after its end.",
    cause: "The id is another account's or institution's, a token, or of a consent that nobody has authorised yet.",
    cure: "Send an id of GET /v1/accounts/{account_id}/permissions for the same account.",
    example: "DELETE /v1/accounts/account-4711/permissions/<id of the list>",
    whose: "caller",
  },
  status_invalid: {
    title: "status is neither active nor ended",
    rule: "The list of an account's permissions is of the active ones, of the ended ones, or of both.",
    cause: "Another word was sent, such as Authorised, or the parameter was given twice.",
    cure: "Send active or ended, or leave it out for both.",
    example: "GET /v1/accounts/account-4711/permissions?status=active",
  },
  by_invalid: {
    title: "by is neither bank nor customer",
    rule: "A withdrawal says whether the customer asked for it. Without by it was the bank.",
    cause: "Another word was sent, or the parameter was given twice.",
    cure: "Send customer when the customer pressed the button.",
    example: "DELETE /v1/accounts/account-4711/permissions/<id>?by=customer",
  },
});
