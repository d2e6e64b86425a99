/** Fields of permissions and blocks. */
import type { FieldTexts } from "./shared.ts";
import { DATA, NEXT_CURSOR } from "./shared.ts";

export const ACCOUNT_REQUESTS: Readonly<Record<string, FieldTexts>> = {
  AccountBlockRequest: {
    scopes: "What is blocked, each scope once. One that is not named is free again. To lift the whole block: DELETE.",
  },
};

export const ACCOUNT_ANSWERS: Readonly<Record<string, FieldTexts>> = {
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
  AccountBlock: {
    data: DATA,
    "data.scopes": "The scopes that are blocked, `payments` before `accounts`; empty if the account is not blocked.",
    "data.blocked_at": "Since when; of two scopes the older. Null if the account is not blocked.",
  },
};
