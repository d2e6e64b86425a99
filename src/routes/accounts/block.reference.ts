/** The block of an account. */
import { DATA } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { accountBlock } from "./block.answer.ts";
import { body, path } from "./block.ts";

export const BLOCK: Resource = {
  operations: {
    "GET /v1/accounts/{account_id}/block": {
      id: "getAccountBlock",
      tag: "Permissions",
      summary: "Get an account's block",
      description: "Says for which scopes an account is blocked. The list is empty if it is not blocked.",
      path: path(),
      answers: ["AccountBlock"],
      success: "The scopes that are blocked.",
    },
    "PUT /v1/accounts/{account_id}/block": {
      id: "putAccountBlock",
      tag: "Permissions",
      summary: "Block an account",
      description:
        "Blocks an account for one scope or both, and replaces an earlier block. No code, no token and no authorization is given, and live tokens are inactive, until the block is lifted. Nothing is revoked.",
      path: path(),
      body: "AccountBlockRequest",
      answers: ["AccountBlock"],
      success: "The block as it is now.",
    },
    "DELETE /v1/accounts/{account_id}/block": {
      id: "deleteAccountBlock",
      tag: "Permissions",
      summary: "Lift an account's block",
      description:
        "Lifts the block of an account for both scopes. To keep one blocked, PUT it. Tokens that are still alive work again. Without a block it changes nothing.",
      path: path(),
      answers: [],
      refuses: { 400: ["body_malformed"] },
      success: "The account is not blocked.",
    },
  },
  requests: {
    AccountBlockRequest: body(),
  },
  answers: {
    AccountBlock: accountBlock,
  },
  texts: {
    AccountBlockRequest: {
      scopes: "What is blocked, each scope once. One that is not named is free again. To lift the whole block: DELETE.",
    },
    AccountBlock: {
      data: DATA,
      "data.scopes": "The scopes that are blocked, `payments` before `accounts`; empty if the account is not blocked.",
      "data.blocked_at": "Since when; of two scopes the older. Null if the account is not blocked.",
    },
  },
};
