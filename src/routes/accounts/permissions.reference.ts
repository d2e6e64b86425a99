/** The permissions of an account. */
import { NEXT_CURSOR } from "../../reference/field-texts.ts";
import type { Resource } from "../../reference/operation.ts";
import { path } from "./block.ts";
import { permissionList } from "./permissions.answer.ts";
import { listQuery, withdrawalQuery } from "./permissions.ts";

export const PERMISSIONS: Resource = {
  operations: {
    "GET /v1/accounts/{account_id}/permissions": {
      id: "listAccountPermissions",
      tag: "Permissions",
      summary: "List an account's permissions",
      description:
        "Lists what the customer agreed to, with words for a page that the customer reads. The one whose consent was created last, or whose first token was issued last, comes first. Without `status` active and ended ones are mixed. A page may hold fewer than 50, or none, and still have a next one.",
      path: path(),
      query: listQuery(),
      answers: ["PermissionList"],
      success: "A page of permissions.",
      parameters: {
        status: "Only those that are active, or only those that have ended.",
        cursor: "The `next_cursor` of the page before, for the same account and status.",
      },
    },
    "DELETE /v1/accounts/{account_id}/permissions": {
      id: "withdrawAccountPermissions",
      tag: "Permissions",
      summary: "Withdraw an account's permissions",
      description:
        "Ends each permission of the account that is active, and revokes its tokens. Without any it changes nothing.",
      path: path(),
      query: withdrawalQuery(),
      answers: [],
      refuses: { 400: ["body_malformed"] },
      success: "The account has no active permission.",
      parameters: {
        by: "Who withdraws: the list shows it in `ended_by`.",
      },
    },
    "DELETE /v1/accounts/{account_id}/permissions/{permission_id}": {
      id: "withdrawAccountPermission",
      tag: "Permissions",
      summary: "Withdraw a permission",
      description:
        "Ends a permission, which is a consent or a token of the core flow, and revokes its tokens at once. The PSP is not asked. A permission that has ended stays as it is.",
      path: path(),
      query: withdrawalQuery(),
      answers: [],
      refuses: { 400: ["body_malformed"], 404: ["permission_not_found"] },
      success: "The permission has ended.",
      parameters: {
        permission_id: "The `id` of a permission in the list of the account.",
        by: "Who withdraws: the list shows it in `ended_by`.",
      },
    },
  },
  answers: {
    PermissionList: permissionList,
  },
  texts: {
    PermissionList: {
      data: "One page: the one whose consent was created last, or whose first token was issued last, first. `granted_at` may have another order.",
      "data[].id": "The id of the permission: that of its consent, or of its first token.",
      "data[].status": "`active` or `ended`.",
      "data[].psp": "Who has the permission.",
      "data[].psp.legal_name": "The PSP's name in its home register; null if it has none or cannot be read.",
      "data[].psp.authorisation_number": "The PSP's authorisation number in its normal form.",
      "data[].psp.home_country": "Two capitals; null if the number names no country.",
      "data[].psp.standing": "Its status in the home register now; null if that documents none, or cannot be read.",
      "data[].scope": "`payments` or `accounts`.",
      "data[].consent_id": "The consent. Absent in the core flow.",
      "data[].data": "What it is about, in words for the customer.",
      "data[].data[].group": "A heading, such as Your account details.",
      "data[].data[].words": "One sentence or phrase for each kind of data.",
      "data[].permissions": "The words of the account access consent, in the order of its creation's request.",
      "data[].transaction_from_date_time": "The first instant of which transactions may be read; null: the earliest.",
      "data[].transaction_to_date_time": "The last one; null: the latest.",
      "data[].granted_at": "When the customer first authorised it.",
      "data[].valid_until": "When it ends by itself; null: open ended.",
      "data[].last_token_at": "When its last token was issued; null if none was.",
      "data[].blocked": "Its account is blocked for its scope: its tokens are inactive while that lasts.",
      "data[].ended_at": "When it ended; null if it is active, or if that is not known.",
      "data[].ended_by":
        "Who or what ended it: the PSP, the bank, the customer, its expiry, the loss of the PSP's authorisation, or a code of it that was used twice (`code_used_twice`): somebody may have stolen the code. Null if it is active.",
      next_cursor: NEXT_CURSOR,
    },
  },
};
