/** Permissions as a file has them, one row each. */
import type { PermissionPage } from "../../grants/permission-list.ts";
import { isRecordId } from "../../grants/record-order.ts";
import type { ListFile } from "../list-file.tsx";
import type { ListedPermission } from "./permission-card.tsx";

/** The home register of each one's PSP may have to be read for it. */
const READ_AT_ONCE = 250;

type Read = (
  after: string | null,
  limit: number,
) => Promise<PermissionPage & { readonly records: readonly ListedPermission["record"][] }>;

export const permissionList = (read: Read, onlyOpen: boolean): ListFile<ListedPermission> => ({
  name: "permissions",
  columns: {
    permission_id: ({ record }) => record.id,
    account: ({ accountId }) => accountId,
    psp: ({ record }) => record.psp.authorisation_number,
    psp_name: ({ record }) => record.psp.legal_name,
    psp_standing: ({ record }) => record.psp.standing,
    scope: ({ record }) => record.scope,
    consent_id: ({ record }) => record.consent_id,
    status: ({ record }) => record.status,
    granted_at: ({ record }) => record.granted_at,
    valid_until: ({ record }) => record.valid_until,
    last_token_at: ({ record }) => record.last_token_at,
    blocked: ({ record }) => (record.blocked ? "yes" : "no"),
    ended_at: ({ record }) => record.ended_at,
    ended_by: ({ record }) => record.ended_by,
    data: ({ record }) => JSON.stringify(record.data),
  },
  read: async ({ after = "" }) => {
    const { permissions, records, next } = await read(isRecordId(after) ? after : null, READ_AT_ONCE);
    const rows = records
      .map((record, i) => ({ record, accountId: permissions[i]?.accountId ?? "" }))
      // whether an authorisation is lost only the register knows
      .filter(({ record }) => !onlyOpen || record.status === "active");
    return { rows, next: next === null ? null : { after: next } };
  },
});
