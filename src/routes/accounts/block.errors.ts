/** Errors of the block of an account. */
import { table } from "../../http/errors/entry.ts";

export const BLOCK = table("caller", {
  scopes_missing: {
    title: "scopes is missing",
    rule: "A block names the scopes that it is for.",
    cause: "The member was left out to mean both.",
    cure: "Name both scopes to block the account altogether.",
    example: '{"scopes": ["payments", "accounts"], ...}',
  },
  scopes_invalid: {
    title: "scopes is not a list of scopes",
    rule: "The list holds payments, accounts or both, each once.",
    cause: "A single word was sent instead of a list, a payment service's number, or an empty list to lift the block.",
    cure: "Send a list. DELETE lifts a block.",
    example: '"scopes": ["accounts"]',
  },
});
