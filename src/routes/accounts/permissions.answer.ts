/** What a bank shows its customer: the permissions of an account. */
import * as z from "zod";
import { ENDED_BY, PERMISSIONS } from "../../grants/permission.ts";
import { country, instant, list, scope } from "../../http/answer-fields.ts";
import { AUTHORISATION_STATUSES } from "../../registers/psp-record.ts";

const permission = z.object({
  id: z.string(),
  status: z.enum(["active", "ended"]),
  psp: z.object({
    legal_name: z.string().nullable(),
    authorisation_number: z.string(),
    home_country: country.nullable(),
    standing: z.enum(AUTHORISATION_STATUSES).nullable(),
  }),
  scope,
  consent_id: z.string().optional(),
  data: list(z.object({ group: z.string(), words: list(z.string()) })),
  permissions: list(z.enum(PERMISSIONS)).optional(),
  transaction_from_date_time: instant.nullable().optional(),
  transaction_to_date_time: instant.nullable().optional(),
  granted_at: instant,
  valid_until: instant.nullable(),
  last_token_at: instant.nullable(),
  blocked: z.boolean(),
  ended_at: instant.nullable(),
  ended_by: z.enum([...ENDED_BY, "expiry", "authorisation_lost"]).nullable(),
});
export type PermissionRecord = z.output<typeof permission>;

export const permissionList = z.object({ data: list(permission), next_cursor: z.string().optional() });
export type PermissionList = z.output<typeof permissionList>;
