/** Permissions as a file has them, one row each. */
import type { PermissionPage } from "../../grants/permission-list.ts";
import { isRecordId } from "../../grants/record-order.ts";
import type { PermissionRecord } from "../../routes/accounts/permissions.answer.ts";
import { type ListFile, members } from "../list-file.tsx";

/** The home register of each one's PSP may have to be read for it. */
const READ_AT_ONCE = 250;

type Row = PermissionRecord & { readonly account_id: string | null };

type Read = (
  after: string | null,
  limit: number,
) => Promise<PermissionPage & { readonly records: readonly PermissionRecord[] }>;

export const permissionList = (read: Read, onlyOpen: boolean): ListFile<Row> => ({
  name: "permissions",
  columns: {
    ...members("id", "account_id"),
    psp: ({ psp }) => psp.authorisation_number,
    psp_name: ({ psp }) => psp.legal_name,
    psp_standing: ({ psp }) => psp.standing,
    ...members("scope", "consent_id", "status", "granted_at", "valid_until", "last_token_at", "ended_at", "ended_by"),
    blocked: ({ blocked }) => (blocked ? "yes" : "no"),
    data: ({ data }) => JSON.stringify(data),
  },
  read: async ({ after = "" }) => {
    const { permissions, records, next } = await read(isRecordId(after) ? after : null, READ_AT_ONCE);
    const rows = records
      .map((record, i) => ({ ...record, account_id: permissions[i]?.accountId ?? null }))
      // whether an authorisation is lost only the register knows
      .filter(({ status }) => !onlyOpen || status === "active");
    return { rows, next: next === null ? null : { after: next } };
  },
});
